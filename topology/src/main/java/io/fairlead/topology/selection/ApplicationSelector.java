// SPDX-License-Identifier: Apache-2.0
package io.fairlead.topology.selection;

import io.fairlead.topology.ServerDescription;
import java.util.List;

/** The application's own say in the choice of a server. */
@FunctionalInterface
public interface ApplicationSelector {
  /**
   * Chooses among the suitable.
   *
   * @param suitable data-bearing servers that the operation may go to, never empty, not to be
   *     changed
   * @return those of them that the application wants, in any order; servers that are not among
   *     {@code suitable} are ignored
   */
  List<ServerDescription> select(List<ServerDescription> suitable);
}
