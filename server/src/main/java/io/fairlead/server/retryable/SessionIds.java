// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.retryable;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** Logical session ids as they are stored: {@code {id: UUID, uid: digest of the user's name}}. */
public final class SessionIds {
  private static final BsonBinary NOBODY = new BsonBinary(digest(""));

  private SessionIds() {}

  /**
   * The stored form of a client's {@code lsid}; that of nobody in particular when it names no user.
   *
   * @param lsid with {@code id}, and {@code uid} where a router or another member adds the user
   */
  public static BsonDocument stored(BsonDocument lsid) {
    BsonValue user = lsid.get("uid");
    return new BsonDocument("id", lsid.get("id")).append("uid", user == null ? NOBODY : user);
  }

  private static byte[] digest(String name) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(name.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
