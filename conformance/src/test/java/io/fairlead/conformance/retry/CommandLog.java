// SPDX-License-Identifier: Apache-2.0
package io.fairlead.conformance.retry;

import com.mongodb.event.CommandFailedEvent;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import com.mongodb.event.CommandSucceededEvent;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Remembers where one kind of command was sent, and how each attempt ended. */
public final class CommandLog implements CommandListener {
  private final String command;
  private final List<String> started = new CopyOnWriteArrayList<>();
  private final List<String> failed = new CopyOnWriteArrayList<>();
  private final List<String> succeeded = new CopyOnWriteArrayList<>();

  public CommandLog(String command) {
    this.command = command;
  }

  @Override
  public void commandStarted(CommandStartedEvent event) {
    if (event.getCommandName().equals(command)) {
      started.add(event.getConnectionDescription().getServerAddress().toString());
    }
  }

  @Override
  public void commandFailed(CommandFailedEvent event) {
    if (event.getCommandName().equals(command)) {
      failed.add(event.getConnectionDescription().getServerAddress().toString());
    }
  }

  @Override
  public void commandSucceeded(CommandSucceededEvent event) {
    if (event.getCommandName().equals(command)) {
      succeeded.add(event.getConnectionDescription().getServerAddress().toString());
    }
  }

  public List<String> started() {
    return List.copyOf(started);
  }

  /** The servers of the failed attempts, in order. */
  public List<String> failed() {
    return List.copyOf(failed);
  }

  public List<String> succeeded() {
    return List.copyOf(succeeded);
  }
}
