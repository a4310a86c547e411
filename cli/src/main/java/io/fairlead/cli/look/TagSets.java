// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cli.look;

import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads one tag set, {@code dc:ams,rack:1}; an empty text is the set that every member matches. */
final class TagSets implements ITypeConverter<Map<String, String>> {
  @Override
  public Map<String, String> convert(String text) {
    Map<String, String> tags = new LinkedHashMap<>();
    if (text.isBlank()) {
      return tags;
    }
    for (String tag : text.split(",", -1)) {
      int colon = tag.indexOf(':');
      if (colon <= 0) {
        throw new TypeConversionException("'" + tag + "' is not a tag such as dc:ams");
      }
      tags.put(tag.substring(0, colon).strip(), tag.substring(colon + 1).strip());
    }
    return tags;
  }
}
