// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.state;

import java.util.Arrays;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Which open transaction has written which record and taken which unique key. Used by all threads.
 */
final class Claims {
  /** A record ({@code index} is empty) or a key of a unique index. */
  static final class Claim {
    final UUID collection;
    final String index;
    final byte[] key;

    Claim(UUID collection, String index, byte[] key) {
      this.collection = collection;
      this.index = index;
      this.key = key;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Claim that
          && collection.equals(that.collection)
          && index.equals(that.index)
          && Arrays.equals(key, that.key);
    }

    @Override
    public int hashCode() {
      return 31 * (31 * collection.hashCode() + index.hashCode()) + Arrays.hashCode(key);
    }
  }

  private final ConcurrentHashMap<Claim, Object> owners = new ConcurrentHashMap<>();

  /** Whether it is {@code owner}'s from now on, or was already; false when it is another's. */
  @SuppressWarnings("ReferenceEquality") // an owner is an identity
  boolean take(Claim claim, Object owner) {
    Object present = owners.putIfAbsent(claim, owner);
    return present == null || present == owner;
  }

  @Nullable Object owner(Claim claim) {
    return owners.get(claim);
  }

  boolean isEmpty() {
    return owners.isEmpty();
  }

  void release(Claim claim, Object owner) {
    owners.remove(claim, owner);
  }
}
