// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.query;

import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.value.FieldPath;
import io.fairlead.engine.value.Plain;
import io.fairlead.engine.value.RawBytes;
import io.fairlead.engine.value.Slice;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;

/** A compiled filter. Immutable; may be used by many threads. */
public final class Matcher {
  private static final Set<String> TOP_LEVEL =
      Set.of(
          "$and",
          "$or",
          "$nor",
          "$expr",
          "$jsonSchema",
          "$text",
          "$where",
          "$comment",
          "$sampleRate",
          "$alwaysTrue",
          "$alwaysFalse");
  private static final Set<String> OPERATORS =
      Set.of(
          "$all",
          "$and",
          "$bitsAllClear",
          "$bitsAllSet",
          "$bitsAnyClear",
          "$bitsAnySet",
          "$comment",
          "$elemMatch",
          "$eq",
          "$exists",
          "$expr",
          "$geoIntersects",
          "$geoWithin",
          "$gt",
          "$gte",
          "$in",
          "$jsonSchema",
          "$lt",
          "$lte",
          "$mod",
          "$ne",
          "$near",
          "$nearSphere",
          "$nin",
          "$nor",
          "$not",
          "$or",
          "$rand",
          "$regex",
          "$sampleRate",
          "$size",
          "$text",
          "$type");

  private final BsonDocument filter;
  private final Check check;
  private final Predicate predicate;

  private Matcher(BsonDocument filter, Check check) {
    this.filter = filter;
    this.check = check;
    this.predicate = check.predicate();
  }

  /**
   * Compiles a filter.
   *
   * @throws io.fairlead.engine.error.EngineException 2 for an unknown operator or a bad operand,
   *     and MongoDB's other codes
   */
  public static Matcher compile(BsonDocument filter, OperationContext context) {
    return compile(filter, new FilterParser(context));
  }

  private static Matcher compile(BsonDocument filter, FilterParser parser) {
    BsonDocument plain = Plain.document(filter);
    Matcher matcher = new Matcher(plain, parser.parse(plain, true));
    Special.check(matcher.predicate);
    return matcher;
  }

  /**
   * Compiles a filter for documents that no index leads to, such as a validator. As {@link
   * #compile}, but {@code $near} and {@code $text} are refused, which only an index can answer.
   */
  public static Matcher compileUnindexed(BsonDocument filter, OperationContext context) {
    Matcher matcher = compile(filter, context);
    Special.refuse(matcher.predicate);
    return matcher;
  }

  /**
   * Compiles a filter that may look at fields alone: an array filter, the condition of a {@code
   * $pull}, the filter of a partial index.
   *
   * @throws io.fairlead.engine.error.EngineException 224 for {@code $expr} and {@code $jsonSchema},
   *     2 for {@code $near} and {@code $text}
   */
  public static Matcher compileFields(BsonDocument filter, OperationContext context) {
    Matcher matcher = compile(filter, new FilterParser(context, true));
    Special.refuse(matcher.predicate);
    return matcher;
  }

  /** The names of all supported query operators. */
  public static Set<String> operatorNames() {
    return OPERATORS;
  }

  public boolean matches(RawBsonDocument document) {
    return matches(RawBytes.bytes(document), RawBytes.offset(document));
  }

  /** Whether the document that starts at {@code offset} matches. */
  public boolean matches(byte[] bytes, int offset) {
    return check.document(bytes, offset, new Evaluation(bytes, offset));
  }

  /** The filter on its way over many documents. Used by one thread. */
  public Pass pass() {
    return new Pass(check);
  }

  /** One way over many documents, for which nothing is made anew at each. */
  public static final class Pass {
    private final Check check;
    private final Evaluation evaluation = new Evaluation(new byte[0], 0);

    private Pass(Check check) {
      this.check = check;
    }

    /** Whether the document that starts at {@code offset} matches. */
    public boolean matches(byte[] bytes, int offset) {
      return check.document(bytes, offset, evaluation.of(bytes, offset));
    }

