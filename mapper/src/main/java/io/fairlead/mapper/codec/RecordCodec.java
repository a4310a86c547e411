// SPDX-License-Identifier: Apache-2.0
package io.fairlead.mapper.codec;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonDocumentWriter;
import org.bson.BsonNull;
import org.bson.BsonReader;
import org.bson.BsonType;
import org.bson.BsonValue;
import org.bson.BsonWriter;
import org.bson.codecs.CollectibleCodec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.EncoderContext;
import org.bson.codecs.configuration.CodecConfigurationException;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;

/**
 * A record as a document: a field for each component, the id first, nothing for a null. Fields that
 * the record does not have are skipped; a component that the document does not have is null, or
 * zero. An id is made only where it is an {@code ObjectId}, and gives another record.
 */
final class RecordCodec<R> implements CollectibleCodec<R> {
  private final Class<R> type;
  private final List<Component> components;
  private final Map<String, Integer> positions;
  private final Constructor<R> constructor;
  private final @Nullable Component id;

  private RecordCodec(Class<R> type, List<Component> components, Constructor<R> constructor) {
    this.type = type;
    this.components = components;
    this.constructor = constructor;
    this.positions = new HashMap<>();
    for (int i = 0; i < components.size(); i++) {
      if (positions.put(components.get(i).field(), i) != null) {
        throw new CodecConfigurationException(
            type.getName() + " has two components for field " + components.get(i).field());
      }
    }
    this.id = components.stream().filter(Component::isId).findFirst().orElse(null);
  }

  static <R> RecordCodec<R> of(Class<R> type, CodecRegistry registry) {
    List<Component> components = new ArrayList<>();
    List<Class<?>> parameters = new ArrayList<>();
    for (RecordComponent component : type.getRecordComponents()) {
      components.add(new Component(component, registry));
      parameters.add(component.getType());
    }
    try {
      Constructor<R> constructor = type.getDeclaredConstructor(parameters.toArray(Class<?>[]::new));
      constructor.setAccessible(true);
      return new RecordCodec<>(type, components, constructor);
    } catch (NoSuchMethodException e) {
      throw new CodecConfigurationException(type.getName() + " has no canonical constructor", e);
    }
  }

  @Override
  public Class<R> getEncoderClass() {
    return type;
  }

  @Override
  public void encode(BsonWriter writer, R record, EncoderContext context) {
    writer.writeStartDocument();
    if (id != null) {
      id.write(writer, record, context);
    }
    for (Component component : components) {
      if (component != id) {
        component.write(writer, record, context);
      }
    }
    writer.writeEndDocument();
  }

  @Override
  public R decode(BsonReader reader, DecoderContext context) {
    @Nullable Object[] values = new Object[components.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = components.get(i).absent();
    }
    reader.readStartDocument();
    while (reader.readBsonType() != BsonType.END_OF_DOCUMENT) {
      Integer position = positions.get(reader.readName());
      if (position == null) {
        reader.skipValue();
      } else {
        values[position] = components.get(position).read(reader, context);
      }
    }
    reader.readEndDocument();
    return create(values);
  }

  private R create(@Nullable Object[] values) {
    try {
      return constructor.newInstance(values);
    } catch (InvocationTargetException e) {
      throw new CodecConfigurationException(
          "the constructor of " + type.getName() + " refused what is stored", e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new CodecConfigurationException("no " + type.getName() + " could be made", e);
    }
  }

  @Override
  public boolean documentHasId(R record) {
    return id != null && id.valueIn(record) != null;
  }

  @Override
  public BsonValue getDocumentId(R record) {
    if (id == null) {
      return BsonNull.VALUE;
    }
    BsonDocument holder = new BsonDocument();
    BsonDocumentWriter writer = new BsonDocumentWriter(holder);
    writer.writeStartDocument();
    id.write(writer, record, EncoderContext.builder().build());
    writer.writeEndDocument();
    return Optional.ofNullable(holder.get("_id")).orElse(BsonNull.VALUE);
  }

  @Override
  public R generateIdIfAbsentFromDocument(R record) {
    if (id == null || documentHasId(record)) {
      return record;
    }
    if (id.type() != ObjectId.class) {
      throw new IllegalArgumentException(
          type.getName() + " has no id, and only an ObjectId can be made for it");
    }
    @Nullable Object[] values = new Object[components.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = components.get(i) == id ? new ObjectId() : components.get(i).valueIn(record);
    }
    return create(values);
  }
}
