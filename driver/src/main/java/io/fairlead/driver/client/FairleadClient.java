// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.client;

import com.mongodb.ClientSessionOptions;
import com.mongodb.MongoClientException;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoDriverInformation;
import com.mongodb.TransactionOptions;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.connection.ClusterDescription;
import io.fairlead.cluster.Cluster;
import io.fairlead.cluster.ClusterSettings;
import io.fairlead.cluster.CommandResult;
import io.fairlead.cluster.Operation;
import io.fairlead.cluster.event.Descriptions;
import io.fairlead.cluster.session.Session;
import io.fairlead.driver.command.Deployment;
import io.fairlead.driver.command.Reading;
import io.fairlead.driver.command.Scope;
import io.fairlead.driver.session.ClientSessions;
import io.fairlead.driver.session.Transactions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.bson.codecs.configuration.CodecRegistries;
import org.jspecify.annotations.Nullable;

/**
 * One client of one deployment. Closing it closes what it holds: connections, monitors, sessions.
 */
public final class FairleadClient extends FairleadCluster implements MongoClient {
  private final Cluster cluster;
  private final Descriptions descriptions;

  /** Starts watching the deployment. */
  public static FairleadClient start(ClusterSettings settings) {
    MongoClientSettings client = settings.client();
    if (client.getContextProvider() != null) {
      throw new MongoClientException("A context provider is not supported by Fairlead");
    }
    return new FairleadClient(settings, new Core(Cluster.start(settings)));
  }

  private FairleadClient(ClusterSettings settings, Core core) {
    super(scope(settings.client(), core), core::start);
    this.cluster = core.cluster();
    this.descriptions =
        new Descriptions(
            settings.client().getClusterSettings(), settings.client().getServerSettings());
  }

  private static Scope scope(MongoClientSettings client, Deployment deployment) {
    Long timeoutMillis = client.getTimeout(TimeUnit.MILLISECONDS);
    return new Scope(
        deployment,
        CodecRegistries.withUuidRepresentation(
            client.getCodecRegistry(), client.getUuidRepresentation()),
        client.getUuidRepresentation(),
        Reading.ofClient(client.getReadPreference()),
        client.getReadConcern(),
        client.getWriteConcern(),
        timeoutMillis == null ? null : Duration.ofMillis(timeoutMillis));
  }

  /** What routes this client's operations. */
  public Cluster cluster() {
    return cluster;
  }

  @Override
  public ClusterDescription getClusterDescription() {
    return descriptions.of(cluster.topology());
  }

  @Override
  public void appendMetadata(MongoDriverInformation mongoDriverInformation) {
    WrappingLibraries.of(mongoDriverInformation).forEach(cluster::appendMetadata);
  }

  @Override
  public void close() {
    cluster.close();
  }

  /** The deployment as operations see it. */
  private record Core(Cluster cluster, Transactions transactions) implements Deployment {
    Core(Cluster cluster) {
      this(cluster, new Transactions(cluster::execute));
    }

    @Override
    public CommandResult execute(Operation operation) {
      return transactions.execute(operation);
    }

    @Override
    public boolean inTransaction(@Nullable Session session) {
      return session != null && transactions.isActive(session);
    }

    @Override
    public @Nullable Session session(@Nullable ClientSession session) {
      return ClientSessions.of(session, cluster);
    }

    @Override
    public Session implicitSession() {
      return cluster.sessions().implicit();
    }

    ClientSession start(ClientSessionOptions options, Scope scope) {
      TransactionOptions defaults =
          TransactionOptions.builder()
              .readConcern(scope.readConcern())
              .writeConcern(scope.writeConcern())
              .readPreference(scope.reading().preference())
              .build();
      return ClientSessions.start(cluster, cluster.sessions(), transactions, options, defaults);
    }
  }
}
