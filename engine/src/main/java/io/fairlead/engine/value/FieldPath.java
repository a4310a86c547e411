// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.value;

import java.util.List;

/** A dotted path. Immutable; equal by its text. */
public final class FieldPath {
  private final String dotted;
  private final List<String> parts;

  private FieldPath(String dotted) {
    this.dotted = dotted;
    this.parts = List.of(dotted.split("\\.", -1));
  }

  public static FieldPath of(String dotted) {
    return new FieldPath(dotted);
  }

  public String dotted() {
    return dotted;
  }

  public List<String> parts() {
    return parts;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof FieldPath path && path.dotted.equals(dotted);
  }

  @Override
  public int hashCode() {
    return dotted.hashCode();
  }

  @Override
  public String toString() {
    return dotted;
  }
}
