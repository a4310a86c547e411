// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.expression;

import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.engine.value.BsonTypes;
import io.fairlead.engine.value.Numbers;
import io.fairlead.engine.value.Values;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** {@code $convert}. Decides at each evaluation, as the target may be computed. */
final class ConvertNode extends Node {
  private static final int NO_TYPE = Integer.MIN_VALUE;

  private final Node input;
  private final Node to;
  private final Node format;
  private final @Nullable Node onError;
  private final Node onNull;

  ConvertNode(Node input, Node to, Node format, @Nullable Node onError, Node onNull) {
    this.input = input;
    this.to = to;
    this.format = format;
    this.onError = onError;
    this.onNull = onNull;
  }

  @Override
  @Nullable BsonValue evaluate(Scope scope) {
    BsonValue target = to.evaluate(scope);
    BsonValue value = input.evaluate(scope);
    BsonValue type = target instanceof BsonDocument object ? type(object) : target;
    int code = type == null || Values.isNullish(type) ? NO_TYPE : target(type);
    if (value == null || Values.isNullish(value)) {
      return onNull.evaluate(scope);
    }
    if (code == NO_TYPE) {
      return BsonNull.VALUE;
    }
    BinaryConversion.Format how = BinaryConversion.Format.of(format.evaluate(scope));
    try {
      return switch (value) {
        case BsonBinary binary when code == BsonTypes.BINARY ->
            BinaryConversion.same(binary, subtype(target));
        case BsonBinary binary when code == BsonTypes.STRING ->
            BinaryConversion.toText(binary, how);
        case BsonString text when code == BsonTypes.BINARY ->
            BinaryConversion.toBinary(text, subtype(target), how);
        default -> Types.convert(value, code);
      };
    } catch (EngineException e) {
      if (onError == null || e.code() != ErrorCodes.CONVERSION_FAILURE) {
        throw e;
      }
      return onError.evaluate(scope);
    }
  }

  private static byte subtype(@Nullable BsonValue target) {
    return target instanceof BsonDocument object
        ? BinaryConversion.subtype(Values.field(object, "subtype"))
        : 0;
  }

  private static @Nullable BsonValue type(BsonDocument target) {
    BsonValue type = Values.field(target, "type");
    if (type == null) {
      throw new EngineException(
          ErrorCodes.FAILED_TO_PARSE,
          "Missing required 'type' field in $convert's 'to' argument: "
              + Values.showDocument(target));
    }
    for (String field : target.keySet()) {
      if (!field.equals("type") && !field.equals("subtype")) {
        throw new EngineException(
            ErrorCodes.FAILED_TO_PARSE, "Unrecognized field in $convert's 'to' argument: " + field);
      }
    }
    return type;
  }

  private static int target(BsonValue type) {
    if (type instanceof BsonString name) {
      if (name.getValue().equals("missing")) {
        // a type like others, to which nothing can be converted
        return BsonTypes.MISSING;
      }
      OptionalInt code = BsonTypes.codeOf(name.getValue());
      if (code.isEmpty()) {
        throw new EngineException(ErrorCodes.BAD_VALUE, "Unknown type name: " + name.getValue());
      }
      return code.getAsInt();
    }
    if (!type.isNumber()) {
      throw new EngineException(
          ErrorCodes.FAILED_TO_PARSE,
          "$convert's 'to' argument must be a string or number, but is " + BsonTypes.nameOf(type));
    }
    if (!Numbers.isInt(type)
        || !(Numbers.toLong(type) == 0 || BsonTypes.isCode((int) Numbers.toLong(type)))) {
      throw new EngineException(
          ErrorCodes.FAILED_TO_PARSE,
          "In $convert, numeric value for 'to' does not correspond to a BSON type: "
              + Values.show(type));
    }
    int code = (int) Numbers.toLong(type);
    return code == 0 ? BsonTypes.MISSING : code;
  }

  @Override
  void eachField(Consumer<String> action) {
    List.of(input, to, format, onNull).forEach(node -> node.eachField(action));
    if (onError != null) {
      onError.eachField(action);
    }
  }
}
