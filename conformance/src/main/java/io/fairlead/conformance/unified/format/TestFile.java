// SPDX-License-Identifier: Apache-2.0
package io.fairlead.conformance.unified.format;

import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.json.JsonParseException;

/** A file of the unified test format. */
public record TestFile(
    String description,
    List<BsonDocument> runOnRequirements,
    List<BsonDocument> createEntities,
    List<CollectionData> initialData,
    List<TestCase> tests) {

  private static final Version FIRST = new Version(1, 0, 0);
  private static final Version LAST = new Version(1, 28, 0);

  /** Whether a JSON file is of this format at all; files of older formats name no version. */
  public static boolean isOne(String json) {
    try {
      return BsonDocument.parse(json).containsKey("schemaVersion");
    } catch (JsonParseException otherJson) {
      return false;
    }
  }

  /**
   * Reads a file.
   *
   * @throws UnsupportedVersionException when it is of a version that is not understood
   * @throws InvalidFileException when it is not as the format has it
   */
  public static TestFile parse(String json) {
    BsonDocument file;
    try {
      file = BsonDocument.parse(json);
    } catch (JsonParseException failure) {
      throw new InvalidFileException("this is no extended JSON: " + failure.getMessage());
    }
    requireKnown(FormatRules.version(file)); // what later versions look like is not known
    FormatRules.check(file);
    return new TestFile(
        file.getString("description").getValue(),
        documents(file, "runOnRequirements"),
        documents(file, "createEntities"),
        documents(file, "initialData").stream().map(CollectionData::parse).toList(),
        file.getArray("tests").stream().map(TestCase::parse).toList());
  }

  private static void requireKnown(Version version) {
    if (version.compareTo(FIRST) < 0 || version.compareTo(LAST) > 0) {
      throw new UnsupportedVersionException(
          "schema version " + version + " is not between " + FIRST + " and " + LAST);
    }
  }

  static List<BsonDocument> documents(BsonDocument from, String field) {
    return from.getArray(field, new BsonArray()).stream().map(BsonValue::asDocument).toList();
  }
}
