// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.value;

/**
 * One value within bytes of BSON: type and place, nothing decoded. Mutable, so that one slice can
 * walk over many values; a slice whose type is {@link #MISSING} stands for an absent field.
 */
public final class Slice {
  public static final int MISSING = 0;
}
