// SPDX-License-Identifier: Apache-2.0
package io.fairlead.conformance.unified.entity;

/** A test wants what this runner refuses by name. */
public final class UnsupportedEntityException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public UnsupportedEntityException(String what) {
    super(what);
  }
}
