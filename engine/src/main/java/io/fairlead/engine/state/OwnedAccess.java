// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.state;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.collection.WriteGuard;
import io.fairlead.engine.commit.CommitParticipant;

/**
 * The commit participant's writes within a commit: to its own collections only, on top of what is
 * being committed.
 */
final class OwnedAccess implements Access {
  private final CommitParticipant participant;
  private final Root root;

  OwnedAccess(CommitParticipant participant, Root root) {
    this.participant = participant;
    this.root = root;
  }

  @Override
  public void enter(Namespace namespace) {
    if (!participant.owns(namespace)) {
      throw new IllegalStateException(
          "the commit participant wrote to " + namespace + ", which is not its own");
    }
  }

  @Override
  public Root root() {
    return root;
  }

  @Override
  public WriteGuard guard(Namespace namespace) {
    return WriteGuard.FREE;
  }
}
