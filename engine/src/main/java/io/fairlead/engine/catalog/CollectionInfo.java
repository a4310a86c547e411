// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.catalog;

import io.fairlead.engine.Namespace;
import java.util.UUID;

/** What listCollections tells of one collection. */
public record CollectionInfo(Namespace namespace, UUID uuid, CollectionOptions options) {
  /** Whether it shows what a pipeline makes of another collection, and holds nothing itself. */
  public boolean isView() {
    return options.declared().containsKey("viewOn");
  }

  /** Whether it is a view of the buckets of a time-series collection. */
  public boolean isTimeSeries() {
    return isView() && options.declared().containsKey("timeseries");
  }
}
