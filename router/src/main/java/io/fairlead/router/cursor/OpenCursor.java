// SPDX-License-Identifier: Apache-2.0
package io.fairlead.router.cursor;

import io.fairlead.engine.cursor.DocumentCursor;
import io.fairlead.topology.HostAddress;
import io.fairlead.topology.readpreference.ReadPreference;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/** A cursor that a client has open. */
public sealed interface OpenCursor {

  /** What it reads: {@code database.collection}. */
  String namespace();

  /**
   * Open on one member of one shard, where getMore goes as it is.
   *
   * @param shard the shard's name, or that of the config set
   * @param remoteId its number there
   * @param session {@code lsid} to put on the client's commands, when they have none; empty
   *     otherwise
   */
  record Forwarded(
      String namespace,
      String shard,
      HostAddress server,
      long remoteId,
      ReadPreference preference,
      BsonDocument session)
      implements OpenCursor {}

  /** Made here, of documents from several shards. Used by one thread at a time. */
  final class Local implements OpenCursor {

    private static final int BATCH_BYTES_MAX = 16 * 1024 * 1024;

    private final String namespace;
    private final DocumentCursor documents;
    private @Nullable RawBsonDocument ahead;
    private boolean exhausted;

    public Local(String namespace, DocumentCursor documents) {
      this.namespace = namespace;
      this.documents = documents;
    }

    @Override
    public String namespace() {
      return namespace;
    }

    /** The next documents: as many as asked for, or as fit a reply. */
    public List<RawBsonDocument> batch(int size) {
      List<RawBsonDocument> batch = new ArrayList<>();
      long bytes = 0;
      while (batch.size() < size) {
        RawBsonDocument document = ahead == null ? documents.next() : ahead;
        ahead = null;
        if (document == null) {
          exhausted = true;
          break;
        }
        int length = document.getByteBuffer().remaining();
        if (!batch.isEmpty() && bytes + length > BATCH_BYTES_MAX) {
          ahead = document;
          break;
        }
        bytes += length;
        batch.add(document);
      }
      return batch;
    }

    /** Whether the last batch was the last. */
    public boolean isExhausted() {
      return exhausted;
    }

    public void close() {
      exhausted = true;
      documents.close();
    }
  }
}
