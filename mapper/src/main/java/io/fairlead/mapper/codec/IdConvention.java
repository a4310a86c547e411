// SPDX-License-Identifier: Apache-2.0
package io.fairlead.mapper.codec;

import io.fairlead.mapper.Id;
import org.bson.codecs.pojo.ClassModelBuilder;
import org.bson.codecs.pojo.Convention;
import org.bson.codecs.pojo.PropertyModelBuilder;

/** Teaches the POJO codecs that the property with {@link Id} is the document's {@code _id}. */
final class IdConvention implements Convention {
  @Override
  public void apply(ClassModelBuilder<?> classModel) {
    for (PropertyModelBuilder<?> property : classModel.getPropertyModelBuilders()) {
      boolean marked =
          property.getReadAnnotations().stream().anyMatch(Id.class::isInstance)
              || property.getWriteAnnotations().stream().anyMatch(Id.class::isInstance);
      if (marked) {
        classModel.idPropertyName(property.getName());
      }
    }
  }
}
