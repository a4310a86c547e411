// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster;

import com.mongodb.MongoClientSettings;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/**
 * Settings that the oldest supported public driver (5.6) does not have yet, read where the class
 * path has them. On an older driver nobody can have set them, so their documented default is the
 * answer.
 */
final class NewerSettings {
  /** How often an overloaded server is tried again by default. */
  static final int ADAPTIVE_RETRIES_DEFAULT = 2;

  private NewerSettings() {}

  /** {@code maxAdaptiveRetries}; 2 when unset. */
  static int maxAdaptiveRetries(MongoClientSettings settings) {
    return call(settings, "getMaxAdaptiveRetries") instanceof Integer retries
        ? retries
        : ADAPTIVE_RETRIES_DEFAULT;
  }

  /** {@code enableOverloadRetargeting}; false when unset. */
  static boolean enableOverloadRetargeting(MongoClientSettings settings) {
    return call(settings, "getEnableOverloadRetargeting") instanceof Boolean on && on;
  }

  /** Whether tracing by Micrometer was asked for. */
  static boolean hasObservability(MongoClientSettings settings) {
    return call(settings, "getObservabilitySettings") != null;
  }

  private static @Nullable Object call(MongoClientSettings settings, String getter) {
    Method method;
    try {
      method = MongoClientSettings.class.getMethod(getter);
    } catch (NoSuchMethodException olderDriver) {
      return null;
    }
    try {
      return method.invoke(settings);
    } catch (IllegalAccessException | InvocationTargetException broken) {
      throw new IllegalStateException("cannot read the setting " + getter, broken);
    }
  }
}
