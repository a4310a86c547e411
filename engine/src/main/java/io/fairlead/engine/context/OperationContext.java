// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.context;

import io.fairlead.engine.value.BsonOrder;
import java.time.Instant;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonTimestamp;
import org.jspecify.annotations.Nullable;

/**
 * What every evaluation of one operation shares. Immutable; {@code with…} methods give changed
 * copies.
 *
 * @param now {@code $$NOW}, one value for the whole operation
 * @param clusterTime {@code $$CLUSTER_TIME}; null where there is none (a standalone)
 * @param let the command's {@code let}: constant values, already evaluated
 * @param order how values are compared; carries the collation
 * @param interrupt asked now and then by long evaluations; throws when the operation must stop
 * @param random for {@code $sample} and {@code $rand}
 */
public record OperationContext(
    BsonDateTime now,
    @Nullable BsonTimestamp clusterTime,
    BsonDocument let,
    BsonOrder order,
    Interrupt interrupt,
    RandomGenerator random) {
  private static final BsonDocument NO_VARIABLES = new BsonDocument();

  /** Asked now and then by long evaluations. */
  @FunctionalInterface
  public interface Interrupt {
    Interrupt NEVER = () -> {};

    /**
     * Returns when the operation may go on.
     *
     * @throws io.fairlead.engine.error.EngineException when the operation has to stop (50, 11601 …)
     */
    void check();
  }

  /** A context with nothing special: no variables, simple comparison, never interrupted. */
  public static OperationContext at(Instant now) {
    return at(now, new SplittableRandom(now.toEpochMilli()));
  }

  /** A context with nothing special but its random numbers. */
  public static OperationContext at(Instant now, RandomGenerator random) {
    return new OperationContext(
        new BsonDateTime(now.toEpochMilli()),
        null,
        NO_VARIABLES,
        BsonOrder.SIMPLE,
        Interrupt.NEVER,
        random);
  }

  public OperationContext withLet(BsonDocument variables) {
    return new OperationContext(now, clusterTime, variables, order, interrupt, random);
  }

  public OperationContext withClusterTime(@Nullable BsonTimestamp time) {
    return new OperationContext(now, time, let, order, interrupt, random);
  }

  public OperationContext withOrder(BsonOrder comparison) {
    return new OperationContext(now, clusterTime, let, comparison, interrupt, random);
  }

  public OperationContext withInterrupt(Interrupt check) {
    return new OperationContext(now, clusterTime, let, order, check, random);
  }

  public OperationContext withRandom(RandomGenerator source) {
    return new OperationContext(now, clusterTime, let, order, interrupt, source);
  }
}
