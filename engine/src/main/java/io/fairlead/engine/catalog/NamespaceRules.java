// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.catalog;

import static io.fairlead.engine.error.ErrorCodes.INVALID_NAMESPACE;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.timeseries.Buckets;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/** Which names collections may have. */
public final class NamespaceRules {
  private static final int BYTES_MAX = 255;
  private static final int DATABASE_BYTES_MAX = 63;

  /** Collections named {@code system.…} that may be created. */
  private static final Set<String> SYSTEM =
      Set.of(
          "system.replset",
          "system.users",
          "system.roles",
          "system.version",
          "system.js",
          "system.views",
          "system.profile",
          "system.preimages",
          "system.keys",
          "system.sessions");

  private NamespaceRules() {}

  /**
   * Checks a name under which something shall be read or written.
   *
   * @throws EngineException 73
   */
  public static void check(Namespace namespace) {
    String database = namespace.database();
    String collection = namespace.collection();
    boolean valid =
        !database.isEmpty()
            && database.getBytes(StandardCharsets.UTF_8).length <= DATABASE_BYTES_MAX
            && database.chars().noneMatch(c -> "/\\. \"$\0".indexOf(c) >= 0)
            && !collection.isEmpty()
            && collection.charAt(0) != '.'
            && collection.indexOf('\0') < 0;
    if (!valid) {
      throw new EngineException(
          INVALID_NAMESPACE, "Invalid namespace specified '" + namespace + "'");
    }
  }

  /**
   * Checks a name under which a collection shall be created.
   *
   * @throws EngineException 73
   */
  public static void checkNew(Namespace namespace) {
    check(namespace);
    String collection = namespace.collection();
    if (collection.indexOf('$') >= 0) {
      throw new EngineException(INVALID_NAMESPACE, "Invalid collection name: " + collection);
    }
    if (collection.startsWith("system.")
        && !SYSTEM.contains(collection)
        && !(collection.startsWith(Buckets.PREFIX)
            && collection.length() > Buckets.PREFIX.length())) {
      throw new EngineException(INVALID_NAMESPACE, "Invalid system namespace: " + namespace);
    }
    if (namespace.toString().getBytes(StandardCharsets.UTF_8).length > BYTES_MAX) {
      throw new EngineException(
          INVALID_NAMESPACE,
          "Fully qualified namespace is too long. Namespace: " + namespace + " Max: " + BYTES_MAX);
    }
  }
}
