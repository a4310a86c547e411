// SPDX-License-Identifier: Apache-2.0
package io.fairlead.embedded;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.catalog.CollectionOptions;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.engine.write.WriteTransaction;
import io.fairlead.router.status.ConfigSettings;
import io.fairlead.server.replication.WriteOrigin;
import java.time.Duration;
import org.bson.BsonDocument;

/** What the config servers have before the first router asks them. */
final class ConfigDatabase {
  private static final Namespace SETTINGS = Namespace.of("config", "settings");
  private static final int ATTEMPTS = 5;

  private ConfigDatabase() {}

  /** Has {@code config.settings} refuse what it cannot hold. */
  static void prepare(EmbeddedReplicaSet configServers, Duration usableWithin) {
    for (int attempt = 1; ; attempt++) {
      EmbeddedMember primary = configServers.awaitPrimary(usableWithin);
      try {
        primary.coordinator().write(WriteOrigin.PLAIN, ConfigDatabase::prepare);
        return;
      } catch (EngineException refused) {
        if (refused.code() != ErrorCodes.NOT_WRITABLE_PRIMARY || attempt == ATTEMPTS) {
          throw refused;
        }
      }
    }
  }

  private static boolean prepare(WriteTransaction writes) {
    BsonDocument validator = new BsonDocument("validator", ConfigSettings.validator());
    if (writes.snapshot().collection(SETTINGS).isEmpty()) {
      writes.createCollection(SETTINGS, CollectionOptions.of(validator));
    } else {
      writes.modifyCollection(SETTINGS, validator);
    }
    return true;
  }
}
