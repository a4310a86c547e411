// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.handshake;

import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;

/**
 * What this server says it is: the MongoDB release whose behaviour it follows, and that it is
 * Fairlead.
 */
public final class BuildInfo {
  /** The release that the announced wire version belongs to. */
  public static final String VERSION = "8.0.0";

  private BuildInfo() {}

  static BsonDocument describe() {
    String own = BuildInfo.class.getPackage().getImplementationVersion();
    BsonArray versions =
        new BsonArray(
            List.of(new BsonInt32(8), new BsonInt32(0), new BsonInt32(0), new BsonInt32(0)));
    return new BsonDocument("version", new BsonString(VERSION))
        .append("versionArray", versions)
        .append("gitVersion", new BsonString("fairlead"))
        .append("modules", new BsonArray(List.of(new BsonString("fairlead"))))
        .append(
            "fairlead",
            new BsonDocument("version", new BsonString(own == null ? "development" : own)))
        .append("allocator", new BsonString("jvm"))
        .append("javascriptEngine", new BsonString("none"))
        .append("sysInfo", new BsonString("deprecated"))
        .append("bits", new BsonInt32(64))
        .append("debug", BsonBoolean.FALSE)
        .append("maxBsonObjectSize", new BsonInt32(Hello.DOCUMENT_BYTES_MAX))
        .append("storageEngines", new BsonArray(List.of(new BsonString("fairlead"))));
  }
}
