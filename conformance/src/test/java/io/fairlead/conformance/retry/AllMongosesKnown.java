// SPDX-License-Identifier: Apache-2.0
package io.fairlead.conformance.retry;

import com.mongodb.connection.ServerType;
import com.mongodb.event.ClusterDescriptionChangedEvent;
import com.mongodb.event.ClusterListener;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Opens once a client knows so many mongoses: before that, a retry may honestly find no other. */
public final class AllMongosesKnown implements ClusterListener {
  private final int mongoses;
  private final CountDownLatch known = new CountDownLatch(1);

  public AllMongosesKnown(int mongoses) {
    this.mongoses = mongoses;
  }

  @Override
  public void clusterDescriptionChanged(ClusterDescriptionChangedEvent event) {
    long count =
        event.getNewDescription().getServerDescriptions().stream()
            .filter(server -> server.getType() == ServerType.SHARD_ROUTER)
            .count();
    if (count >= mongoses) {
      known.countDown();
    }
  }

  public void await() throws InterruptedException {
    if (!known.await(20, TimeUnit.SECONDS)) {
      throw new AssertionError(mongoses + " mongoses were not found within 20 s");
    }
  }
}