    /**
     * The same, of a document of which the plan says whether it was found by the words of a {@code
     * $text}: within an {@code $or} another branch may have found it.
     */
    public boolean matches(byte[] bytes, int offset, boolean foundByWords) {
      evaluation.of(bytes, offset).foundByWords = foundByWords;
      return check.document(bytes, offset, evaluation);
    }
  }

  /**
   * Whether a value passes a filter that was written for it alone, as by {@code $pull}: its paths
   * are empty.
   */
  public boolean matchesValue(Slice value) {
    return check.value(value, new Evaluation(value.bytes(), value.start()));
  }

  /**
   * Compiles operators that are to test single values: {@code {$gte: 5}} as in {@code $pull} and
   * {@code $elemMatch}.
   *
   * @throws io.fairlead.engine.error.EngineException as {@link #compile}
   */
  public static Matcher compileForValues(BsonDocument operators, OperationContext context) {
    FilterParser parser = new FilterParser(context, true);
    java.util.List<Check> checks = new java.util.ArrayList<>();
    new OperatorParser(parser, context).operators(FieldPath.SELF, operators, checks);
    Matcher matcher = new Matcher(operators, new Check.All(java.util.List.copyOf(checks)));
    Special.refuse(matcher.predicate);
    return matcher;
  }

  /**
   * Whether a document is operators for one value, as {@code {$gte: 5}}, rather than a value or a
   * filter on fields.
   */
  public static boolean isOperators(BsonDocument document) {
    return OperatorParser.isOperators(document);
  }

  /** Whether an operator stands beside fields ({@code $and $expr …}) rather than under one. */
  public static boolean isTopLevel(String operator) {
    return TOP_LEVEL.contains(operator);
  }

  /**
   * Index, within the outermost array that the filter's conditions walked through, of the first
   * element that satisfied them: what the positional {@code $} means. -1 when no array took part,
   * or when the document does not match.
   */
  public int arrayIndex(RawBsonDocument document) {
    byte[] bytes = RawBytes.bytes(document);
    int offset = RawBytes.offset(document);
    Evaluation evaluation = new Evaluation(bytes, offset);
    return check.document(bytes, offset, evaluation) ? evaluation.arrayIndex : -1;
  }

  /** The tree, for planning. */
  public Predicate predicate() {
    return predicate;
  }

  /**
   * Paths that the filter fixes to one value ({@code $eq}, one-element {@code $in}, within
   * top-level {@code $and}).
   */
  public Map<String, BsonValue> equalities() {
    Map<String, BsonValue> equalities = new LinkedHashMap<>();
    collect(predicate, equalities);
    return equalities;
  }

  private static void collect(Predicate predicate, Map<String, BsonValue> into) {
    switch (predicate) {
      case Predicate.And and -> and.children().forEach(child -> collect(child, into));
      case Predicate.Comparison equal when equal.operator() == Predicate.Operator.EQ ->
          into.putIfAbsent(equal.path().dotted(), equal.value());
      case Predicate.In in when in.values().size() == 1 && in.patterns().isEmpty() ->
          into.putIfAbsent(in.path().dotted(), in.values().getFirst());
      default -> {}
    }
  }

  /** Every path that is looked at; the empty path when the whole document is. */
  public Set<FieldPath> paths() {
    Set<FieldPath> paths = new LinkedHashSet<>();
    check.eachPath(paths::add);
    return paths;
  }

  /**
   * Why a document does not match, told for people: the {@code details} of a failed validation.
   *
   * @param context as the filter was compiled with
   */
  public BsonDocument whyNot(RawBsonDocument document, OperationContext context) {
    return new FilterFailure(context, document).of(filter);
  }

  /** Whether a filter has a {@code $jsonSchema} with a keyword of client-side encryption. */
  public static boolean asksForEncryption(BsonDocument filter) {
    return EncryptRules.used(filter);
  }

  /** The filter as it was given. */
  public BsonDocument filter() {
    return filter;
  }
}
