// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.command;

import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * One row of the table of commands. Immutable; made by {@link #named}.
 *
 * @param name as {@code listCommands} shows it and fail points match it
 * @param aliases further spellings, such as {@code findandmodify}
 * @param placement on which members it runs
 * @param traits what else is true of it
 * @param action the privilege it needs, by MongoDB's name; empty for none
 * @param help one sentence for {@code commandHelp}
 * @param fields the fields it takes besides its own name and the generic arguments; others are
 *     refused with 40415 unless the command is {@link Trait#LENIENT}
 * @param untyped those of the fields that may be of any type, so that null says something
 * @param body what it does
 */
public record CommandSpec(
    String name,
    Set<String> aliases,
    Placement placement,
    Set<Trait> traits,
    String action,
    String help,
    Set<String> fields,
    Set<String> untyped,
    Command body) {

  public CommandSpec {
    aliases = Set.copyOf(aliases);
    traits = Set.copyOf(traits);
    fields = Set.copyOf(fields);
    untyped = Set.copyOf(untyped);
  }

  /** Starts the row of the command with this name. */
  public static Builder named(String name) {
    return new Builder(name);
  }

  /** Whether the trait is one of this command's. */
  public boolean has(Trait trait) {
    return traits.contains(trait);
  }

  /** Collects one row. */
  public static final class Builder {
    private final String name;
    private final Set<String> aliases = new LinkedHashSet<>();
    private final EnumSet<Trait> traits = EnumSet.noneOf(Trait.class);
    private final Set<String> fields = new LinkedHashSet<>();
    private final Set<String> untyped = new LinkedHashSet<>();
    private Placement placement = Placement.EVERY_MEMBER;
    private String action = "";
    private String help = "";

    private Builder(String name) {
      this.name = name;
    }

    public Builder alias(String... names) {
      aliases.addAll(List.of(names));
      return this;
    }

    public Builder on(Placement where) {
      placement = where;
      return this;
    }

    public Builder with(Trait... more) {
      traits.addAll(List.of(more));
      return this;
    }

    /** The privilege that the command needs, by MongoDB's name of the action. */
    public Builder needs(String privilege) {
      action = privilege;
      return this;
    }

    public Builder help(String sentence) {
      help = sentence;
      return this;
    }

    public Builder takes(String... names) {
      fields.addAll(List.of(names));
      return this;
    }

    /** Fields that may be of any type, or of several: of these null is not the same as none. */
    public Builder takesUntyped(String... names) {
      untyped.addAll(List.of(names));
      return takes(names);
    }

    /** Completes the row. */
    public CommandSpec runs(Command body) {
      return new CommandSpec(name, aliases, placement, traits, action, help, fields, untyped, body);
    }
  }
}
