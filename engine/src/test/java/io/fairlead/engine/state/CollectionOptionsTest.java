// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.state;

import static io.fairlead.engine.state.Store.NS;
import static io.fairlead.engine.state.Store.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.catalog.CollectionOptions;
import io.fairlead.engine.cursor.FindRequest;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.write.WriteContext;
import java.time.Instant;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What create and collMod accept, and what is kept of it. */
final class CollectionOptionsTest {
  private final Store store = new Store();

  @ParameterizedTest(name = "{0} fails with {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{capped: true} | 72",
        "{size: 100} | 72",
        "{capped: true, size: 0} | 51024",
        "{capped: 'yes', size: 1} | 14",
        "{capped: true, size: 100, clusteredIndex: {key: {_id: 1}, unique: true}} | 72",
        "{clusteredIndex: {key: {a: 1}, unique: true}} | 197",
        "{clusteredIndex: {key: {_id: 1}}} | 5979700",
        "{clusteredIndex: {key: {_id: 1}, unique: true, wings: 2}} | 40415",
        "{expireAfterSeconds: 10} | 72",
        "{clusteredIndex: {key: {_id: 1}, unique: true}, expireAfterSeconds: -1} | 72",
        "{validator: 1} | 14",
        "{validator: {$nothing: 1}} | 2",
        "{validationLevel: 'so so'} | 2",
        "{validationAction: 'shrug'} | 2",
        "{changeStreamPreAndPostImages: true} | 14",
        "{changeStreamPreAndPostImages: {}} | 40414",
        "{changeStreamPreAndPostImages: {enabled: true, x: 1}} | 40415",
        "{idIndex: {key: {_id: 1}, unique: true}} | 197",
        "{idIndex: {key: {a: 1}}} | 2",
        "{idIndex: {key: {_id: 1}, collation: {locale: 'sv'}}} | 2",
        "{encryptedFields: {fields: []}} | 115",
        "{storageEngine: {wiredTiger: {configString: 'x'}}} | 115",
        "{autoIndexId: false} | 72",
        "{collation: {}} | 2",
      })
  void wrong_options_are_refused(String options, int code) {
    refused(code, () -> store.create(options));
    assertThat(store.engine.snapshot().collection(NS)).isEmpty();
  }

  @Test
  void what_says_nothing_is_not_kept() {
    store.create(
        "{capped: false, storageEngine: {}, indexOptionDefaults: {}, autoIndexId: true,"
            + " changeStreamPreAndPostImages: {enabled: false}, collation: {locale: 'simple'},"
            + " idIndex: {v: 2, key: {_id: 1}, name: '_id_'}, clusteredIndex: false}");
    assertThat(options()).isEqualTo(new BsonDocument());
    store.create("{}");
    refused(48, () -> store.create("{capped: true, size: 1000}"));
  }

  @Test
  void a_clustered_collection_tells_its_index() {
    store.create("{clusteredIndex: {key: {_id: 1}, unique: true, name: 'mine'}}");
    assertThat(options().getDocument("clusteredIndex"))
        .isEqualTo(json("{v: 2, key: {_id: 1}, name: 'mine', unique: true}"));
    assertThat(store.engine.snapshot().indexes(NS))
        .containsExactly(
            json("{v: 2, key: {_id: 1}, name: 'mine', unique: true, clustered: true}"));
  }

  @Test
  void documents_of_a_clustered_collection_expire_by_their_id() {
    store
        .create("{clusteredIndex: {key: {_id: 1}, unique: true}, expireAfterSeconds: 60}")
        .insert("{_id: {$date: 0}}", "{_id: {$date: 50000}}", "{_id: 1}");
    assertThat(store.engine.snapshot().expiring()).containsExactly(NS);
    assertThat(expire(Instant.ofEpochSecond(61))).isEqualTo(1);
    modify("{expireAfterSeconds: 'off'}");
    assertThat(expire(Instant.ofEpochSecond(900))).isZero();
    modify("{expireAfterSeconds: 5}");
    assertThat(expire(Instant.ofEpochSecond(900))).isEqualTo(1);
    refused(72, () -> modify("{expireAfterSeconds: 'never'}"));
  }

  @Test
  void an_index_is_made_unique_in_two_steps() {
    store.index("{a: 1}").insert("{_id: 1, a: 1}", "{_id: 2, a: 1}", "{_id: 3, a: 2}");
    refused(72, () -> modify("{index: {name: 'a_1', unique: true}}"));
    assertThat(modify("{index: {name: 'a_1', prepareUnique: true}}"))
        .isEqualTo(json("{prepareUnique_old: false, prepareUnique_new: true}"));
    refused(11000, () -> store.insert("{_id: 4, a: 2}"));
    store.updateOne("{_id: 1}", "{$set: {b: 1}}");
    assertThatExceptionOfType(EngineException.class)
        .isThrownBy(() -> modify("{index: {name: 'a_1', unique: true}}"))
        .satisfies(e -> assertThat(e.code()).isEqualTo(359));
    assertThatExceptionOfType(EngineException.class)
        .isThrownBy(() -> modify("{index: {name: 'a_1', unique: true}, dryRun: true}"))
        .satisfies(e -> assertThat(e.code()).isEqualTo(359));
    store.deleteMany("{_id: 2}");
    assertThat(modify("{index: {keyPattern: {a: 1}, unique: true}, dryRun: true}"))
        .isEqualTo(json("{unique_new: true}"));
    assertThat(store.engine.snapshot().indexes(NS).get(1).containsKey("unique")).isFalse();
    assertThat(modify("{index: {keyPattern: {a: 1}, unique: true}}"))
        .isEqualTo(json("{unique_new: true}"));
    assertThat(store.engine.snapshot().indexes(NS).get(1))
        .isEqualTo(json("{v: 2, key: {a: 1}, name: 'a_1', unique: true}"));
    store.check();
  }

  @ParameterizedTest(name = "{0} fails with {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{wings: 2} | 40415",
        "{index: {name: 'a_1'}} | 72",
        "{index: {hidden: true}} | 72",
        "{index: {name: 'a_1', keyPattern: {a: 1}, hidden: true}} | 72",
        "{index: {name: 'nothing', hidden: true}} | 27",
        "{index: {name: '_id_', hidden: true}} | 2",
        "{index: {name: 'a_1', unique: false}} | 2",
        "{index: {name: 'a_1', wings: 2}} | 40415",
        "{index: 1} | 14",
        "{cappedSize: 100} | 72",
        "{expireAfterSeconds: 1} | 72",
        "{viewOn: 'x', pipeline: []} | 72",
        "{validationLevel: 'so so'} | 2",
        "{dryRun: true} | 72",
      })
  void wrong_modifications_are_refused(String modification, int code) {
    store.index("{a: 1}");
    refused(code, () -> modify(modification));
  }

  @Test
  void validators_and_images_come_and_go() {
    store.create("{}").insert("{_id: 1, a: 1}");
    modify("{validator: {a: {$lt: 5}}, validationLevel: 'moderate'}");
    refused(121, () -> store.insert("{_id: 2, a: 9}"));
    modify("{validator: {}}");
    store.insert("{_id: 2, a: 9}");
    modify("{changeStreamPreAndPostImages: {enabled: true}}");
    assertThat(options().containsKey("changeStreamPreAndPostImages")).isTrue();
    modify("{changeStreamPreAndPostImages: {enabled: false}}");
    assertThat(options().containsKey("changeStreamPreAndPostImages")).isFalse();
  }

  @Test
  void a_validator_is_not_for_the_servers_own_databases() {
    refused(
        72,
        () ->
            store.engine.write(
                WriteContext.plain(),
                w -> {
                  w.createCollection(
                      Namespace.of("config", "c"),
                      CollectionOptions.of(json("{validator: {a: 1}}")));
                  return true;
                }));
  }

  @Test
  void the_bounds_of_a_capped_collection_change() {
    store.create("{capped: true, size: 100000, max: 3}");
    modify("{cappedMax: 2}");
    store.insert("{_id: 1}", "{_id: 2}", "{_id: 3}");
    assertThat(store.find(FindRequest.all())).hasSize(2);
    modify("{cappedSize: 4096, cappedMax: -1}");
    assertThat(options())
        .isEqualTo(json("{capped: true, size: {$numberLong: '4096'}, max: {$numberLong: '0'}}"));
    refused(51024, () -> modify("{cappedSize: 0}"));
  }

  private BsonDocument options() {
    return store.engine.snapshot().collection(NS).orElseThrow().options().declared();
  }

  private BsonDocument modify(String command) {
    return store.engine.write(WriteContext.plain(), w -> w.modifyCollection(NS, json(command)));
  }

  private long expire(Instant now) {
    return store.engine.write(WriteContext.plain(), w -> w.deleteExpired(NS, now, 1000));
  }

  private static void refused(
      int code, org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
    assertThatExceptionOfType(EngineException.class)
        .isThrownBy(call)
        .satisfies(e -> assertThat(e.code()).as(e.getMessage()).isEqualTo(code));
  }
}
