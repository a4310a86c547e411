// SPDX-License-Identifier: Apache-2.0
package io.fairlead.conformance.driver;

import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.bson.BsonDocument;

/** Keeps the commands that a client sent, and to whom. */
final class Heard implements CommandListener {
  private final ConcurrentLinkedQueue<Sent> sent = new ConcurrentLinkedQueue<>();

  /** One command on its way to one server. */
  record Sent(String name, BsonDocument command, String server) {}

  @Override
  public void commandStarted(CommandStartedEvent event) {
    sent.add(
        new Sent(
            event.getCommandName(),
            event.getCommand(),
            event.getConnectionDescription().getServerAddress().toString()));
  }

  /** The commands of this name since they were last taken. */
  List<Sent> take(String name) {
    List<Sent> taken = new ArrayList<>();
    for (Sent each = sent.poll(); each != null; each = sent.poll()) {
      if (each.name().equals(name)) {
        taken.add(each);
      }
    }
    return taken;
  }
}
