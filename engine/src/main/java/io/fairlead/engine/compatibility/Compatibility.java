// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.compatibility;

import io.fairlead.engine.aggregation.Stages;
import io.fairlead.engine.expression.Expression;
import io.fairlead.engine.expression.Operators;
import io.fairlead.engine.projection.Projection;
import io.fairlead.engine.query.Matcher;
import io.fairlead.engine.update.Update;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Every name of MongoDB 8.0's manual and whether this engine has it. */
public final class Compatibility {
  /** Which part of the language a name belongs to. */
  public enum Kind {
    QUERY("Query operators"),
    PROJECTION("Projection operators"),
    UPDATE("Update operators"),
    MODIFIER("Update modifiers and positions"),
    STAGE("Aggregation stages"),
    EXPRESSION("Expressions"),
    ACCUMULATOR("Accumulators"),
    WINDOW("Window functions"),
    VARIABLE("System variables");

    private final String title;

    Kind(String title) {
      this.title = title;
    }

    public String title() {
      return title;
    }
  }

  /** Whether a name is there. */
  public enum Status {
    SUPPORTED("yes"),
    /** The server has to give it its documents. */
    SERVER("by the server"),
    /** Refused with MongoDB's error for what it does not know, or with a message that says why. */
    REFUSED("refused by name");

    private final String word;

    Status(String word) {
      this.word = word;
    }

    public String word() {
      return word;
    }
  }

  /** One name. */
  public record Entry(Kind kind, String name, Status status) {}

  private static final Set<String> NEEDS_SCRIPT = Set.of("$function", "$accumulator", "$where");

  private Compatibility() {}

  /** All names, in the order of the manual's chapters and then of the alphabet. */
  public static List<Entry> entries() {
    List<Entry> entries = new ArrayList<>();
    add(entries, Kind.QUERY, Names.QUERY, Matcher.operatorNames());
    add(entries, Kind.PROJECTION, Names.PROJECTION, Projection.operatorNames());
    add(entries, Kind.UPDATE, Names.UPDATE, Update.operatorNames());
    add(entries, Kind.MODIFIER, Names.MODIFIERS, Update.modifierNames());
    for (String name : Names.STAGES) {
      Status status =
          Stages.names().contains(name)
              ? Status.SUPPORTED
              : Stages.serverStages().contains(name) ? Status.SERVER : Status.REFUSED;
      entries.add(new Entry(Kind.STAGE, name, status));
    }
    add(entries, Kind.EXPRESSION, Names.EXPRESSIONS, Operators.names());
    add(entries, Kind.ACCUMULATOR, Names.ACCUMULATORS, Stages.accumulatorNames());
    add(entries, Kind.WINDOW, Names.WINDOW, Stages.windowFunctionNames());
    add(entries, Kind.VARIABLE, Names.VARIABLES, Expression.variableNames());
    return entries;
  }

  private static void add(
      List<Entry> entries, Kind kind, List<String> names, Set<String> supported) {
    for (String name : names) {
      boolean there = supported.contains(name) && !NEEDS_SCRIPT.contains(name);
      entries.add(new Entry(kind, name, there ? Status.SUPPORTED : Status.REFUSED));
    }
  }

  /** {@code docs/compatibility.md}. */
  public static String markdown() {
    StringBuilder text = new StringBuilder("# What of MongoDB 8.0's language is there\n\n");
    text.append(
        "Made from the engine's own registries. What is refused is refused by name, with MongoDB's"
            + " error code.\n");
    for (Kind kind : Kind.values()) {
      text.append("\n## ").append(kind.title()).append("\n\n| name | there |\n|---|---|\n");
      for (Entry entry : entries()) {
        if (entry.kind == kind) {
          text.append("| `")
              .append(entry.name)
              .append("` | ")
              .append(entry.status.word())
              .append(" |\n");
        }
      }
    }
    return text.toString();
  }
}
