// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.catalog;

/**
 * How the entries of an index compare with the keys that the documents have.
 *
 * @param name of the index
 * @param entries how many it has
 * @param missing how many keys of documents have no entry
 * @param extra how many entries are no key of their document
 */
public record IndexCheck(String name, long entries, long missing, long extra) {
  /** Whether the index has what it should have, and nothing else. */
  public boolean valid() {
    return missing == 0 && extra == 0;
  }
}
