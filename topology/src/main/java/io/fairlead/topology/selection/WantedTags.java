// SPDX-License-Identifier: Apache-2.0
package io.fairlead.topology.selection;

import io.fairlead.topology.ServerDescription;
import java.util.Map;
import java.util.function.Predicate;

/** One tag set, laid out so that asking a thousand servers for it takes no memory. */
final class WantedTags implements Predicate<ServerDescription> {
  private final String[] names;
  private final String[] values;

  private WantedTags(String[] names, String[] values) {
    this.names = names;
    this.values = values;
  }

  static WantedTags of(Map<String, String> set) {
    String[] names = new String[set.size()];
    String[] values = new String[set.size()];
    int next = 0;
    for (Map.Entry<String, String> tag : set.entrySet()) {
      names[next] = tag.getKey();
      values[next] = tag.getValue();
      next++;
    }
    return new WantedTags(names, values);
  }

  @Override
  public boolean test(ServerDescription server) {
    Map<String, String> tags = server.tags();
    for (int i = 0; i < names.length; i++) {
      if (!values[i].equals(tags.get(names[i]))) {
        return false;
      }
    }
    return true;
  }
}
