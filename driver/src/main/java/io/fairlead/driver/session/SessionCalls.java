// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.session;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Hands each call of the public session interface to the method of {@link DriverSession} with the
 * same name and arguments.
 */
record SessionCalls(DriverSession session) implements InvocationHandler {
  private static final Map<Method, Method> TARGETS = new ConcurrentHashMap<>();

  @Override
  @SuppressWarnings("ReferenceEquality") // two sessions are equal only to themselves
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
      throws Throwable {
    if (method.getDeclaringClass() == Object.class) {
      return switch (method.getName()) {
        case "equals" -> arguments != null && proxy == arguments[0];
        case "hashCode" -> System.identityHashCode(proxy);
        default -> session.toString();
      };
    }
    try {
      return TARGETS.computeIfAbsent(method, SessionCalls::target).invoke(session, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }

  private static Method target(Method method) {
    try {
      return DriverSession.class.getMethod(method.getName(), method.getParameterTypes());
    } catch (NoSuchMethodException e) {
      // a method that a newer interface has grown
      throw new UnsupportedOperationException(
          String.format(
              Locale.ROOT,
              "Fairlead's sessions have no %s%s",
              method.getName(),
              Arrays.toString(method.getParameterTypes())),
          e);
    }
  }
}
