// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.command;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** All commands of a server, by name and alias. Immutable. */
public final class CommandTable {
  private final Map<String, CommandSpec> byName = new LinkedHashMap<>();
  private final TreeMap<String, CommandSpec> listed = new TreeMap<>();

  private CommandTable() {}

  /**
   * Joins families into one table.
   *
   * @throws IllegalArgumentException if two rows claim one name
   */
  @SafeVarargs
  public static CommandTable of(List<CommandSpec>... families) {
    CommandTable table = new CommandTable();
    for (List<CommandSpec> family : families) {
      for (CommandSpec spec : family) {
        table.add(spec.name(), spec);
        spec.aliases().forEach(alias -> table.add(alias, spec));
        table.listed.put(spec.name(), spec);
      }
    }
    return table;
  }

  private void add(String name, CommandSpec spec) {
    if (byName.put(name, spec) != null) {
      throw new IllegalArgumentException("two commands are called '" + name + "'");
    }
  }

  /** The command of this name or alias, or null: names are case-sensitive. */
  public @Nullable CommandSpec find(String name) {
    return byName.get(name);
  }

  /** Every command once, by name. */
  public Collection<CommandSpec> all() {
    return List.copyOf(listed.values());
  }
}
