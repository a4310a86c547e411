// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.state;

import static io.fairlead.engine.state.Store.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.engine.Snapshot;
import io.fairlead.engine.write.WriteContext;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.bson.BsonInt32;
import org.junit.jupiter.api.Test;

/** What nobody can see any more is not kept. */
final class SnapshotMemoryTest {
  private static final int DOCUMENTS = 500;
  private static final int COLLECTIONS_MAX = 200;

  private final Store store = new Store();

  private List<WeakReference<byte[]>> stored() {
    List<WeakReference<byte[]>> references = new ArrayList<>();
    for (int i = 0; i < DOCUMENTS; i++) {
      references.add(
          new WeakReference<>(
              Objects.requireNonNull(store.engine.snapshot().findById(Store.NS, new BsonInt32(i)))
                  .getBackingArray()));
    }
    return references;
  }

  private static long alive(List<WeakReference<byte[]>> references) {
    return references.stream().filter(reference -> reference.get() != null).count();
  }

  private static void awaitGone(List<WeakReference<byte[]>> references) {
    for (int i = 0; i < COLLECTIONS_MAX && alive(references) > 0; i++) {
      System.gc();
    }
    assertThat(alive(references)).isZero();
  }

  @Test
  void documents_are_let_go_when_the_last_snapshot_that_sees_them_ends() {
    store.index("{n: 1}");
    for (int i = 0; i < DOCUMENTS; i++) {
      store.insert("{_id: " + i + ", n: " + i + "}");
    }
    List<WeakReference<byte[]>> before = stored();
    Snapshot snapshot = store.engine.snapshot();
    store.updateMany("{}", "{$set: {n: 'changed'}}");
    store.deleteMany("{}");
    System.gc();
    assertThat(alive(before)).as("seen by a snapshot").isEqualTo(DOCUMENTS);
    assertThat(snapshot.size(Store.NS)).isEqualTo(DOCUMENTS);
    snapshot = store.engine.snapshot();
    awaitGone(before);
    assertThat(snapshot.size(Store.NS)).isZero();
  }

  @Test
  void what_a_transaction_wrote_is_let_go_when_it_ends_without_a_commit() {
    store.insert("{_id: 0}");
    var transaction = store.engine.begin(WriteContext.plain());
    List<WeakReference<byte[]>> written = new ArrayList<>();
    for (int i = 1; i < DOCUMENTS; i++) {
      transaction.writes().insert(Store.NS, json("{_id: " + i + "}"));
      written.add(
          new WeakReference<>(
              Objects.requireNonNull(
                      transaction.writes().snapshot().findById(Store.NS, new BsonInt32(i)))
                  .getBackingArray()));
    }
    transaction.abort();
    transaction = store.engine.begin(WriteContext.plain());
    awaitGone(written);
    transaction.abort();
    assertThat(store.engine.snapshot().size(Store.NS)).isEqualTo(1);
  }
}
