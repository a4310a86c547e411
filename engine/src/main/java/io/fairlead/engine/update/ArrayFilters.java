// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.update;

import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.engine.query.Matcher;
import io.fairlead.engine.value.DocumentWriter;
import io.fairlead.engine.value.FieldPath;
import io.fairlead.engine.value.Values;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** {@code arrayFilters} by their identifiers. Immutable. */
final class ArrayFilters {
  private static final Pattern IDENTIFIER = Pattern.compile("[a-z][a-zA-Z0-9]*");

  private static final ArrayFilters NONE = new ArrayFilters();

  private final Map<String, Matcher> byIdentifier = new HashMap<>();

  static ArrayFilters parse(List<BsonDocument> filters, OperationContext context) {
    if (filters.isEmpty()) {
      return NONE;
    }
    ArrayFilters parsed = new ArrayFilters();
    for (BsonDocument filter : filters) {
      Matcher matcher = Matcher.compileFields(filter, context);
      String identifier = null;
      for (FieldPath path : matcher.paths()) {
        String first = path.parts().getFirst();
        if (identifier != null && !identifier.equals(first)) {
          throw new EngineException(
              ErrorCodes.FAILED_TO_PARSE,
              "Error parsing array filter :: caused by :: Expected a single top-level field name,"
                  + " found '"
                  + identifier
                  + "' and '"
                  + first
                  + "'");
        }
        identifier = first;
      }
      if (identifier == null || identifier.isEmpty()) {
        throw new EngineException(
            ErrorCodes.FAILED_TO_PARSE,
            "Cannot use an expression without a top-level field name in arrayFilters");
      }
      if (!IDENTIFIER.matcher(identifier).matches()) {
        throw new EngineException(
            ErrorCodes.BAD_VALUE,
            "Error parsing array filter :: caused by :: The top-level field name must be an"
                + " alphanumeric string beginning with a lowercase letter, found '"
                + identifier
                + "'");
      }
      if (parsed.byIdentifier.put(identifier, matcher) != null) {
        throw new EngineException(
            ErrorCodes.FAILED_TO_PARSE,
            "Found multiple array filters with the same top-level field name " + identifier);
      }
    }
    return parsed;
  }

  boolean isEmpty() {
    return byIdentifier.isEmpty();
  }

  /** Checks that paths use only known identifiers, and all of them. */
  void check(List<UpdatePath> paths, BsonDocument update) {
    Set<String> used = new HashSet<>();
    for (UpdatePath path : paths) {
      for (String part : path.parts()) {
        if (UpdatePath.isArrayUpdate(part) && !UpdatePath.identifier(part).isEmpty()) {
          String identifier = UpdatePath.identifier(part);
          used.add(identifier);
          if (!byIdentifier.containsKey(identifier)) {
            throw new EngineException(
                ErrorCodes.BAD_VALUE,
                "No array filter found for identifier '"
                    + identifier
                    + "' in path '"
                    + path.dotted()
                    + "'");
          }
        }
      }
    }
    for (String identifier : byIdentifier.keySet()) {
      if (!used.contains(identifier)) {
        throw new EngineException(
            ErrorCodes.FAILED_TO_PARSE,
            "The array filter for identifier '"
                + identifier
                + "' was not used in the update "
                + Values.showDocument(update));
      }
    }
  }

  boolean matches(String identifier, BsonValue element) {
    Matcher matcher = java.util.Objects.requireNonNull(byIdentifier.get(identifier));
    return matcher.matches(DocumentWriter.write(new BsonDocument(identifier, element)));
  }
}
