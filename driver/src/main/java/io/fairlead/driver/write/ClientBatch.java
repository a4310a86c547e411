// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.write;

import com.mongodb.MongoNamespace;
import io.fairlead.cluster.PayloadSplitter;
import io.fairlead.driver.write.ClientModels.Namespaced;
import io.fairlead.topology.ServerDescription;
import io.fairlead.topology.ServerLimits;
import io.fairlead.wire.message.DocumentSequence;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bson.BsonBinaryWriter;
import org.bson.BsonDocument;
import org.bson.BsonMaximumSizeExceededException;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.io.BasicOutputBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Statements on several collections, of which as many go with one {@code bulkWrite} as the selected
 * server takes, beside the names of the collections that these are about.
 */
final class ClientBatch implements PayloadSplitter {
  /** What the specification leaves for the message's own words, session and times. */
  private static final int AROUND_COMMAND = 1000;

  private static final BsonDocumentCodec DOCUMENTS = new BsonDocumentCodec();

  private final List<Namespaced> statements;
  private final int from;
  private final int commandBytes;
  private final List<@Nullable BsonValue> ids = new ArrayList<>();
  private int taken;

  /**
   * @param from the first statement that goes with this batch
   * @param commandBytes the size of the command without its statements
   */
  ClientBatch(List<Namespaced> statements, int from, int commandBytes) {
    this.statements = statements;
    this.from = from;
    this.commandBytes = commandBytes;
  }

  boolean hasMulti() {
    return statements.subList(from, statements.size()).stream()
        .anyMatch(each -> each.statement().multi());
  }

  /** How many statements went with the command. */
  int taken() {
    return taken;
  }

  /** The place, in what the caller gave, of a statement of this batch. */
  int indexOf(int position) {
    return from + position;
  }

  Statement.Kind kind(int position) {
    return statements.get(from + position).statement().kind();
  }

  /** The {@code _id} that a statement of this batch inserted; null where the server made it. */
  @Nullable BsonValue id(int position) {
    return ids.get(position);
  }

  @Override
  public List<DocumentSequence> sequencesFor(ServerDescription server) {
    ServerLimits limits = server.limits();
    int bytesMax = limits.maxMessageSizeBytes() - AROUND_COMMAND - commandBytes;
    int count = Math.min(statements.size() - from, limits.maxWriteBatchSize());
    BasicOutputBuffer buffer = new BasicOutputBuffer(4096);
    Map<MongoNamespace, RawBsonDocument> namespaces = new LinkedHashMap<>();
    Map<MongoNamespace, Integer> places = new LinkedHashMap<>();
    int[] ends = new int[count];
    int namespaceBytes = 0;
    ids.clear();
    int written = 0;
    while (written < count) {
      Namespaced next = statements.get(from + written);
      int start = buffer.getPosition();
      Integer known = places.get(next.namespace());
      BsonValue id = encode(next.statement(), known == null ? places.size() : known, buffer);
      Batch.requireSize(buffer.getPosition() - start, limits);
      RawBsonDocument namespace = known == null ? describe(next.namespace()) : null;
      int added = namespace == null ? 0 : namespace.getByteBuffer().remaining();
      if (buffer.getPosition() + namespaceBytes + added > bytesMax) {
        if (written == 0) {
          throw new BsonMaximumSizeExceededException(
              "a write of " + buffer.getPosition() + " bytes leaves no room for its command");
        }
        buffer.truncateToPosition(start);
        break;
      }
      if (namespace != null) {
        places.put(next.namespace(), places.size());
        namespaces.put(next.namespace(), namespace);
        namespaceBytes += added;
      }
      ids.add(id);
      ends[written++] = buffer.getPosition();
    }
    taken = written;
    return List.of(
        new DocumentSequence("ops", Batch.views(buffer.getInternalBuffer(), ends, written)),
        new DocumentSequence("nsInfo", List.copyOf(namespaces.values())));
  }

  private static @Nullable BsonValue encode(
      Statement statement, int namespace, BasicOutputBuffer buffer) {
    try (BsonBinaryWriter writer = new BsonBinaryWriter(buffer)) {
      return statement.writeOperation(writer, buffer, namespace);
    }
  }

  private static RawBsonDocument describe(MongoNamespace namespace) {
    return new RawBsonDocument(
        new BsonDocument("ns", new BsonString(namespace.getFullName())), DOCUMENTS);
  }
}
