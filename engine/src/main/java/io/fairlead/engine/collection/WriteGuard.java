// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.collection;

import java.util.UUID;

/**
 * Asked before a record is written or a unique key taken, so that writers that do not see each
 * other do not meet. Throws 112 WriteConflict when another writer was here first.
 */
public interface WriteGuard {
  /** Lets everything happen. */
  WriteGuard FREE =
      new WriteGuard() {
        @Override
        public void record(UUID collection, byte[] record) {}

        @Override
        public void uniqueKey(UUID collection, String index, byte[] key) {}
      };

  void record(UUID collection, byte[] record);

  void uniqueKey(UUID collection, String index, byte[] key);
}
