// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.timeseries;

import static io.fairlead.engine.error.ErrorCodes.BAD_VALUE;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.value.BsonOrder;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonObjectId;
import org.bson.BsonValue;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;

/**
 * Buckets in MongoDB's version 1 form: {@code {_id, control: {version, min, max}, meta, data}},
 * where {@code data} has, for each field, the measurements' values under their numbers {@code "0",
 * "1", …}.
 */
public final class Buckets {
  /** What the name of a bucket collection begins with. */
  public static final String PREFIX = "system.buckets.";

  private Buckets() {}

  /** The collection that holds the buckets of a time-series collection. */
  public static Namespace of(Namespace timeSeries) {
    return Namespace.of(timeSeries.database(), PREFIX + timeSeries.collection());
  }

  /**
   * Checks a measurement.
   *
   * @return its time
   * @throws EngineException 2 when it has none
   */
  public static BsonDateTime time(BsonDocument measurement, TimeSeriesOptions options) {
    if (measurement.get(options.timeField()) instanceof BsonDateTime time) {
      return time;
    }
    throw new EngineException(
        BAD_VALUE,
        "'"
            + options.timeField()
            + "' must be present and contain a valid BSON UTC datetime value");
  }

  /** A new id for a bucket that begins at a time: the time and what an object id has besides. */
  public static BsonObjectId id(long leastMillis, ObjectId random) {
    ByteBuffer bytes = ByteBuffer.wrap(random.toByteArray());
    bytes.putInt(0, (int) Math.floorDiv(leastMillis, 1_000L));
    return new BsonObjectId(new ObjectId(bytes.array()));
  }

  /**
   * A bucket of measurements that have one value of the meta field.
   *
   * @param id null for a new one
   * @param measurements not empty
   */
  public static BsonDocument pack(
      @Nullable BsonValue id, List<BsonDocument> measurements, TimeSeriesOptions options) {
    BsonDocument min = new BsonDocument();
    BsonDocument max = new BsonDocument();
    BsonDocument data = new BsonDocument();
    for (int i = 0; i < measurements.size(); i++) {
      String number = Integer.toString(i);
      for (Map.Entry<String, BsonValue> field : measurements.get(i).entrySet()) {
        String name = field.getKey();
        if (name.equals(options.metaField())) {
          continue;
        }
        BsonDocument column = data.getDocument(name, new BsonDocument());
        column.append(number, field.getValue());
        data.put(name, column);
        extreme(min, name, field.getValue(), -1);
        extreme(max, name, field.getValue(), 1);
      }
    }
    long rounding = options.roundingSeconds() * 1_000L;
    long least = min.getDateTime(options.timeField()).getValue();
    least = Math.floorDiv(least, rounding) * rounding;
    min.put(options.timeField(), new BsonDateTime(least));
    BsonDocument bucket =
        new BsonDocument("_id", id != null ? id : id(least, new ObjectId()))
            .append(
                "control",
                new BsonDocument("version", new BsonInt32(1))
                    .append("min", min)
                    .append("max", max));
    BsonValue meta =
        options.metaField() == null ? null : measurements.getFirst().get(options.metaField());
    if (meta != null) {
      bucket.append("meta", meta);
    }
    return bucket.append("data", data);
  }

  private static void extreme(BsonDocument of, String name, BsonValue value, int sign) {
    BsonValue before = of.get(name);
    if (before == null || BsonOrder.SIMPLE.compare(value, before) * sign > 0) {
      of.put(name, value);
    }
  }

  /**
   * The measurements of a bucket: the time first, the meta field next, then the others in their
   * order.
   */
  public static List<BsonDocument> unpack(
      BsonDocument bucket, String timeField, @Nullable String metaField) {
    BsonDocument data = bucket.getDocument("data", new BsonDocument());
    BsonDocument times = data.getDocument(timeField, new BsonDocument());
    BsonValue meta = metaField == null ? null : bucket.get("meta");
    List<BsonDocument> measurements = new ArrayList<>(times.size());
    for (Map.Entry<String, BsonValue> time : times.entrySet()) {
      BsonDocument measurement = new BsonDocument(timeField, time.getValue());
      if (meta != null) {
        measurement.append(Objects.requireNonNull(metaField), meta);
      }
      for (Map.Entry<String, BsonValue> column : data.entrySet()) {
        if (!column.getKey().equals(timeField)
            && column.getValue() instanceof BsonDocument values) {
          BsonValue value = values.get(time.getKey());
          if (value != null) {
            measurement.append(column.getKey(), value);
          }
        }
      }
      measurements.add(measurement);
    }
    return measurements;
  }
}
