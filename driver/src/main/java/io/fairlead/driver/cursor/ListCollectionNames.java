// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.cursor;

import com.mongodb.client.ListCollectionNamesIterable;
import com.mongodb.client.MongoCursor;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** The names out of {@code listCollections}. */
public final class ListCollectionNames extends CursorIterable<String>
    implements ListCollectionNamesIterable {
  private final ListCollections<BsonDocument> collections;

  public ListCollectionNames(Target target) {
    this.collections =
        new ListCollections<>(target, target.scope().codecs().get(BsonDocument.class), true);
  }

  @Override
  public MongoCursor<String> cursor() {
    return collections.map(each -> each.getString("name").getValue()).cursor();
  }

  @Override
  public ListCollectionNames filter(@Nullable Bson filter) {
    collections.filter(filter);
    return this;
  }

  @Override
  public ListCollectionNames maxTime(long maxTime, TimeUnit timeUnit) {
    collections.maxTime(maxTime, timeUnit);
    return this;
  }

  @Override
  public ListCollectionNames batchSize(int batchSize) {
    collections.batchSize(batchSize);
    return this;
  }

  @Override
  public ListCollectionNames comment(@Nullable String comment) {
    collections.comment(comment);
    return this;
  }

  @Override
  public ListCollectionNames comment(@Nullable BsonValue comment) {
    collections.comment(comment);
    return this;
  }

  @Override
  public ListCollectionNames authorizedCollections(boolean authorizedCollections) {
    collections.authorizedCollections(authorizedCollections);
    return this;
  }
}
