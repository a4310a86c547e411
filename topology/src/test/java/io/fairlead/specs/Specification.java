package io.fairlead.specs;

import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.junit.jupiter.api.DynamicNode;

/**
 * The files of one of MongoDB's public specifications, as tests.
 *
 * <p>They are looked for in the folder that the system property {@code fairlead.specs} names, else in that of the environment's {@code
 * FAIRLEAD_SPECS}, else in {@code specs/} at the project's root. A relative folder is taken from the project's root. A clone of the
 * specifications' repository will do, and so will a folder that leaves the levels {@code source/} and {@code tests/} out. When there
 * are none the tests are skipped, or fail if {@code fairlead.specs.required} is {@code true}.
 */
public final class Specification {
  private final String name;

  private Specification(String name) {
    this.name = name;
  }

  /** Names a specification, such as {@code server-selection}. */
  public static Specification named(String name) {
    return new Specification(name);
  }

  /** What is run for each file. */
  @FunctionalInterface
  public interface FileTest {
    void run(BsonDocument file) throws Exception;
  }

  /** One test for every JSON file below the folder, in order of their names. */
  public Stream<DynamicNode> eachFileIn(String folder, FileTest test) {
    Optional<Path> root = Folder.find().flatMap(specs -> Folder.of(specs, name));
    if (root.isEmpty()) {
      return Stream.of(dynamicTest(name, () -> absent(Folder.wanted().toString())));
    }
    Path below = root.get().resolve(folder);
    List<Path> files = jsonFiles(below);
    if (files.isEmpty()) {
      return Stream.of(dynamicTest(name + "/" + folder, () -> absent(below.toString())));
    }
    return files.stream()
        .map(file -> dynamicTest(root.get().relativize(file).toString(), () -> test.run(parse(file))));
  }

  private void absent(String folder) {
    String message =
        "no files of the specification "
            + name
            + " in "
            + folder
            + ": clone https://github.com/mongodb/specifications into specs/, or name a folder with"
            + " -Dfairlead.specs or FAIRLEAD_SPECS";
    if (Boolean.getBoolean("fairlead.specs.required")) {
      fail(message);
    }
    abort(message);
  }

  private static List<Path> jsonFiles(Path folder) {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> paths = Files.walk(folder)) {
      return paths.filter(path -> path.toString().endsWith(".json")).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static BsonDocument parse(Path file) throws IOException {
    return BsonDocument.parse(Files.readString(file, StandardCharsets.UTF_8));
  }

  /**
   * A field that a runner does not know is something that it would not test.
   *
   * @throws AssertionError if the document has any field beside these
   */
  public static void onlyKnown(BsonDocument document, String... known) {
    Set<String> unknown = new TreeSet<>(document.keySet());
    unknown.removeAll(Arrays.asList(known));
    if (!unknown.isEmpty()) {
      throw new AssertionError("the runner does not know the fields " + unknown + " of " + document.toJson());
    }
  }

  /** Where the files are. */
  private static final class Folder {

    static Path wanted() {
      String property = System.getProperty("fairlead.specs", "");
      if (!property.isBlank()) {
        return projectRoot().resolve(property).normalize();
      }
      String environment = System.getenv("FAIRLEAD_SPECS");
      if (environment != null && !environment.isBlank()) {
        return projectRoot().resolve(environment).normalize();
      }
      return projectRoot().resolve("specs");
    }

    static Optional<Path> find() {
      Path wanted = wanted();
      return Files.isDirectory(wanted) ? Optional.of(wanted) : Optional.empty();
    }

    static Optional<Path> of(Path specs, String name) {
      List<Path> layouts = new ArrayList<>();
      for (Path level : List.of(specs, specs.resolve("source"))) {
        layouts.add(level.resolve(name).resolve("tests"));
        layouts.add(level.resolve(name));
      }
      return layouts.stream().filter(Files::isDirectory).findFirst();
    }

    /** Tests are started in their module's folder; the root is the nearest one above with Maven's settings. */
    private static Path projectRoot() {
      Path start = Path.of("").toAbsolutePath();
      for (Path path = start; path != null; path = path.getParent()) {
        if (Files.isDirectory(path.resolve(".mvn"))) {
          return path;
        }
      }
      return start;
    }
  }
}
