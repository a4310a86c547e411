// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.command;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoWriteConcernException;
import com.mongodb.ServerAddress;
import com.mongodb.WriteConcernResult;
import com.mongodb.bulk.WriteConcernError;
import io.fairlead.cluster.CommandResult;
import io.fairlead.topology.HostAddress;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;

/** Reads what replies of different commands have in common. */
public final class Replies {
  private static final int NAMESPACE_NOT_FOUND = 26;

  private Replies() {}

  /**
   * Whether the collection or view that a command names does not exist. Some servers say so in
   * words alone.
   */
  public static boolean isNamespaceNotFound(MongoCommandException e) {
    return e.getErrorCode() == NAMESPACE_NOT_FOUND || e.getErrorMessage().equals("ns not found");
  }

  /** The public driver's name for a server. */
  public static ServerAddress address(HostAddress server) {
    return new ServerAddress(server.host(), server.port());
  }

  /**
   * Passes a reply on, unless the write it reports did not reach its write concern.
   *
   * @throws MongoWriteConcernException if it did not
   */
  public static CommandResult requireWriteConcern(CommandResult result) {
    RawFields fields = RawFields.of(result.reply());
    if (fields.find("writeConcernError")) {
      BsonDocument reply = result.reply();
      throw new MongoWriteConcernException(
          writeConcernError(reply.getDocument("writeConcernError")),
          WriteConcernResult.acknowledged(0, false, null),
          address(result.server()),
          labels(reply));
    }
    return result;
  }

  /** The write concern error of a reply. */
  public static WriteConcernError writeConcernError(BsonDocument error) {
    return new WriteConcernError(
        error.getNumber("code").intValue(),
        error.getString("codeName", new BsonString("")).getValue(),
        error.getString("errmsg", new BsonString("")).getValue(),
        error.getDocument("errInfo", new BsonDocument()));
  }

  /** The labels of a reply and of the write concern error in it. */
  public static Set<String> labels(BsonDocument reply) {
    Set<String> labels = new HashSet<>();
    addLabels(labels, reply);
    if (reply.get("writeConcernError") instanceof BsonDocument error) {
      addLabels(labels, error);
    }
    return labels;
  }

  private static void addLabels(Collection<String> labels, BsonDocument document) {
    List<BsonValue> found = document.getArray("errorLabels", new BsonArray());
    found.forEach(label -> labels.add(label.asString().getValue()));
  }
}
