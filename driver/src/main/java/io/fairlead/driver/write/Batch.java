// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.write;

import io.fairlead.cluster.PayloadSplitter;
import io.fairlead.topology.ServerDescription;
import io.fairlead.topology.ServerLimits;
import io.fairlead.wire.message.DocumentSequence;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.bson.BsonBinaryWriter;
import org.bson.BsonMaximumSizeExceededException;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.io.BasicOutputBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Statements of one kind, of which as many go with one command as the selected server takes. They
 * are encoded once, one after another into one buffer, and travel as views of it.
 */
final class Batch implements PayloadSplitter {
  /** What servers leave beyond the document itself for the words around it. */
  private static final int AROUND_DOCUMENT = 16 * 1024;

  /** Room in the message for the command's body: its options, session and times. */
  private static final int AROUND_STATEMENTS = 16 * 1024;

  private final List<Indexed> statements;
  private final int from;
  private final List<@Nullable BsonValue> ids = new ArrayList<>(1);
  private int taken;

  /**
   * A statement with its place in what the caller gave.
   *
   * @param index from zero
   */
  record Indexed(int index, Statement statement) {}

  /**
   * @param statements at least one, all of one kind
   * @param from the first that goes with this batch
   */
  Batch(List<Indexed> statements, int from) {
    this.statements = statements;
    this.from = from;
  }

  Statement.Kind kind() {
    return statements.get(from).statement().kind();
  }

  boolean hasMulti() {
    for (int i = from; i < statements.size(); i++) {
      if (statements.get(i).statement().multi()) {
        return true;
      }
    }
    return false;
  }

  /** How many statements went with the command. */
  int taken() {
    return taken;
  }

  /** The place, in what the caller gave, of a statement of this batch. */
  int indexOf(int position) {
    return statements.get(from + position).index();
  }

  /** The {@code _id} that a statement of this batch inserted; null where the server made it. */
  @Nullable BsonValue id(int position) {
    return ids.get(position);
  }

  @Override
  public List<DocumentSequence> sequencesFor(ServerDescription server) {
    ServerLimits limits = server.limits();
    ids.clear();
    int count = Math.min(statements.size() - from, limits.maxWriteBatchSize());
    int bytesMax = limits.maxMessageSizeBytes() - AROUND_STATEMENTS;
    BasicOutputBuffer buffer = new BasicOutputBuffer(count == 1 ? 256 : 4096);
    int[] ends = new int[count];
    int written = 0;
    while (written < count) {
      int start = buffer.getPosition();
      BsonValue id = encode(statements.get(from + written).statement(), buffer);
      int size = buffer.getPosition() - start;
      requireSize(size, limits);
      if (buffer.getPosition() > bytesMax && written > 0) {
        buffer.truncateToPosition(start);
        break;
      }
      ids.add(id);
      ends[written++] = buffer.getPosition();
    }
    taken = written;
    return List.of(
        new DocumentSequence(kind().sequence(), views(buffer.getInternalBuffer(), ends, written)));
  }

  /**
   * @throws BsonMaximumSizeExceededException for a statement that no server would take
   */
  static void requireSize(int bytes, ServerLimits limits) {
    int most = limits.maxBsonObjectSize() + AROUND_DOCUMENT;
    if (bytes > most) {
      throw new BsonMaximumSizeExceededException(
          String.format(
              Locale.ROOT, "Document size of %d is larger than maximum of %d.", bytes, most));
    }
  }

  private static @Nullable BsonValue encode(Statement statement, BasicOutputBuffer buffer) {
    try (BsonBinaryWriter writer = new BsonBinaryWriter(buffer)) {
      return statement.write(writer, buffer);
    }
  }

  /** The documents that lie in one buffer, one after another, as views of it. */
  static List<RawBsonDocument> views(byte[] bytes, int[] ends, int count) {
    if (count == 1) {
      return List.of(new RawBsonDocument(bytes, 0, ends[0]));
    }
    List<RawBsonDocument> views = new ArrayList<>(count);
    int start = 0;
    for (int i = 0; i < count; i++) {
      views.add(new RawBsonDocument(bytes, start, ends[i] - start));
      start = ends[i];
    }
    return views;
  }
}
