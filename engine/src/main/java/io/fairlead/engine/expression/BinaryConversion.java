// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.expression;

import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.value.BsonTypes;
import io.fairlead.engine.value.Numbers;
import io.fairlead.engine.value.Values;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;
import java.util.UUID;
import org.bson.BsonBinary;
import org.bson.BsonBinarySubType;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** {@code $convert} between texts and binary values. */
final class BinaryConversion {
  /** How bytes are written as text. */
  enum Format {
    AUTO,
    BASE64,
    BASE64URL,
    HEX,
    UTF8,
    UUID;

    /**
     * The format of {@code $convert}'s argument; null when it is null or missing.
     *
     * @throws EngineException 4341114 when it is no string, 4341125 when there is none of that name
     */
    static @Nullable Format of(@Nullable BsonValue given) {
      if (given == null || Values.isNullish(given)) {
        return null;
      }
      if (!(given instanceof BsonString name)) {
        throw new EngineException(
            4341114,
            "$convert requires that 'format' be a string, found: "
                + BsonTypes.nameOf(given)
                + " with value "
                + Values.show(given));
      }
      for (Format format : values()) {
        if (format.name().toLowerCase(Locale.ROOT).equals(name.getValue())) {
          return format;
        }
      }
      throw new EngineException(
          4341125, "Invalid 'format' argument for $convert: " + name.getValue());
    }
  }

  private static final byte UUID_SUBTYPE = BsonBinarySubType.UUID_STANDARD.getValue();

  private BinaryConversion() {}

  /**
   * The subtype of {@code to: {type: 'binData', subtype}}; 0 when none is given.
   *
   * @throws EngineException 4341106, 4341107, 4341108
   */
  static byte subtype(@Nullable BsonValue given) {
    if (given == null) {
      return 0;
    }
    if (!given.isNumber()) {
      throw new EngineException(
          4341108,
          "For BinData, $convert's 'subtype' argument must be a number, but is "
              + BsonTypes.nameOf(given));
    }
    if (!Numbers.isInt(given)) {
      throw new EngineException(
          4341106, "In $convert, numeric 'subtype' argument is not an integer");
    }
    long code = Numbers.toLong(given);
    if (!(code >= 0 && code <= 8) && !(code >= 128 && code <= 255)) {
      throw new EngineException(
          4341107,
          "In $convert, numeric value for 'subtype' does not correspond to a BinData type: "
              + code);
    }
    return (byte) code;
  }

  static BsonValue toText(BsonBinary value, @Nullable Format format) {
    return new BsonString(text(value, required(format, "binData", "string")));
  }

  private static Format required(@Nullable Format format, String from, String to) {
    if (format == null) {
      throw new EngineException(
          4341115, "Format must be specified when converting from '" + from + "' to '" + to + "'");
    }
    return format;
  }

  private static String text(BsonBinary value, Format format) {
    byte[] data = value.getData();
    boolean uuid = value.getType() == UUID_SUBTYPE && data.length == 16;
    return switch (format) {
      case AUTO -> uuid ? value.asUuid().toString() : Base64.getEncoder().encodeToString(data);
      case BASE64 -> Base64.getEncoder().encodeToString(data);
      case BASE64URL -> Base64.getUrlEncoder().withoutPadding().encodeToString(data);
      case HEX -> HexFormat.of().withUpperCase().formatHex(data);
      case UTF8 -> {
        try {
          yield StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(data)).toString();
        } catch (CharacterCodingException e) {
          throw unreadable(value, "BinData does not represent a valid UTF-8 string");
        }
      }
      case UUID -> {
        if (!uuid) {
          throw unreadable(value, "BinData does not represent a valid UUID");
        }
        yield value.asUuid().toString();
      }
    };
  }

  private static EngineException unreadable(BsonBinary value, String why) {
    return Types.failure("Failed to convert '" + Values.show(value) + "' to string: " + why);
  }

  static BsonValue toBinary(BsonString value, byte subtype, @Nullable Format given) {
    String text = value.getValue();
    Format format = required(given, "string", "binData");
    if ((format == Format.UUID) != (subtype == UUID_SUBTYPE)) {
      throw unparsable(text, "Only the 'uuid' format is allowed with the UUID subtype");
    }
    try {
      return switch (format) {
        case BASE64 -> new BsonBinary(subtype, padded(text));
        case BASE64URL -> new BsonBinary(subtype, Base64.getUrlDecoder().decode(text));
        case HEX -> new BsonBinary(subtype, HexFormat.of().parseHex(text));
        case UTF8 -> new BsonBinary(subtype, text.getBytes(StandardCharsets.UTF_8));
        case UUID -> {
          UUID uuid = UUID.fromString(text);
          if (text.length() != 36) {
            throw new IllegalArgumentException("Invalid UUID string: " + text);
          }
          yield new BsonBinary(uuid);
        }
        case AUTO -> throw new IllegalArgumentException("Invalid format 'auto'");
      };
    } catch (IllegalArgumentException e) {
      throw unparsable(text, String.valueOf(e.getMessage()));
    }
  }

  /** Base64 in whole groups of four; Java's decoder would do without the padding. */
  private static byte[] padded(String text) {
    if (text.length() % 4 != 0) {
      throw new IllegalArgumentException("Invalid base64 length");
    }
    return Base64.getDecoder().decode(text);
  }

  private static EngineException unparsable(String text, String why) {
    return Types.failure("Failed to parse BinData '" + text + "': " + why);
  }

  static BsonValue same(BsonBinary value, byte subtype) {
    if (value.getType() != subtype) {
      throw Types.failure("Conversions between different BinData subtypes are not supported");
    }
    return value;
  }
}
