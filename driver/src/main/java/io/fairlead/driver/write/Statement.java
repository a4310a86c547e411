// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.write;

import org.bson.BsonBinaryWriter;
import org.bson.BsonValue;
import org.bson.io.BasicOutputBuffer;
import org.jspecify.annotations.Nullable;

/** One insert, update or delete of a bulk. */
sealed interface Statement permits Insert, Update, Delete {
  /** Statements of one kind can share a command. */
  enum Kind {
    INSERT("insert", "documents"),
    UPDATE("update", "updates"),
    DELETE("delete", "deletes");

    private final String command;
    private final String sequence;

    Kind(String command, String sequence) {
      this.command = command;
      this.sequence = sequence;
    }

    String command() {
      return command;
    }

    String sequence() {
      return sequence;
    }
  }

  Kind kind();

  /** Whether it may change several documents: sending it twice is then never harmless. */
  boolean multi();

  /** Whether it carries what only an acknowledged write may carry, and if so, its name. */
  @Nullable String needsAcknowledgement();

  /**
   * Appends itself as one document.
   *
   * @return the {@code _id} of an inserted document; null for other kinds, and where the server
   *     makes the id
   * @throws IllegalArgumentException if it says what no server could be asked for
   */
  @Nullable BsonValue write(BsonBinaryWriter writer, BasicOutputBuffer buffer);

  /**
   * As {@link #write}, in the form of {@code bulkWrite}.
   *
   * @param namespace the place of its collection among those that go with the command
   */
  @Nullable BsonValue writeOperation(
      BsonBinaryWriter writer, BasicOutputBuffer buffer, int namespace);

  /** Where, in the buffer, the value of a field begins whose name is not written yet. */
  static int valueStart(BasicOutputBuffer buffer, String name) {
    // the writer puts type and name before the value only now that there is one
    return buffer.getPosition() + 1 + name.length() + 1;
  }
}
