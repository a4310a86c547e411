// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.session;

import com.mongodb.ClientSessionOptions;
import com.mongodb.TransactionOptions;
import com.mongodb.client.ClientSession;
import io.fairlead.cluster.session.Session;
import io.fairlead.cluster.session.SessionPool;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/**
 * The sessions an application holds. The public interface has methods that return types internal to
 * the official driver, so no class of ours can implement it; a proxy hands its calls to {@link
 * DriverSession}.
 */
public final class ClientSessions {
  private ClientSessions() {}

  /**
   * Starts a session.
   *
   * @param originator the client whose session it is: no other client takes it
   * @param transactions the client's
   * @param defaults the client's own concerns, where the options set none for transactions
   * @throws IllegalArgumentException for a snapshot session that is to be causally consistent
   */
  public static ClientSession start(
      Object originator,
      SessionPool pool,
      Transactions transactions,
      ClientSessionOptions options,
      TransactionOptions defaults) {
    boolean snapshot = Boolean.TRUE.equals(options.isSnapshot());
    if (snapshot && Boolean.TRUE.equals(options.isCausallyConsistent())) {
      throw new IllegalArgumentException(
          "A session can not be both a snapshot and causally consistent");
    }
    ClientSessionOptions merged =
        ClientSessionOptions.builder(options)
            .defaultTransactionOptions(
                TransactionOptions.merge(options.getDefaultTransactionOptions(), defaults))
            .build();
    boolean causallyConsistent = !snapshot && !Boolean.FALSE.equals(options.isCausallyConsistent());
    DriverSession session =
        new DriverSession(originator, pool.explicit(causallyConsistent), merged, transactions);
    return (ClientSession)
        Proxy.newProxyInstance(
            ClientSession.class.getClassLoader(),
            new Class<?>[] {ClientSession.class},
            new SessionCalls(session));
  }

  /**
   * The session in which an operation runs.
   *
   * @param session the application's; null: none was given
   * @param originator the client that runs the operation
   * @throws IllegalStateException if it is closed, or of another client
   */
  @SuppressWarnings("ReferenceEquality") // a session is of one client, and no other is as good
  public static @Nullable Session of(@Nullable ClientSession session, Object originator) {
    if (session == null) {
      return null;
    }
    if (session.getOriginator() != originator
        || !Proxy.isProxyClass(session.getClass())
        || !(Proxy.getInvocationHandler(session) instanceof SessionCalls calls)) {
      throw new IllegalStateException("state should be: ClientSession from same MongoClient");
    }
    return calls.session().open();
  }
}
