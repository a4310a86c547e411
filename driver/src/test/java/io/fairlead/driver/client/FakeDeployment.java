// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.client;

import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.ServerAddress;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoDatabase;
import io.fairlead.cluster.CommandResult;
import io.fairlead.cluster.Operation;
import io.fairlead.cluster.session.Session;
import io.fairlead.cluster.session.SessionPool;
import io.fairlead.driver.command.Deployment;
import io.fairlead.driver.command.Reading;
import io.fairlead.driver.command.Scope;
import io.fairlead.driver.session.ClientSessions;
import io.fairlead.topology.HostAddress;
import io.fairlead.topology.ServerDescription;
import io.fairlead.topology.ServerType;
import io.fairlead.wire.message.DocumentSequence;
import io.fairlead.wire.message.Message;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;
import org.bson.UuidRepresentation;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.codecs.configuration.CodecRegistries;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what it was asked to run, and answers from a script; what is not scripted is answered with
 * {@code {ok: 1}}.
 */
public final class FakeDeployment implements Deployment {
  public static final HostAddress SERVER = new HostAddress("db1", 27017);
  public static final ServerAddress ADDRESS = new ServerAddress("db1", 27017);

  private static final BsonDocumentCodec PLAIN = new BsonDocumentCodec();

  private final SessionPool pool =
      new SessionPool(() -> 0, () -> Optional.of(Duration.ofMinutes(30)));
  private final List<Operation> operations = new ArrayList<>();
  private final List<BsonDocument> commands = new ArrayList<>();
  private final Deque<Function<BsonDocument, BsonDocument>> script = new ArrayDeque<>();
  private final List<Session> implicit = new ArrayList<>();
  private ServerDescription description = ServerDescription.of(SERVER, ServerType.RS_PRIMARY);

  /** Answers the next command with this. */
  public FakeDeployment answer(String reply) {
    script.add(command -> BsonDocument.parse(reply));
    return this;
  }

  /** Fails the next command with this. */
  public FakeDeployment fail(RuntimeException failure) {
    script.add(
        command -> {
          throw failure;
        });
    return this;
  }

  /** Says what the server takes. */
  public FakeDeployment server(ServerDescription described) {
    description = described;
    return this;
  }

  /** The commands so far, with their documents folded in. */
  public List<BsonDocument> commands() {
    return commands;
  }

  /** The only command. */
  public BsonDocument command() {
    if (commands.size() != 1) {
      throw new AssertionError("expected one command, saw " + commands);
    }
    return commands.get(0);
  }

  public List<Operation> operations() {
    return operations;
  }

  public Operation operation() {
    return operations.get(operations.size() - 1);
  }

  /** The implicit sessions that cursors took. */
  public List<Session> implicitSessions() {
    return implicit;
  }

  public SessionPool pool() {
    return pool;
  }

  @Override
  public CommandResult execute(Operation operation) {
    List<DocumentSequence> sequences =
        operation.splitter() == null
            ? operation.sequences()
            : operation.splitter().sequencesFor(description);
    BsonDocument command = Message.command(operation.command(), sequences).commandWithSequences();
    operations.add(operation);
    commands.add(new RawBsonDocument(command, PLAIN).decode(PLAIN));
    Function<BsonDocument, BsonDocument> next = script.poll();
    BsonDocument reply = next == null ? BsonDocument.parse("{ok: 1}") : next.apply(command);
    return new CommandResult(new RawBsonDocument(reply, PLAIN), SERVER, description);
  }

  @Override
  public @Nullable Session session(@Nullable ClientSession session) {
    return ClientSessions.of(session, this);
  }

  @Override
  public boolean inTransaction(@Nullable Session session) {
    return false;
  }

  @Override
  public Session implicitSession() {
    Session session = pool.implicit();
    implicit.add(session);
    return session;
  }

  /** A database with the defaults of an unconfigured client. */
  public MongoDatabase database() {
    return new FairleadDatabase(scope(null), "db");
  }

  /** What an unconfigured client hands down, but for its read preference. */
  public Scope scope(@Nullable ReadPreference preference) {
    return new Scope(
        this,
        CodecRegistries.withUuidRepresentation(
            com.mongodb.MongoClientSettings.getDefaultCodecRegistry(), UuidRepresentation.STANDARD),
        UuidRepresentation.STANDARD,
        Reading.ofClient(preference),
        ReadConcern.DEFAULT,
        WriteConcern.ACKNOWLEDGED,
        null);
  }
}
