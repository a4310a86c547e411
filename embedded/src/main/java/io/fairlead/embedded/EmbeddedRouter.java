// SPDX-License-Identifier: Apache-2.0
package io.fairlead.embedded;

import io.fairlead.router.Router;
import io.fairlead.router.RouterSettings;
import io.fairlead.wire.failpoint.FailPoints;

/** One router of a cluster, and what may be done to it. Any thread may call. */
public final class EmbeddedRouter extends EmbeddedProcess<Router> {
  private final RouterSettings settings;

  EmbeddedRouter(String name, String address, RouterSettings settings) {
    super(name, address, new Whims());
    this.settings = settings.withServices(whims::before);
  }

  @Override
  Router launch() {
    return Router.start(settings);
  }

  @Override
  void end(Router router) {
    router.close();
  }

  @Override
  void afterwards() {
    // a router keeps nothing
  }

  @Override
  FailPoints failPoints(Router router) {
    return router.failPoints();
  }

  /** Connects to this router alone. */
  public String connectionString() {
    return "mongodb://" + address() + "/";
  }

  /** The router behind it. */
  public Router router() {
    return running();
  }
}
