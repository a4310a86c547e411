// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.expression;

import java.util.List;
import java.util.function.Consumer;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * A function of its arguments' values. With constant arguments it is computed once, when it is
 * compiled.
 */
final class CallNode extends Node {
  /** Computes a value; arguments and result may be missing (null). */
  @FunctionalInterface
  interface Function {
    @Nullable BsonValue apply(@Nullable BsonValue[] arguments);
  }

  private final Node[] arguments;
  private final Function function;

  private CallNode(Node[] arguments, Function function) {
    this.arguments = arguments;
    this.function = function;
  }

  static Node of(List<Node> arguments, Function function) {
    CallNode call = new CallNode(arguments.toArray(new Node[0]), function);
    if (arguments.stream().allMatch(Node::isConstant)) {
      @Nullable BsonValue[] values = new @Nullable BsonValue[arguments.size()];
      for (int i = 0; i < values.length; i++) {
        values[i] = arguments.get(i).constant();
      }
      return new Constant(function.apply(values));
    }
    return call;
  }

  @Override
  @Nullable BsonValue evaluate(Scope scope) {
    @Nullable BsonValue[] values = new @Nullable BsonValue[arguments.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = arguments[i].evaluate(scope);
    }
    return function.apply(values);
  }

  @Override
  void eachField(Consumer<String> action) {
    for (Node argument : arguments) {
      argument.eachField(action);
    }
  }
}
