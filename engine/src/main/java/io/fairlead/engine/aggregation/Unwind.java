// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.aggregation;

import io.fairlead.engine.cursor.DocumentCursor;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.value.BsonTypes;
import io.fairlead.engine.value.DocumentWriter;
import io.fairlead.engine.value.ElementCursor;
import io.fairlead.engine.value.FieldPath;
import io.fairlead.engine.value.RawBytes;
import io.fairlead.engine.value.Slice;
import java.util.Map;
import org.bson.BsonBoolean;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * {@code $unwind}: one document per element of an array. A value that is no array counts as its
 * only element.
 */
final class Unwind extends Stage {
  private final FieldPath path;
  private final @Nullable FieldPath indexPath;
  private final boolean preserve;

  private Unwind(
      String name,
      BsonValue operand,
      FieldPath path,
      @Nullable FieldPath indexPath,
      boolean preserve) {
    super(name, operand);
    this.path = path;
    this.indexPath = indexPath;
    this.preserve = preserve;
  }

  static Stage parse(String name, BsonValue operand, StageContext context) {
    BsonValue path = operand;
    FieldPath indexPath = null;
    boolean preserve = false;
    if (operand.isDocument()) {
      path = null;
      for (Map.Entry<String, BsonValue> option : operand.asDocument().entrySet()) {
        BsonValue value = option.getValue();
        switch (option.getKey()) {
          case "path" -> path = value;
          case "preserveNullAndEmptyArrays" -> {
            if (!(value instanceof BsonBoolean flag)) {
              throw new EngineException(
                  28809,
                  "expected a boolean for the preserveNullAndEmptyArrays option to $unwind stage,"
                      + " got "
                      + BsonTypes.nameOf(value));
            }
            preserve = flag.getValue();
          }
          case "includeArrayIndex" -> indexPath = indexPath(value);
          default ->
              throw new EngineException(
                  28811, "unrecognized option to $unwind stage: " + option.getKey());
        }
      }
      if (path == null) {
        throw new EngineException(28812, "no path specified to $unwind stage");
      }
    } else if (!operand.isString()) {
      throw new EngineException(
          15981,
          "expected either a string or an object as specification for $unwind stage, got "
              + BsonTypes.nameOf(operand));
    }
    if (!path.isString()) {
      throw new EngineException(
          28808, "expected a string as the path for $unwind stage, got " + BsonTypes.nameOf(path));
    }
    String text = path.asString().getValue();
    if (!text.startsWith("$")) {
      throw new EngineException(
          28818, "path option to $unwind stage should be prefixed with a '$': " + text);
    }
    return new Unwind(name, operand, FieldPath.validated(text.substring(1)), indexPath, preserve);
  }

  private static FieldPath indexPath(BsonValue value) {
    if (!value.isString() || value.asString().getValue().isEmpty()) {
      throw new EngineException(
          28810,
          "expected a non-empty string for the includeArrayIndex  option to $unwind stage, got "
              + BsonTypes.nameOf(value));
    }
    String text = value.asString().getValue();
    if (text.startsWith("$")) {
      throw new EngineException(
          28822,
          "includeArrayIndex option to $unwind stage should not be prefixed with a '$': " + text);
    }
    return FieldPath.validated(text);
  }

  @Override
  public DocumentCursor run(DocumentCursor input, PipelineEnvironment environment) {
    return new DocumentCursor() {
      private @Nullable RawBsonDocument document;
      private @Nullable ElementCursor elements;
      private long index;

      @Override
      public @Nullable RawBsonDocument next() {
        while (true) {
          ElementCursor open = elements;
          RawBsonDocument current = document;
          if (open != null && current != null) {
            if (open.next()) {
              return rewritten(current, open.into(new Slice()), new BsonInt64(index++));
            }
            elements = null;
          }
          current = input.next();
          if (current == null) {
            return null;
          }
          RawBsonDocument single = start(current);
          if (single != null) {
            return single;
          }
        }
      }

      // opens the array of a document, or gives the one document that it becomes
      private @Nullable RawBsonDocument start(RawBsonDocument current) {
        Slice value = new Slice();
        if (path.follow(RawBytes.bytes(current), RawBytes.offset(current), value)) {
          // an array before the last part: there is no such field
          value.clear();
        }
        if (value.isArray()) {
          ElementCursor found = new ElementCursor(value.bytes(), value.start());
          if (RawBytes.int32(value.bytes(), value.start()) > 5) {
            document = current;
            elements = found;
            index = 0;
            return null;
          }
          return preserve ? rewritten(current, new Slice(), BsonNull.VALUE) : null;
        }
        if (value.isMissing()
            || value.type() == BsonTypes.NULL
            || value.type() == BsonTypes.UNDEFINED) {
          return preserve ? withIndex(current) : null;
        }
        return withIndex(current);
      }
    };
  }

  private RawBsonDocument withIndex(RawBsonDocument document) {
    FieldPath into = indexPath;
    if (into == null) {
      return document;
    }
    return PathWriter.set(document, into, Slice.of(BsonNull.VALUE));
  }

  private RawBsonDocument rewritten(RawBsonDocument document, Slice element, BsonValue index) {
    RawBsonDocument unwound = PathWriter.set(document, path, element);
    FieldPath into = indexPath;
    return into == null ? unwound : PathWriter.set(unwound, into, Slice.of(index));
  }

  /** Sets one path in a document, through documents only. */
  static final class PathWriter {
    private PathWriter() {}

    /**
     * The document with the path set in its place, appended when it is new, left out when the value
     * is missing.
     */
    static RawBsonDocument set(RawBsonDocument document, FieldPath path, Slice value) {
      DocumentWriter out = new DocumentWriter(RawBytes.length(document) + 32);
      write(RawBytes.bytes(document), RawBytes.offset(document), path, 0, value, out);
      return out.finish();
    }

    private static void write(
        byte[] bytes, int offset, FieldPath path, int part, Slice value, DocumentWriter out) {
      boolean last = part == path.size() - 1;
      boolean found = false;
      byte[] name = path.name(part).bytes();
      ElementCursor cursor = new ElementCursor(bytes, offset);
      while (cursor.next()) {
        if (found || !cursor.nameEquals(name)) {
          out.element(cursor);
          continue;
        }
        found = true;
        if (last) {
          out.value(name, 0, name.length, value);
        } else if (cursor.type() == BsonTypes.DOCUMENT) {
          out.startDocument(bytes, cursor.nameStart(), cursor.nameEnd());
          write(bytes, cursor.valueStart(), path, part + 1, value, out);
          out.end();
        } else {
          fresh(path, part, value, out);
        }
      }
      if (!found) {
        fresh(path, part, value, out);
      }
    }

    private static void fresh(FieldPath path, int part, Slice value, DocumentWriter out) {
      if (value.isMissing()) {
        return;
      }
      for (int i = part; i < path.size() - 1; i++) {
        out.startDocument(path.parts().get(i));
      }
      out.value(path.parts().getLast(), value);
      for (int i = part; i < path.size() - 1; i++) {
        out.end();
      }
    }
  }
}
