// SPDX-License-Identifier: Apache-2.0
package io.fairlead.wire.channel;

/** The addresses that are served inside this JVM. */
public final class InProcessAddresses {

  private InProcessAddresses() {}
}
