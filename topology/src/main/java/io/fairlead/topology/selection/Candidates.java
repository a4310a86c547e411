// SPDX-License-Identifier: Apache-2.0
package io.fairlead.topology.selection;

import io.fairlead.topology.ServerDescription;
import io.fairlead.topology.selection.SelectionTrace.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The servers that are still in the running. Begins as the topology's own list, which is copied
 * only when the first server falls out, so that a choice among a thousand equal mongoses takes no
 * memory for them.
 */
final class Candidates {
  private final List<ServerDescription> all;
  private final @Nullable Recorder recorder;
  private ServerDescription @Nullable [] kept;
  private int size;

  Candidates(List<ServerDescription> all, @Nullable Recorder recorder) {
    this.all = all;
    this.recorder = recorder;
    this.size = all.size();
    if (recorder != null) {
      recorder.anew(all);
    }
  }

  int size() {
    return size;
  }

  boolean isEmpty() {
    return size == 0;
  }

  ServerDescription get(int index) {
    return kept == null ? all.get(index) : kept[index];
  }

  List<ServerDescription> toList() {
    List<ServerDescription> list = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      list.add(get(i));
    }
    return List.copyOf(list);
  }

  boolean any(Predicate<ServerDescription> test) {
    for (int i = 0; i < size; i++) {
      if (test.test(get(i))) {
        return true;
      }
    }
    return false;
  }

  /**
   * Takes out who does not pass.
   *
   * @param why is asked only when somebody records
   */
  void keep(Step step, Predicate<ServerDescription> test, Function<ServerDescription, String> why) {
    ServerDescription[] source =
        kept; // null while nobody has fallen out, and throughout the pass in which somebody does
    int before = size;
    int stay = 0;
    for (int i = 0; i < before; i++) {
      ServerDescription server = source == null ? all.get(i) : source[i];
      if (test.test(server)) {
        if (kept != null) {
          kept[stay] = server;
        }
        stay++;
        continue;
      }
      if (kept == null) {
        kept = firstOfAll(i);
      }
      if (recorder != null) {
        recorder.out(server, step, why.apply(server));
      }
    }
    size = stay;
  }

  private ServerDescription[] firstOfAll(int count) {
    ServerDescription[] copy = new ServerDescription[all.size()];
    for (int i = 0; i < count; i++) {
      copy[i] = all.get(i);
    }
    return copy;
  }
}
