// SPDX-License-Identifier: Apache-2.0
package io.fairlead.bench.report;

import java.util.Locale;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;

/**
 * One line of the table.
 *
 * @param peer what the peer needs for the same, in the same unit; null where nobody else can do it
 * @param target in words, empty where none is stated
 * @param ratio ours divided by the peer's; a median over rounds where there were several, so not
 *     always the quotient of the two figures; null where there is no peer
 * @param holds whether the target was met; true where none is stated
 */
public record Row(
    String measure,
    double ours,
    @Nullable Double peer,
    @Nullable Double ratio,
    String unit,
    String target,
    boolean holds) {

  /** A measure that nothing is asked of. */
  public static Row of(String measure, double ours, @Nullable Double peer, String unit) {
    Double ratio = peer == null || peer == 0 ? null : Double.valueOf(ours / peer);
    return new Row(measure, ours, peer, ratio, unit, "", true);
  }

  /** Medians of several rounds, and the median of the rounds' ratios. */
  public static Row paired(String measure, double ours, double peer, double ratio, String unit) {
    return new Row(measure, ours, peer, ratio, unit, "", true);
  }

  public Row asking(String wanted, boolean met) {
    return new Row(measure, ours, peer, ratio, unit, wanted, met);
  }

  String[] cells(boolean judged) {
    return new String[] {
      measure,
      number(ours) + " " + unit,
      peer == null ? "-" : number(peer) + " " + unit,
      ratio == null ? "-" : number(ratio),
      target.isEmpty() ? "-" : target,
      target.isEmpty() || !judged ? "-" : holds ? "yes" : "NO"
    };
  }

  private static String number(double value) {
    int decimals = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
    return String.format(Locale.ROOT, "%." + decimals + "f", value);
  }

  BsonDocument toDocument() {
    return new BsonDocument("measure", new BsonString(measure))
        .append("unit", new BsonString(unit))
        .append("ours", new BsonDouble(ours))
        .append("peer", peer == null ? BsonNull.VALUE : new BsonDouble(peer))
        .append("ratio", ratio == null ? BsonNull.VALUE : new BsonDouble(ratio))
        .append("target", target.isEmpty() ? BsonNull.VALUE : new BsonString(target))
        .append("holds", BsonBoolean.valueOf(holds));
  }
}
