// SPDX-License-Identifier: Apache-2.0

import com.google.googlejavaformat.java.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Checks or rewrites every .java file of the tree: google-java-format and the licence header.
 *
 * <p>The formatter parses with the javac of the JVM that it runs in, so inside Maven on Java 17 it
 * can't read Java 21 sources; the parent POM starts this file in the build's own JDK, as {@code
 * java Sources.java check|write DIR}.
 */
public final class Sources {

  private static final String HEADER = "// SPDX-License-Identifier: Apache-2.0\n";

  public static void main(String[] args) throws Exception {
    boolean check = args[0].equals("check");
    List<Path> sources = sourcesBelow(Path.of(args[1]));
    int unlicensed = check ? reportMissingHeaders(sources) : addMissingHeaders(sources);
    int unformatted = format(check, sources);
    boolean good = unformatted == 0 && (unlicensed == 0 || !check);
    System.out.printf("%d source files, %s%n", sources.size(), good ? "in order" : "see above");
    if (!good && check) {
      System.out.println("To mend all of them: mvn validate -Pformat");
    }
    System.exit(good ? 0 : 1);
  }

  private static int format(boolean check, List<Path> sources) throws Exception {
    List<String> call = new ArrayList<>();
    call.addAll(check ? List.of("--dry-run", "--set-exit-if-changed") : List.of("--replace"));
    sources.forEach(source -> call.add(source.toString()));
    var out = new PrintWriter(System.out, true);
    var err = new PrintWriter(System.err, true);
    return new Main(out, err, System.in).format(call.toArray(String[]::new));
  }

  private static int reportMissingHeaders(List<Path> sources) throws IOException {
    int missing = 0;
    for (Path source : sources) {
      if (!Files.readString(source).startsWith(HEADER)) {
        System.out.println(source + " does not start with: " + HEADER.strip());
        missing++;
      }
    }
    return missing;
  }

  private static int addMissingHeaders(List<Path> sources) throws IOException {
    int missing = 0;
    for (Path source : sources) {
      String text = Files.readString(source);
      if (!text.startsWith(HEADER)) {
        Files.writeString(source, HEADER + text);
        missing++;
      }
    }
    return missing;
  }

  private static List<Path> sourcesBelow(Path root) throws IOException {
    try (var paths = Files.walk(root)) {
      return paths
          .filter(path -> path.toString().endsWith(".java"))
          .filter(path -> !isForeign(root.relativize(path)))
          .sorted()
          .toList();
    }
  }

  private static boolean isForeign(Path relative) {
    for (Path part : relative) {
      String name = part.toString();
      if (name.equals("target") || name.equals("node_modules") || name.equals("specs")) {
        return true;
      }
    }
    return false;
  }
}
