// SPDX-License-Identifier: Apache-2.0
package io.fairlead.wire.failpoint;

import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * The fail points of one server or router: {@code failCommand}, and on a server {@code
 * onPrimaryTransactionalWrite}; others are refused by name.
 *
 * <p>Any thread may call. While nothing is set, {@link #onCommand} costs one volatile read.
 */
public final class FailPoints {
  private static final String FAIL_COMMAND = "failCommand";
  private static final String TRANSACTIONAL_WRITE = "onPrimaryTransactionalWrite";
  private static final Set<String> CONFIGURE_FIELDS = Set.of("configureFailPoint", "mode", "data");

  private final RandomGenerator random;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition entered = lock.newCondition();
  private volatile @Nullable FailCommand armed;
  private final Trigger trigger = new Trigger();
  private final boolean server;
  private volatile @Nullable TransactionalWriteEffect transactionalWrite;
  private final Trigger transactionalWriteTrigger = new Trigger();
  private long timesEntered;

  /**
   * @param random decides where the mode is {@code activationProbability}
   */
  public FailPoints(RandomGenerator random) {
    this(random, false);
  }

  private FailPoints(RandomGenerator random, boolean server) {
    this.random = random;
    this.server = server;
  }

  /** The fail points of a server, which has more than a router. */
  public static FailPoints ofServer(RandomGenerator random) {
    return new FailPoints(random, true);
  }

  /**
   * Performs {@code configureFailPoint} and answers its reply: {@code count}, how often the fail
   * point had acted so far.
   *
   * @param command the command as it came, generic arguments ({@code $db}, {@code lsid}, …)
   *     included
   * @throws FailPointException where MongoDB refuses it, and for fields of {@code data} that are
   *     not known
   */
  public BsonDocument configure(BsonDocument command) {
    String name = requireKnown(command.get("configureFailPoint"));
    for (String field : command.keySet()) {
      if (!CONFIGURE_FIELDS.contains(field) && !isGeneric(field)) {
        throw new FailPointException(
            40415,
            "IDLUnknownField",
            "BSON field 'configureFailPoint." + field + "' is an unknown field.");
      }
    }
    FailPointMode wanted = FailPointMode.parse(command.get("mode"));
    BsonValue data = command.get("data");
    if (data != null && !data.isDocument()) {
      throw FailPointException.typeMismatch("the 'data' option must be a JSON object");
    }
    BsonDocument options = data == null ? new BsonDocument() : data.asDocument();
    if (name.equals(TRANSACTIONAL_WRITE)) {
      return configureTransactionalWrite(wanted, options);
    }
    FailCommand parsed = wanted instanceof FailPointMode.Off ? null : FailCommand.parse(options);
    lock.lock();
    try {
      long before = timesEntered;
      trigger.set(wanted);
      armed = parsed;
      return new BsonDocument("count", new BsonInt64(before));
    } finally {
      lock.unlock();
    }
  }

  /**
   * Performs {@code waitForFailPoint}: waits until the fail point has acted {@code timesEntered}
   * times in all, or fails with MaxTimeMSExpired (50) when {@code maxTimeMS} is over first.
   */
  public void await(BsonDocument command) throws InterruptedException {
    if (!requireKnown(command.get("waitForFailPoint")).equals(FAIL_COMMAND)) {
      throw FailPointException.badValue("only failCommand can be waited for");
    }
    long wanted = positive(command, "timesEntered");
    long nanos = TimeUnit.MILLISECONDS.toNanos(positive(command, "maxTimeMS"));
    lock.lock();
    try {
      while (timesEntered < wanted) {
        if (nanos <= 0) {
          throw new FailPointException(50, "MaxTimeMSExpired", "operation exceeded time limit");
        }
        nanos = entered.awaitNanos(nanos);
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Decides what becomes of a command that has just arrived, and counts it where it matches. Ask
   * once per command.
   */
  public Effect onCommand(CommandFacts facts) {
    if (armed == null) {
      return Effect.NONE;
    }
    lock.lock();
    try {
      FailCommand failCommand = armed;
      if (failCommand == null || !failCommand.wants(facts) || !trigger.acts(random)) {
        return Effect.NONE;
      }
      if (trigger.isOff()) {
        armed = null;
      }
      timesEntered++;
      entered.signalAll();
      return failCommand.effect();
    } finally {
      lock.unlock();
    }
  }

  private BsonDocument configureTransactionalWrite(FailPointMode wanted, BsonDocument options) {
    TransactionalWriteEffect parsed =
        wanted instanceof FailPointMode.Off ? null : TransactionalWriteEffect.parse(options);
    lock.lock();
    try {
      transactionalWriteTrigger.set(wanted);
      transactionalWrite = parsed;
      return new BsonDocument("count", new BsonInt64(0));
    } finally {
      lock.unlock();
    }
  }

  /** Decides what becomes of a retryable write that is about to be committed. */
  public TransactionalWriteEffect onTransactionalWrite() {
    if (transactionalWrite == null) {
      return TransactionalWriteEffect.NONE;
    }
    lock.lock();
    try {
      TransactionalWriteEffect effect = transactionalWrite;
      if (effect == null || !transactionalWriteTrigger.acts(random)) {
        return TransactionalWriteEffect.NONE;
      }
      if (transactionalWriteTrigger.isOff()) {
        transactionalWrite = null;
      }
      return effect;
    } finally {
      lock.unlock();
    }
  }

  /** How often {@code failCommand} has acted since the process began. */
  public long timesEntered() {
    lock.lock();
    try {
      return timesEntered;
    } finally {
      lock.unlock();
    }
  }

  /** The state as {@code getParameter} shows it: {@code {mode, data?, timesEntered}}. */
  public BsonDocument describe() {
    lock.lock();
    try {
      return new BsonDocument("mode", new BsonInt32(armed == null ? 0 : 1))
          .append("timesEntered", new BsonInt64(timesEntered));
    } finally {
      lock.unlock();
    }
  }

  private String requireKnown(@Nullable BsonValue value) {
    if (value == null || !value.isString()) {
      throw FailPointException.typeMismatch("the name of a fail point must be a string");
    }
    String name = value.asString().getValue();
    if (!name.equals(FAIL_COMMAND) && !(server && name.equals(TRANSACTIONAL_WRITE))) {
      throw new FailPointException(266, "FailPointSetFailed", "failpoint not found: " + name);
    }
    return name;
  }

  private static long positive(BsonDocument command, String field) {
    BsonValue value = command.get(field);
    if (value == null || !value.isNumber()) {
      throw FailPointException.typeMismatch("waitForFailPoint needs the number '" + field + "'");
    }
    long number = value.asNumber().longValue();
    if (number < 1 || number > Integer.MAX_VALUE) {
      throw FailPointException.badValue(
          "'" + field + "' must be 1 to " + Integer.MAX_VALUE + ", was " + number);
    }
    return number;
  }

  private static boolean isGeneric(String field) {
    return field.startsWith("$")
        || switch (field) {
          case "lsid",
              "txnNumber",
              "comment",
              "maxTimeMS",
              "apiVersion",
              "apiStrict",
              "apiDeprecationErrors" ->
              true;
          case "writeConcern", "readConcern" -> true;
          default -> false;
        };
  }
}
