// SPDX-License-Identifier: Apache-2.0
package io.fairlead.topology.discovery;

import java.util.Optional;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/**
 * What an error reply tells about its server's state: the codes, and for servers that give none,
 * the words.
 */
enum StateChange {
  NOT_WRITABLE_PRIMARY,
  RECOVERING,
  /** Recovering, and never to be well on these connections again. */
  SHUTTING_DOWN;

  private static final Set<Integer> SHUTTING = Set.of(11600, 91);
  private static final Set<Integer> RECOVERING_CODES = Set.of(11602, 13436, 189);
  private static final Set<Integer> NOT_PRIMARY_CODES = Set.of(10107, 13435, 10058);

  /**
   * A failed command's own error, or the write concern error of one that succeeded. Write errors
   * say nothing of state.
   */
  static Optional<StateChange> in(BsonDocument reply) {
    if (HelloReply.isOk(reply)) {
      BsonValue concern = reply.get("writeConcernError");
      return concern != null && concern.isDocument()
          ? inError(concern.asDocument())
          : Optional.empty();
    }
    return inError(reply);
  }

  private static Optional<StateChange> inError(BsonDocument error) {
    BsonValue code = error.get("code");
    if (code != null && code.isNumber()) {
      return byCode(code.asNumber().intValue());
    }
    BsonValue message = error.get("errmsg");
    return message != null && message.isString()
        ? byWords(message.asString().getValue())
        : Optional.empty();
  }

  private static Optional<StateChange> byCode(int code) {
    if (SHUTTING.contains(code)) {
      return Optional.of(SHUTTING_DOWN);
    }
    if (RECOVERING_CODES.contains(code)) {
      return Optional.of(RECOVERING);
    }
    return NOT_PRIMARY_CODES.contains(code) ? Optional.of(NOT_WRITABLE_PRIMARY) : Optional.empty();
  }

  private static Optional<StateChange> byWords(String message) {
    if (message.contains("not master or secondary") || message.contains("node is recovering")) {
      return Optional.of(RECOVERING);
    }
    return message.contains("not master") ? Optional.of(NOT_WRITABLE_PRIMARY) : Optional.empty();
  }
}
