// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.state;

import static io.fairlead.engine.error.ErrorCodes.OPTION_NOT_SUPPORTED_ON_VIEW;
import static io.fairlead.engine.error.ErrorCodes.VIEW_DEPTH_LIMIT_EXCEEDED;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.aggregation.ForeignCollections;
import io.fairlead.engine.aggregation.Pipeline;
import io.fairlead.engine.catalog.NamespaceRules;
import io.fairlead.engine.collection.CollectionRules;
import io.fairlead.engine.collection.CollectionState;
import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.error.EngineException;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * Checks a view's definition before it is stored: its stages, and that views do not lead back to
 * themselves, neither through what they are on nor through what their stages read.
 */
final class ViewGraph {
  /** How many views may stand on each other. */
  static final int DEPTH_MAX = 20;

  private static final int GRAPH_CONTAINS_CYCLE = 5;
  private static final int VIEW_PIPELINE_MAX_SIZE_EXCEEDED = 214;
  private static final int PIPELINE_BYTES_MAX = 16 * 1024 * 1024;

  /** Stages that no view may have: they write, or are about the server rather than documents. */
  private static final Set<String> REFUSED = Set.of("$out", "$merge", "$changeStream");

  private final Function<Namespace, @Nullable CollectionState> lookup;
  private final CollectionState view;
  private final Map<String, Integer> heights = new HashMap<>();
  private final LinkedHashSet<String> path = new LinkedHashSet<>();

  private ViewGraph(Function<Namespace, @Nullable CollectionState> lookup, CollectionState view) {
    this.lookup = lookup;
    this.view = view;
  }

  /**
   * Checks {@code view} beside the others.
   *
   * @param lookup the other views and collections, null for what does not exist
   * @throws EngineException 5 for a cycle, 165 when too many views stand on each other, 167 for a
   *     stage that a view cannot have or a collation that is not that of a view below, 73 for a
   *     name, 214 when the stages together are too large, and what the stages' own parsers throw
   */
  static void check(
      Function<Namespace, @Nullable CollectionState> lookup,
      CollectionState view,
      OperationContext operation) {
    CollectionRules.View shown = Objects.requireNonNull(view.rules().view());
    NamespaceRules.check(Namespace.of(view.namespace().database(), shown.on()));
    shown.pipeline().forEach(stage -> checkStage(stage, view.namespace()));
    Pipeline.compile(
        shown.pipeline(), new Pipeline.Target(view.namespace().database(), shown.on()), operation);
    new ViewGraph(lookup, view).checkAll(shown);
  }

  private void checkAll(CollectionRules.View shown) {
    String start = view.namespace().collection();
    int height = height(start);
    if (height > DEPTH_MAX) {
      throw depthExceeded(view.namespace());
    }
    int bytes = 0;
    CollectionState at = view;
    while (at != null && at.rules().view() != null) {
      CollectionRules.View below = Objects.requireNonNull(at.rules().view());
      bytes += below.pipeline().stream().mapToInt(stage -> stage.toString().length()).sum();
      at = find(below.on());
    }
    if (bytes > PIPELINE_BYTES_MAX) {
      throw new EngineException(
          VIEW_PIPELINE_MAX_SIZE_EXCEEDED,
          "Operation would result in a resolved view pipeline that exceeds the maximum size of "
              + PIPELINE_BYTES_MAX
              + " bytes");
    }
    for (String read : references(shown)) {
      CollectionState other = find(read);
      if (other != null
          && other.isView()
          && !Objects.equals(other.rules().collation(), view.rules().collation())) {
        throw new EngineException(
            OPTION_NOT_SUPPORTED_ON_VIEW,
            "View "
                + view.namespace()
                + " has a collation that does not match the collation of view "
                + other.namespace());
      }
    }
  }

  private @Nullable CollectionState find(String name) {
    return name.equals(view.namespace().collection())
        ? view
        : lookup.apply(Namespace.of(view.namespace().database(), name));
  }

  /** How many views stand on each other from that name down; 0 for a collection. */
  private int height(String name) {
    Integer known = heights.get(name);
    if (known != null) {
      return known;
    }
    CollectionState state = find(name);
    CollectionRules.View shown = state == null ? null : state.rules().view();
    if (shown == null) {
      return 0;
    }
    if (!path.add(name)) {
      String cycle =
          path.stream()
              .map(each -> view.namespace().database() + "." + each)
              .collect(Collectors.joining(" => "));
      throw new EngineException(
          GRAPH_CONTAINS_CYCLE,
          "View cycle detected: " + cycle + " => " + view.namespace().database() + "." + name);
    }
    int below = 0;
    for (String read : references(shown)) {
      below = Math.max(below, height(read));
    }
    path.remove(name);
    heights.put(name, below + 1);
    return below + 1;
  }

  static EngineException depthExceeded(Namespace view) {
    return new EngineException(
        VIEW_DEPTH_LIMIT_EXCEEDED,
        "View depth limit exceeded; maximum depth is " + DEPTH_MAX + ": " + view);
  }

  /** What a view reads in its database: what it is on, and what its stages name. */
  static Set<String> references(CollectionRules.View shown) {
    Set<String> names = new LinkedHashSet<>();
    names.add(shown.on());
    shown.pipeline().forEach(stage -> names.addAll(ForeignCollections.readBy(stage)));
    return names;
  }

  private static void checkStage(BsonDocument stage, Namespace view) {
    for (String name : stage.keySet()) {
      if (REFUSED.contains(name)) {
        throw new EngineException(
            OPTION_NOT_SUPPORTED_ON_VIEW,
            "The aggregation stage "
                + name
                + " of the pipeline cannot be used in the view definition of "
                + view);
      }
    }
  }
}
