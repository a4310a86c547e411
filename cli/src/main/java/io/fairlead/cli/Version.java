// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cli;

import picocli.CommandLine.IVersionProvider;

/** What {@code fairlead --version} prints, from the jar's manifest. */
final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() {
    String version = Main.class.getPackage().getImplementationVersion();
    return new String[] {
      "fairlead " + (version == null ? "(not packaged)" : version),
      "Java " + System.getProperty("java.version") + ", " + System.getProperty("java.vendor")
    };
  }
}
