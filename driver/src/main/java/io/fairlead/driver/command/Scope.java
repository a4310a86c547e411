// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.command;

import static java.util.Objects.requireNonNull;

import com.mongodb.ReadConcern;
import com.mongodb.WriteConcern;
import io.fairlead.cluster.Operation;
import io.fairlead.cluster.session.Session;
import io.fairlead.topology.readpreference.OperationKind;
import io.fairlead.topology.retry.Retryability;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.bson.RawBsonDocument;
import org.bson.UuidRepresentation;
import org.bson.codecs.configuration.CodecRegistries;
import org.bson.codecs.configuration.CodecRegistry;
import org.jspecify.annotations.Nullable;

/**
 * What a client, database or collection hands down to the operations asked through it. Immutable; a
 * {@code with…} makes another one.
 *
 * @param deployment where commands run
 * @param codecs the registry, with {@code uuidRepresentation} applied
 * @param uuidRepresentation how UUIDs are encoded by every registry that is set later
 * @param reading the read preferences of client, database and collection
 * @param readConcern the read concern of operations that take one
 * @param writeConcern the write concern of operations that take one
 * @param timeout bounds a whole operation; zero is without limit; null leaves the older single
 *     limits in force
 */
public record Scope(
    Deployment deployment,
    CodecRegistry codecs,
    UuidRepresentation uuidRepresentation,
    Reading reading,
    ReadConcern readConcern,
    WriteConcern writeConcern,
    @Nullable Duration timeout) {

  public Scope {
    requireNonNull(readConcern, "readConcern can not be null");
    requireNonNull(writeConcern, "writeConcern can not be null");
  }

  /** With another registry, to which the client's UUID representation is applied. */
  public Scope withCodecs(CodecRegistry registry) {
    CodecRegistry applied =
        CodecRegistries.withUuidRepresentation(
            requireNonNull(registry, "codecRegistry can not be null"), uuidRepresentation);
    return new Scope(
        deployment, applied, uuidRepresentation, reading, readConcern, writeConcern, timeout);
  }

  public Scope withReading(Reading other) {
    return new Scope(
        deployment, codecs, uuidRepresentation, other, readConcern, writeConcern, timeout);
  }

  public Scope withReadConcern(ReadConcern other) {
    return new Scope(deployment, codecs, uuidRepresentation, reading, other, writeConcern, timeout);
  }

  public Scope withWriteConcern(WriteConcern other) {
    return new Scope(deployment, codecs, uuidRepresentation, reading, readConcern, other, timeout);
  }

  /**
   * For writes in that session: in a transaction the write concern is the transaction's, and every
   * statement has a reply.
   */
  public Scope forWritesIn(@Nullable Session session) {
    return deployment.inTransaction(session) ? withWriteConcern(WriteConcern.ACKNOWLEDGED) : this;
  }

  /**
   * With another bound on whole operations.
   *
   * @throws IllegalArgumentException if it is negative, or positive but less than a millisecond
   */
  public Scope withTimeout(long value, TimeUnit unit) {
    long millis = requireNonNull(unit, "timeUnit can not be null").toMillis(value);
    if (value < 0) {
      throw new IllegalArgumentException("timeoutMS must not be negative, was " + value);
    }
    if (value > 0 && millis == 0) {
      throw new IllegalArgumentException(
          "timeoutMS must be at least one millisecond, was " + value + " " + unit);
    }
    return new Scope(
        deployment,
        codecs,
        uuidRepresentation,
        reading,
        readConcern,
        writeConcern,
        Duration.ofMillis(millis));
  }

  /** The timeout in a unit; null when none was set. */
  public @Nullable Long timeout(TimeUnit unit) {
    return timeout == null ? null : unit.convert(timeout);
  }

  /**
   * The {@code maxTimeMS} to write for an option: a timeout of the whole operation takes its place.
   */
  public long maxTime(long optionMillis) {
    return timeout == null ? optionMillis : 0;
  }

  /**
   * The write concern as it travels: a timeout of the whole operation takes the place of {@code
   * wtimeout}.
   */
  public WriteConcern writeConcernOnWire() {
    if (timeout == null || writeConcern.getWTimeout(TimeUnit.MILLISECONDS) == null) {
      return writeConcern;
    }
    WriteConcern withoutTimeout =
        switch (writeConcern.getWObject()) {
          case Integer w -> new WriteConcern(w);
          case String w -> new WriteConcern(w);
          case null, default -> WriteConcern.ACKNOWLEDGED;
        };
    return withoutTimeout.withJournal(writeConcern.getJournal());
  }

  /** Starts an operation of this scope that reads or is a helper with its own rule. */
  public Operation.Builder operation(String database, RawBsonDocument body, OperationKind kind) {
    return Operation.builder(database, body)
        .readWish(reading.wish(kind))
        .retry(Retryability.READ_ONCE)
        .timeout(timeout);
  }

  /** Starts an operation of this scope that writes, and is not written twice unless it says so. */
  public Operation.Builder write(String database, RawBsonDocument body) {
    return Operation.builder(database, body).retry(Retryability.WRITE_ONCE).timeout(timeout);
  }
}
