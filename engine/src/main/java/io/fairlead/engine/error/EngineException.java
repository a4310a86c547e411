// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.error;

import java.util.Set;
import org.bson.BsonDocument;

/**
 * The engine's only error: a code of MongoDB, its name, a message and labels. {@link #details()}
 * are further fields of the reply that belong to the code (for instance {@code keyPattern} and
 * {@code keyValue} of 11000), empty for most.
 */
public final class EngineException extends RuntimeException {
  private final int code;
  private final Set<String> labels;
  private final transient BsonDocument details;

  public EngineException(int code, String message) {
    this(code, message, Set.of(), new BsonDocument(), null);
  }

  public EngineException(int code, String message, BsonDocument details) {
    this(code, message, Set.of(), details, null);
  }

  public EngineException(int code, String message, Set<String> labels) {
    this(code, message, labels, new BsonDocument(), null);
  }

  public EngineException(
      int code,
      String message,
      Set<String> labels,
      BsonDocument details,
      @org.jspecify.annotations.Nullable Throwable cause) {
    super(message, cause);
    this.code = code;
    this.labels = Set.copyOf(labels);
    this.details = details;
  }

  public int code() {
    return code;
  }

  /** MongoDB's name of the code; {@code Location<code>} for codes without one. */
  public String codeName() {
    return ErrorCodes.nameOf(code);
  }

  public String message() {
    String message = getMessage();
    return message == null ? "" : message;
  }

  public Set<String> labels() {
    return labels;
  }

  public BsonDocument details() {
    return details;
  }

  /** The same error with a longer message. */
  public EngineException withMessage(String message) {
    return new EngineException(code, message, labels, details, this);
  }
}
