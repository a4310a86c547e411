// SPDX-License-Identifier: Apache-2.0
package io.fairlead.wire.message;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/**
 * One message: an OP_MSG, or the legacy OP_QUERY command and its OP_REPLY that old drivers use to
 * say hello. Immutable, as long as nobody changes a body that was handed in as a mutable document.
 *
 * <p>A legacy query arrives normalised: unwrapped from {@code $query}, with {@code $db} from the
 * collection's name, and with {@code $readPreference} {@code secondaryPreferred} when it carried
 * the slaveOk bit and none of its own. So a reader treats all commands alike.
 *
 * @param kind how it travels
 * @param requestId chosen by the sender
 * @param responseTo the request id of the message that this one answers, or 0
 * @param flagBits of OP_MSG: {@link #CHECKSUM_PRESENT}, {@link #MORE_TO_COME}, {@link
 *     #EXHAUST_ALLOWED}; zero for the legacy kinds
 * @param body the command or the reply; a {@link org.bson.RawBsonDocument} when it came from a peer
 * @param sequences array fields of the command sent outside of the body; their names are distinct
 *     and absent from the body
 */
public record Message(
    Kind kind,
    int requestId,
    int responseTo,
    int flagBits,
    BsonDocument body,
    List<DocumentSequence> sequences) {

  /** The flag of OP_MSG for a CRC-32C at the end. */
  public static final int CHECKSUM_PRESENT = 1;

  /**
   * The flag of OP_MSG that says: another message follows without a request, or (of a request) no
   * reply is wanted.
   */
  public static final int MORE_TO_COME = 1 << 1;

  /** The flag of OP_MSG with which a client permits several replies to one request. */
  public static final int EXHAUST_ALLOWED = 1 << 16;

  private static final AtomicInteger REQUEST_IDS = new AtomicInteger();

  /** How a message travels. */
  public enum Kind {
    /** OP_MSG. */
    MSG,
    /** OP_QUERY on a {@code $cmd} collection. */
    LEGACY_QUERY,
    /** OP_REPLY. */
    LEGACY_REPLY
  }

  public Message {
    sequences = List.copyOf(sequences);
    if (kind != Kind.MSG && (!sequences.isEmpty() || flagBits != 0)) {
      throw new IllegalArgumentException(
          "a " + kind + " has neither document sequences nor flag bits");
    }
  }

  /** A command with a fresh request id. */
  public static Message command(BsonDocument body, List<DocumentSequence> sequences) {
    return new Message(Kind.MSG, nextRequestId(), 0, 0, body, sequences);
  }

  /** A command with a fresh request id and nothing outside of its body. */
  public static Message command(BsonDocument body) {
    return command(body, List.of());
  }

  /**
   * A command for servers that may not know OP_MSG yet: the database is the body's {@code $db},
   * which itself does not travel.
   */
  public static Message legacyCommand(BsonDocument body) {
    return new Message(Kind.LEGACY_QUERY, nextRequestId(), 0, 0, body, List.of());
  }

  /**
   * The answer to a request, of the kind that the request asks for; with a checksum if the request
   * had one.
   */
  public static Message reply(Message request, BsonDocument body) {
    Kind kind = request.kind == Kind.LEGACY_QUERY ? Kind.LEGACY_REPLY : Kind.MSG;
    return new Message(
        kind,
        nextRequestId(),
        request.requestId,
        request.flagBits & CHECKSUM_PRESENT,
        body,
        List.of());
  }

  /** A request id that this JVM has not used before, until they wrap around. */
  public static int nextRequestId() {
    return REQUEST_IDS.incrementAndGet();
  }

  /**
   * Whether another message follows without a request; of a request: whether no reply is wanted.
   */
  public boolean moreToCome() {
    return (flagBits & MORE_TO_COME) != 0;
  }

  /** Whether the sender accepts several replies to this request. */
  public boolean exhaustAllowed() {
    return (flagBits & EXHAUST_ALLOWED) != 0;
  }

  /** Whether a checksum travels with this message. */
  public boolean checksumPresent() {
    return (flagBits & CHECKSUM_PRESENT) != 0;
  }

  /** The same message with these flag bits in place of its own. */
  public Message withFlags(int flags) {
    return new Message(kind, requestId, responseTo, flags, body, sequences);
  }

  /** The same message, answering another request id. */
  public Message withResponseTo(int otherRequestId) {
    return new Message(kind, requestId, otherRequestId, flagBits, body, sequences);
  }

  /**
   * The body with the document sequences folded in as arrays: the body itself when there are none.
   * Made anew at each call.
   */
  public BsonDocument commandWithSequences() {
    if (sequences.isEmpty()) {
      return body;
    }
    BsonDocument folded = new BsonDocument(body.size() + sequences.size());
    body.forEach(folded::put);
    for (DocumentSequence sequence : sequences) {
      List<BsonValue> documents = new ArrayList<>(sequence.documents());
      folded.put(sequence.identifier(), new BsonArray(documents));
    }
    return folded;
  }
}
