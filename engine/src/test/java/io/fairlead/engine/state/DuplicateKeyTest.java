// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.state;

import static io.fairlead.engine.state.Store.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fairlead.engine.collation.Collation;
import io.fairlead.engine.error.EngineException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Objects;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;

/** What the error 11000 tells. */
final class DuplicateKeyTest {
  private static final Collation BLIND =
      Objects.requireNonNull(Collation.of(json("{locale: 'en', strength: 1}")));

  /** As it is shown in a message. */
  private static final String SPEC =
      "{ locale: \"en\", caseLevel: false, caseFirst: \"off\", strength: 1, numericOrdering: false,"
          + " alternate: \"non-ignorable\", maxVariable: \"punct\", normalization: false,"
          + " backwards: false, version: \"57.1\" }";

  private final Store store = new Store();

  private static EngineException refused(Runnable write) {
    EngineException refused = catchThrowableOfType(EngineException.class, write::run);
    assertThat(refused.code()).isEqualTo(11000);
    return refused;
  }

  private static String hex(String text) {
    return HexFormat.of().formatHex(BLIND.sortText(text).getBytes(StandardCharsets.ISO_8859_1));
  }

  private static BsonDocument details(String keyPattern, String keyValue, String hexEncoded) {
    BsonDocument details = json("{keyPattern: " + keyPattern + ", keyValue: " + keyValue + "}");
    if (!hexEncoded.isEmpty()) {
      details.putAll(json("{hexEncoded: " + hexEncoded + "}"));
    }
    return details.append("collation", BLIND.spec());
  }

  @Test
  void strings_of_an_index_with_a_collation_are_shown_as_it_has_them() {
    store.index("{a: 1, b: -1}", "{unique: true, collation: " + BLIND.spec().toJson() + "}");
    store.insert("{a: 'élan', b: 1}");
    EngineException refused = refused(() -> store.insert("{a: 'ELAN', b: 1}"));
    assertThat(refused.getMessage())
        .isEqualTo(
            "E11000 duplicate key error collection: db.c index: a_1_b_-1 collation: "
                + SPEC
                + " dup key: { a: \"0x"
                + hex("elan")
                + "\", b: 1 }");
    assertThat(refused.details())
        .isEqualTo(details("{a: 1, b: -1}", "{a: '" + hex("elan") + "', b: 1}", "[true, false]"));
    assertThat(hex("elan")).matches("[0-9a-f]{8}");
  }

  @Test
  void a_key_without_strings_has_nothing_to_encode() {
    store.index("{a: 1}", "{unique: true, collation: " + BLIND.spec().toJson() + "}");
    store.insert("{a: 1}");
    EngineException refused = refused(() -> store.insert("{a: 1}"));
    assertThat(refused.getMessage()).endsWith(" collation: " + SPEC + " dup key: { a: 1 }");
    assertThat(refused.details()).isEqualTo(details("{a: 1}", "{a: 1}", ""));
  }

  @Test
  void strings_within_a_value_are_sort_keys_too_but_not_encoded() {
    store.index("{a: 1}", "{unique: true, collation: " + BLIND.spec().toJson() + "}");
    store.insert("{a: {b: ['x']}}");
    EngineException refused = refused(() -> store.insert("{a: {b: ['X']}}"));
    BsonDocument value = refused.details().getDocument("keyValue").getDocument("a");
    assertThat(value.getArray("b")).containsExactly(new BsonString(BLIND.sortText("x")));
    assertThat(refused.details()).doesNotContainKey("hexEncoded");
  }

  @Test
  void an_id_is_shown_by_the_collection_s_collation() {
    store.create("{collation: " + BLIND.spec().toJson() + "}").insert("{_id: 'a'}");
    EngineException refused = refused(() -> store.insert("{_id: 'A'}"));
    assertThat(refused.getMessage())
        .isEqualTo(
            "E11000 duplicate key error collection: db.c index: _id_ collation: "
                + SPEC
                + " dup key: { _id: \"0x"
                + hex("a")
                + "\" }");
    assertThat(refused.details())
        .isEqualTo(details("{_id: 1}", "{_id: '" + hex("a") + "'}", "[true]"));
  }

  @Test
  void a_clustered_collection_names_no_index() {
    String clustered = "clusteredIndex: {key: {_id: 1}, unique: true}";
    store.create("{" + clustered + ", collation: " + BLIND.spec().toJson() + "}");
    store.insert("{_id: 'a'}", "{_id: 1}");
    assertThat(refused(() -> store.insert("{_id: 'A'}")).getMessage())
        .isEqualTo(
            "E11000 duplicate key error collection: db.c collation: "
                + SPEC
                + " dup key: { _id: \"0x"
                + hex("a")
                + "\" }");
    assertThat(refused(() -> store.insert("{_id: 1}")).details())
        .isEqualTo(details("{_id: 1}", "{_id: 1}", ""));
    Store plain = new Store().create("{" + clustered + "}").insert("{_id: 1}");
    EngineException refused = refused(() -> plain.insert("{_id: 1}"));
    assertThat(refused.getMessage())
        .isEqualTo("E11000 duplicate key error collection: db.c dup key: { _id: 1 }");
    assertThat(refused.details()).isEqualTo(json("{keyPattern: {_id: 1}, keyValue: {_id: 1}}"));
  }

  @Test
  void building_an_index_tells_the_same() {
    store.insert("{a: 'x'}", "{a: 'X'}");
    EngineException refused =
        refused(
            () ->
                store.index("{a: 1}", "{unique: true, collation: " + BLIND.spec().toJson() + "}"));
    assertThat(refused.details()).isEqualTo(details("{a: 1}", "{a: '" + hex("x") + "'}", "[true]"));
  }
}
