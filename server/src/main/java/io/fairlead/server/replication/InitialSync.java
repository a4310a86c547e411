// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.replication;

import io.fairlead.engine.Engine;
import io.fairlead.engine.Namespace;
import io.fairlead.engine.catalog.CollectionOptions;
import io.fairlead.engine.catalog.DatabaseInfo;
import io.fairlead.engine.index.IndexSpec;
import io.fairlead.engine.write.WriteContext;
import io.fairlead.engine.write.WriteTransaction;
import io.fairlead.server.oplog.Oplog;
import io.fairlead.server.oplog.OplogEntry;
import io.fairlead.server.replication.protocol.OpTime;
import io.fairlead.wire.message.WireException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;

/**
 * Copies all data of another member as of one moment, and the log entry of that moment. The copy is
 * gathered beside the old data and takes its place in one commit, so that no reader ever sees half
 * of it.
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
   * @param collections what each is, and its documents
   * @param last the log entry of that moment
   */
  record Copy(Map<BsonDocument, List<BsonDocument>> collections, RawBsonDocument last) {}

  /** Gathers everything; changes nothing here. */
  Copy gather() throws WireException, PeerRefusedException {
    BsonDocument start =
        source.call(new BsonDocument("_fairleadCloneCollections", new BsonInt32(1)), timeout);
    long copy = PeerMessages.number(start, "copy");
    Map<BsonDocument, List<BsonDocument>> contents = new LinkedHashMap<>();
    for (BsonValue element : start.getArray("collections")) {
      BsonDocument collection = element.asDocument();
      contents.put(
          collection,
          PeerMessages.truth(collection, "view") ? List.of() : documents(copy, collection));
    }
    return new Copy(contents, new RawBsonDocument(start.getDocument("lastEntry"), CODEC));
  }

  /** Puts the copy in the place of all replicated data, in one commit; where the log ends then. */
  OpTime install(Copy copy) {
    engine.write(
        WriteContext.unreplicated(),
        transaction -> {
          replace(transaction, copy.collections, copy.last);
          return true;
        });
    return new OplogEntry(copy.last).opTime();
  }

  private List<BsonDocument> documents(long copy, BsonDocument collection)
      throws WireException, PeerRefusedException {
    List<BsonDocument> documents = new ArrayList<>();
    boolean done = false;
    while (!done) {
      BsonDocument batch =
          source.call(
              new BsonDocument("_fairleadCloneDocuments", new BsonInt64(copy))
                  .append("ns", new BsonString(PeerMessages.string(collection, "ns"))),
              timeout);
      batch.getArray("documents").forEach(document -> documents.add(document.asDocument()));
      done = PeerMessages.truth(batch, "done");
    }
    return documents;
  }

  private static void replace(
      WriteTransaction transaction,
      Map<BsonDocument, List<BsonDocument>> contents,
      RawBsonDocument last) {
    for (DatabaseInfo database : transaction.snapshot().databases()) {
      if (!database.name().equals("local")) {
        transaction.dropDatabase(database.name());
      }
    }
    transaction.dropCollection(Oplog.NAMESPACE);
    transaction.createCollection(
        Oplog.NAMESPACE, CollectionOptions.none().withRecordKeyField("ts"));
    transaction.insert(Oplog.NAMESPACE, last);
    contents.forEach(
        (collection, documents) -> {
          Namespace namespace = Namespace.parse(PeerMessages.string(collection, "ns"));
          transaction.createCollection(
              namespace,
              CollectionOptions.of(collection.getDocument("options"))
                  .withUuid(collection.getBinary("uuid").asUuid()));
          documents.forEach(document -> transaction.put(namespace, document));
          List<IndexSpec> indexes =
              collection.getArray("indexes").stream()
                  .map(BsonValue::asDocument)
                  .filter(
                      index ->
                          !index.getString("name").getValue().equals("_id_")
                              && !index.containsKey("clustered"))
                  .map(IndexSpec::new)
                  .toList();
          if (!indexes.isEmpty()) {
            transaction.createIndexes(namespace, indexes);
          }
        });
  }
}
