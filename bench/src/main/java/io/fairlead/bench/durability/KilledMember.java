// SPDX-License-Identifier: Apache-2.0
package io.fairlead.bench.durability;

import io.fairlead.engine.Engine;
import io.fairlead.engine.EngineOptions;
import io.fairlead.server.Server;
import io.fairlead.server.ServerSettings;
import io.fairlead.server.replication.PeerDialer;
import io.fairlead.server.replication.ReplicaSetMember;
import io.fairlead.server.replication.ReplicationSettings;
import io.fairlead.server.replication.protocol.ReplicaSetConfig;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.bson.types.ObjectId;

/**
 * A member of a replica set in a process of its own, to be killed. It says {@code ready}, and
 * {@code leads TERM} whenever it has become primary. Arguments: its place among the hosts, the
 * hosts, its directory, and the set's id.
 */
final class KilledMember {
  static final String SET = "rs";
  static final String LEADS = "leads ";
  private static final long LOOK_EVERY_NANOS = 2_000_000;

  private KilledMember() {}

  public static void main(String[] args) {
    PrintStream out = System.out;
    List<String> hosts = List.of(args[1].split(",", -1));
    int place = Integer.parseInt(args[0]);
    String self = hosts.get(place);
    int colon = self.lastIndexOf(':');
    ReplicaSetConfig config =
        ReplicaSetConfig.of(SET, hosts, ReplicaSetConfig.Settings.quick(new ObjectId(args[3])));
    ReplicationSettings replication =
        new ReplicationSettings(
            SET, self, config, place == 0, PeerDialer.DIRECT, 64L << 20, Duration.ofSeconds(2));
    Server server =
        Server.start(
            ServerSettings.replicaSetMember(replication, 0)
                .at(self.substring(0, colon), Integer.parseInt(self.substring(colon + 1))),
            Engine.open(EngineOptions.defaults(), Path.of(args[2])));
    Thread.ofPlatform().daemon().name("killed-member-parent").start(KilledMember::endWithParent);
    say(out, "ready");
    tellWhenItLeads((ReplicaSetMember) server.coordinator(), out);
  }

  /** Nobody is left to kill it when the stream from its parent has ended. */
  private static void endWithParent() {
    try {
      while (System.in.read() >= 0) {
        // nothing is ever said to it
      }
    } catch (IOException gone) {
      Runtime.getRuntime().halt(1);
    }
    Runtime.getRuntime().halt(0);
  }

  /** Until the process is killed. */
  private static void tellWhenItLeads(ReplicaSetMember member, PrintStream out) {
    long told = -1;
    while (true) {
      long term = member.term();
      if (term != told && member.isWritablePrimary() && member.term() == term) {
        told = term;
        say(out, LEADS + term);
      }
      LockSupport.parkNanos(LOOK_EVERY_NANOS);
    }
  }

  private static void say(PrintStream out, String line) {
    byte[] bytes = (line + "\n").getBytes(StandardCharsets.UTF_8);
    out.write(bytes, 0, bytes.length);
    out.flush();
  }
}
