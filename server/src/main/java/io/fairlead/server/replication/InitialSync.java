// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.replication;

import io.fairlead.engine.Engine;
import io.fairlead.engine.Namespace;
import io.fairlead.engine.Snapshot;
import io.fairlead.engine.catalog.CollectionOptions;
import io.fairlead.engine.index.IndexSpec;
import io.fairlead.engine.write.WriteTransaction;
import io.fairlead.server.oplog.Oplog;
import io.fairlead.server.oplog.OplogEntry;
import io.fairlead.server.replication.protocol.OpTime;
import io.fairlead.wire.message.WireException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;

/**
 * Copies all data of another member as of one moment, and the log entry of that moment. The copy is
 * written batch by batch beside the present data, and takes its place in one commit, so that no
 * reader ever sees half of it and a sync that fails has changed nothing.
 */
final class InitialSync {
  private static final BsonDocumentCodec CODEC = new BsonDocumentCodec();

  private final Engine engine;
  private final PeerLink source;
  private final Duration timeout;

  InitialSync(Engine engine, PeerLink source, Duration timeout) {
    this.engine = engine;
    this.source = source;
    this.timeout = timeout;
  }

  /**
   * Another member's data as of one moment.
   *
   * @param content written beside the present data
   * @param end of the log at that moment
   */
  record Copy(Snapshot content, OpTime end) {}

  /** Gathers everything; empty when that is not wanted any more. Changes nothing here. */
  Optional<Copy> gather(BooleanSupplier wanted) throws WireException, PeerRefusedException {
    BsonDocument start =
        source.call(new BsonDocument("_fairleadCloneCollections", new BsonInt32(1)), timeout);
    long number = PeerMessages.number(start, "copy");
    WriteTransaction aside = engine.aside();
    for (BsonValue element : start.getArray("collections")) {
      if (!copy(element.asDocument(), number, aside, wanted)) {
        return Optional.empty();
      }
    }
    source.call(new BsonDocument("_fairleadEndClone", new BsonInt64(number)), timeout);
    RawBsonDocument last = new RawBsonDocument(start.getDocument("lastEntry"), CODEC);
    aside.createCollection(Oplog.NAMESPACE, CollectionOptions.none().withRecordKeyField("ts"));
    aside.insert(Oplog.NAMESPACE, last);
    return Optional.of(new Copy(aside.snapshot(), new OplogEntry(last).opTime()));
  }

  private boolean copy(
      BsonDocument collection, long number, WriteTransaction aside, BooleanSupplier wanted)
      throws WireException, PeerRefusedException {
    Namespace namespace = Namespace.parse(PeerMessages.string(collection, "ns"));
    aside.createCollection(
        namespace,
        CollectionOptions.of(collection.getDocument("options"))
            .withUuid(collection.getBinary("uuid").asUuid()));
    boolean done = PeerMessages.truth(collection, "view");
    while (!done) {
      if (!wanted.getAsBoolean()) {
        return false;
      }
      BsonDocument batch =
          source.call(
              new BsonDocument("_fairleadCloneDocuments", new BsonInt64(number))
                  .append("ns", new BsonString(namespace.toString())),
              timeout);
      batch.getArray("documents").forEach(document -> aside.put(namespace, document.asDocument()));
      done = PeerMessages.truth(batch, "done");
    }
    List<IndexSpec> indexes = secondaryIndexes(collection);
    if (!indexes.isEmpty()) {
      aside.createIndexes(namespace, indexes);
    }
    return true;
  }

  private static List<IndexSpec> secondaryIndexes(BsonDocument collection) {
    return collection.getArray("indexes").stream()
        .map(BsonValue::asDocument)
        .filter(
            index ->
                !index.getString("name").getValue().equals("_id_")
                    && !index.containsKey("clustered"))
        .map(IndexSpec::new)
        .toList();
  }
}
