// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.accumulator;

import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.value.BsonOrder;
import io.fairlead.engine.value.BsonTypes;
import io.fairlead.engine.value.Slice;
import io.fairlead.engine.value.ValueSet;
import io.fairlead.engine.value.Values;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** Accumulators that keep values as they come. */
public final class Collect {
  private Collect() {}

  private static BsonValue orNull(@Nullable BsonValue value) {
    return value == null ? BsonNull.VALUE : value;
  }

  /** {@code $push}: every value; missing ones are left out. */
  public static final class Push extends Holding {
    private final BsonArray values = new BsonArray();

    @Override
    public void add(@Nullable BsonValue value) {
      if (value != null) {
        values.add(value);
        keeps(value);
      }
    }

    @Override
    public BsonValue result() {
      return values;
    }
  }

  /** {@code $addToSet}: each value once. */
  public static final class AddToSet extends Holding {
    private final ValueSet values;

    public AddToSet(BsonOrder order) {
      values = new ValueSet(order);
    }

    @Override
    public void add(@Nullable BsonValue value) {
      if (value != null && values.add(value)) {
        keeps(value);
      }
    }

    @Override
    public BsonValue result() {
      return new BsonArray(values.values());
    }
  }

  /** {@code $first}: the first value, null when it was missing. */
  public static final class First extends Accumulator {
    private BsonValue value = BsonNull.VALUE;

    @Override
    public void add(@Nullable BsonValue next) {
      if (!settled) {
        settled = true;
        value = orNull(next);
      }
    }

    @Override
    public void add(Slice next) {
      if (!settled) {
        add(next.value());
      }
    }

    @Override
    public BsonValue result() {
      return value;
    }
  }

  /** {@code $last}. */
  public static final class Last extends Accumulator {
    private final Slice last = new Slice();
    private @Nullable BsonValue built;

    @Override
    public void add(@Nullable BsonValue next) {
      built = orNull(next);
    }

    @Override
    public void add(Slice next) {
      built = null;
      last.set(next);
    }

    @Override
    public BsonValue result() {
      return built != null ? built : orNull(last.value());
    }
  }

  /** {@code $count}. */
  public static final class Count extends Accumulator {
    private long count;

    @Override
    public void add(@Nullable BsonValue value) {
      count++;
    }

    @Override
    public void add(Slice value) {
      count++;
    }

    @Override
    public BsonValue result() {
      return (int) count == count ? new BsonInt32((int) count) : new BsonInt64(count);
    }
  }

  /** {@code $mergeObjects}: later fields replace earlier ones in their place. */
  public static final class MergeObjects extends Accumulator {
    private final BsonDocument merged = new BsonDocument();

    @Override
    public void add(@Nullable BsonValue value) {
      if (Values.isNullish(value)) {
        return;
      }
      if (!(value instanceof BsonDocument document)) {
        throw new EngineException(
            40400,
            "$mergeObjects requires object inputs, but input "
                + Values.show(value)
                + " is of type "
                + BsonTypes.nameOf(value));
      }
      Slices.eachField(document, merged::put);
    }

    @Override
    public BsonValue result() {
      return merged;
    }
  }

  /** {@code $firstN} and {@code $lastN}: missing values count as null. */
  public static final class Ends extends Holding {
    private final long most;
    private final boolean first;
    private final java.util.ArrayDeque<BsonValue> values = new java.util.ArrayDeque<>();

    public Ends(long most, boolean first) {
      this.most = most;
      this.first = first;
    }

    @Override
    public void add(@Nullable BsonValue value) {
      if (first && values.size() == most) {
        return;
      }
      BsonValue last = orNull(value);
      values.addLast(last);
      keeps(last);
      if (values.size() > most) {
        letsGo(values.removeFirst());
      }
    }

    @Override
    public BsonValue result() {
      return new BsonArray(new java.util.ArrayList<>(values));
    }
  }
}
