// SPDX-License-Identifier: Apache-2.0
package io.fairlead.mapper.codec;

import io.fairlead.mapper.Id;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.List;
import org.bson.BsonReader;
import org.bson.BsonType;
import org.bson.BsonWriter;
import org.bson.codecs.Codec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.EncoderContext;
import org.bson.codecs.configuration.CodecConfigurationException;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.codecs.pojo.annotations.BsonId;
import org.bson.codecs.pojo.annotations.BsonProperty;
import org.jspecify.annotations.Nullable;

/** One component of a record: its field's name, and how its values become BSON and back. */
final class Component {
  private final Class<?> type;
  private final Type genericType;
  private final String field;
  private final Method accessor;
  private final CodecRegistry registry;
  // found when first used: a record may hold records of its own type
  private volatile @Nullable Codec<Object> codec;

  Component(RecordComponent component, CodecRegistry registry) {
    this.type = component.getType();
    this.genericType = component.getGenericType();
    this.field = fieldOf(component);
    this.accessor = component.getAccessor();
    this.registry = registry;
    accessor.setAccessible(true);
  }

  private static String fieldOf(RecordComponent component) {
    if (component.isAnnotationPresent(Id.class)
        || component.getAccessor().isAnnotationPresent(Id.class)
        || component.isAnnotationPresent(BsonId.class)
        || component.getAccessor().isAnnotationPresent(BsonId.class)) {
      return "_id";
    }
    BsonProperty property = component.getAccessor().getAnnotation(BsonProperty.class);
    return property == null || property.value().isEmpty() ? component.getName() : property.value();
  }

  /** The field's name in documents. */
  String field() {
    return field;
  }

  Class<?> type() {
    return type;
  }

  boolean isId() {
    return field.equals("_id");
  }

  /** What a record has here. */
  @Nullable Object valueIn(Object record) {
    try {
      return accessor.invoke(record);
    } catch (IllegalAccessException e) {
      throw new CodecConfigurationException("the accessor of " + field + " can't be called", e);
    } catch (InvocationTargetException e) {
      throw new CodecConfigurationException("the accessor of " + field + " failed", e.getCause());
    }
  }

  /** Writes the field; a null is not stored. */
  void write(BsonWriter writer, Object record, EncoderContext context) {
    Object value = valueIn(record);
    if (value != null) {
      writer.writeName(field);
      context.encodeWithChildContext(codec(), writer, value);
    }
  }

  /** Reads the field's value. */
  @Nullable Object read(BsonReader reader, DecoderContext context) {
    if (reader.getCurrentBsonType() == BsonType.NULL) {
      reader.readNull();
      return absent();
    }
    return context.decodeWithChildContext(codec(), reader);
  }

  /**
   * What a record gets where the document has nothing: null, or zero of a primitive, as a class's
   * field would keep.
   */
  @Nullable Object absent() {
    return type.isPrimitive() ? Array.get(Array.newInstance(type, 1), 0) : null;
  }

  @SuppressWarnings("unchecked") // the component's values are of the component's type
  private Codec<Object> codec() {
    Codec<Object> known = codec;
    if (known == null) {
      Class<?> boxed = MethodType.methodType(type).wrap().returnType();
      known =
          (Codec<Object>)
              (genericType instanceof ParameterizedType parameterized
                  ? registry.get(boxed, List.of(parameterized.getActualTypeArguments()))
                  : registry.get(boxed));
      codec = known;
    }
    return known;
  }
}
