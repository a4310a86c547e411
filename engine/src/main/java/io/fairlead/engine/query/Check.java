// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.query;

import io.fairlead.engine.value.FieldPath;
import io.fairlead.engine.value.Slice;
import java.util.List;
import java.util.function.Consumer;

/**
 * A compiled condition. On a document it follows its path; on a value, as within {@code
 * $elemMatch}, it tests that one.
 */
sealed interface Check
    permits Check.All,
        Check.Any,
        Check.Negation,
        Check.OnPath,
        Check.OnRoot,
        Check.Fixed,
        NearCheck,
        TextCheck {
  boolean document(byte[] bytes, int offset, Evaluation evaluation);

  boolean value(Slice value, Evaluation evaluation);

  Predicate predicate();

  void eachPath(Consumer<FieldPath> action);

  /** All hold. */
  record All(List<Check> children) implements Check {
    @Override
    public boolean document(byte[] bytes, int offset, Evaluation evaluation) {
      for (int i = 0; i < children.size(); i++) {
        if (!children.get(i).document(bytes, offset, evaluation)) {
          evaluation.arrayIndex = -1;
          return false;
        }
      }
      return true;
    }

    @Override
    public boolean value(Slice value, Evaluation evaluation) {
      for (Check child : children) {
        if (!child.value(value, evaluation)) {
          return false;
        }
      }
      return true;
    }

    @Override
    public Predicate predicate() {
      return children.size() == 1
          ? children.getFirst().predicate()
          : new Predicate.And(children.stream().map(Check::predicate).toList());
    }

    @Override
    public void eachPath(Consumer<FieldPath> action) {
      children.forEach(child -> child.eachPath(action));
    }
  }

  /** At least one holds, or none when negated. */
  record Any(List<Check> children, boolean negated) implements Check {
    @Override
    public boolean document(byte[] bytes, int offset, Evaluation evaluation) {
      for (int i = 0; i < children.size(); i++) {
        if (children.get(i).document(bytes, offset, evaluation)) {
          return !negated;
        }
      }
      return negated;
    }

    @Override
    public boolean value(Slice value, Evaluation evaluation) {
      for (Check child : children) {
        if (child.value(value, evaluation)) {
          return !negated;
        }
      }
      return negated;
    }

    @Override
    public Predicate predicate() {
      List<Predicate> predicates = children.stream().map(Check::predicate).toList();
      return negated ? new Predicate.Nor(predicates) : new Predicate.Or(predicates);
    }

    @Override
    public void eachPath(Consumer<FieldPath> action) {
      children.forEach(child -> child.eachPath(action));
    }
  }

  /** The child does not hold. What a negation looked at is no position for {@code $}. */
  record Negation(Check child) implements Check {
    @Override
    public boolean document(byte[] bytes, int offset, Evaluation evaluation) {
      int before = evaluation.arrayIndex;
      boolean holds = !child.document(bytes, offset, evaluation);
      evaluation.arrayIndex = before;
      return holds;
    }

    @Override
    public boolean value(Slice value, Evaluation evaluation) {
      return !child.value(value, evaluation);
    }

    @Override
    public Predicate predicate() {
      return new Predicate.Not(child.predicate());
    }

    @Override
    public void eachPath(Consumer<FieldPath> action) {
      child.eachPath(action);
    }
  }

  /** A value reached by the path passes the test. */
  record OnPath(FieldPath path, ValueTest test) implements Check {
    @Override
    public boolean document(byte[] bytes, int offset, Evaluation evaluation) {
      Slice slice = evaluation.slice;
      if (!path.follow(bytes, offset, slice) && !slice.isArray()) {
        return test.test(slice, evaluation);
      }
      return path.visit(
          bytes,
          offset,
          test.looksIntoArrays(),
          (value, arrayIndex) -> {
            if (!test.test(value, evaluation)) {
              return false;
            }
            if (arrayIndex >= 0) {
              evaluation.arrayIndex = arrayIndex;
            }
            return true;
          });
    }

    @Override
    public boolean value(Slice value, Evaluation evaluation) {
      return test.test(value, evaluation);
    }

    @Override
    public Predicate predicate() {
      return test.predicate(path);
    }

    @Override
    public void eachPath(Consumer<FieldPath> action) {
      action.accept(path);
    }
  }

  /** A condition on the whole document. */
  record OnRoot(String operator, RootTest test) implements Check {
    @Override
    public boolean document(byte[] bytes, int offset, Evaluation evaluation) {
      return test.test(bytes, offset, evaluation);
    }

    @Override
    public boolean value(Slice value, Evaluation evaluation) {
      return value.isDocument() && test.test(value.bytes(), value.start(), evaluation);
    }

    @Override
    public Predicate predicate() {
      return new Predicate.Opaque(operator, FieldPath.SELF);
    }

    @Override
    public void eachPath(Consumer<FieldPath> action) {
      action.accept(FieldPath.SELF);
    }
  }

  /** Always or never. */
  record Fixed(boolean holds) implements Check {
    @Override
    public boolean document(byte[] bytes, int offset, Evaluation evaluation) {
      return holds;
    }

    @Override
    public boolean value(Slice value, Evaluation evaluation) {
      return holds;
    }

    @Override
    public Predicate predicate() {
      return new Predicate.Constant(holds);
    }

    @Override
    public void eachPath(Consumer<FieldPath> action) {}
  }

  /** A test of a whole document. */
  @FunctionalInterface
  interface RootTest {
    boolean test(byte[] bytes, int offset, Evaluation evaluation);
  }
}
