// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.write;

import com.mongodb.bulk.BulkWriteError;
import com.mongodb.bulk.WriteConcernError;
import io.fairlead.driver.command.RawFields;
import io.fairlead.driver.command.Replies;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * What a server says about one batch.
 *
 * @param n documents inserted or deleted, or matched and upserted
 * @param upserted the documents that an update inserted, by position in the batch
 * @param errors the statements that failed, by position in the batch
 */
record WriteReply(
    int n,
    int modified,
    List<Upserted> upserted,
    List<BulkWriteError> errors,
    @Nullable WriteConcernError writeConcernError,
    Set<String> labels) {

  record Upserted(int position, BsonValue id) {}

  static WriteReply read(RawBsonDocument reply) {
    int n = 0;
    int modified = 0;
    List<Upserted> upserted = List.of();
    List<BulkWriteError> errors = List.of();
    WriteConcernError writeConcernError = null;
    RawFields fields = RawFields.of(reply);
    while (fields.advance()) {
      if (fields.named("n")) {
        n = (int) fields.number();
      } else if (fields.named("nModified")) {
        modified = (int) fields.number();
      } else if (fields.named("upserted")) {
        upserted = upserted(fields.nested());
      } else if (fields.named("writeErrors")) {
        errors = errors(fields.nested());
      } else if (fields.named("writeConcernError")) {
        writeConcernError = Replies.writeConcernError(fields.value().asDocument());
      }
    }
    boolean failed = !errors.isEmpty() || writeConcernError != null;
    return new WriteReply(
        n,
        modified,
        upserted,
        errors,
        writeConcernError,
        failed ? Replies.labels(reply) : Set.of());
  }

  /** Documents that an update matched. */
  int matched() {
    return n - upserted.size();
  }

  private static List<Upserted> upserted(RawFields array) {
    List<Upserted> upserted = new ArrayList<>();
    while (array.advance()) {
      BsonDocument each = array.value().asDocument();
      BsonValue id = each.get("_id");
      if (id != null) {
        upserted.add(new Upserted(each.getNumber("index").intValue(), id));
      }
    }
    return upserted;
  }

  private static List<BulkWriteError> errors(RawFields array) {
    List<BulkWriteError> errors = new ArrayList<>();
    while (array.advance()) {
      BsonDocument each = array.value().asDocument();
      errors.add(
          new BulkWriteError(
              each.getNumber("code").intValue(),
              each.getString("errmsg", new BsonString("")).getValue(),
              each.getDocument("errInfo", new BsonDocument()),
              each.getNumber("index").intValue()));
    }
    return errors;
  }
}
