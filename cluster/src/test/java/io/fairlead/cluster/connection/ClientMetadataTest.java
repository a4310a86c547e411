// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.bson.BsonDocument;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class ClientMetadataTest {
  private final ClientMetadata metadata = new ClientMetadata("an application");

  private String driver(String field) {
    return metadata.document().getDocument("driver").getString(field).getValue();
  }

  private String platform() {
    return metadata.document().getString("platform").getValue();
  }

  @Test
  void it_says_who_connects_from_what() {
    BsonDocument document = metadata.document();
    assertThat(document.getDocument("application").getString("name").getValue())
        .isEqualTo("an application");
    assertThat(driver("name")).isEqualTo("fairlead");
    assertThat(document.getDocument("os")).containsKey("type");
    assertThat(platform()).startsWith("Java/");
  }

  @Test
  void libraries_are_appended_in_their_order_and_only_what_they_say() {
    String version = driver("version");
    String platform = platform();
    metadata.append(new WrappingLibrary("library", "1.2", "Library Platform"));
    metadata.append(new WrappingLibrary("framework", null, "Framework Platform"));
    assertThat(driver("name")).isEqualTo("fairlead|library|framework");
    assertThat(driver("version")).isEqualTo(version + "|1.2");
    assertThat(platform()).isEqualTo(platform + "|Library Platform|Framework Platform");
  }

  @Test
  void a_library_is_named_once_however_often_it_is_appended() {
    WrappingLibrary library = new WrappingLibrary("library", "1.2", null);
    metadata.append(library);
    metadata.append(new WrappingLibrary("framework", "2.0", null));
    BsonDocument before = metadata.document();
    metadata.append(new WrappingLibrary("library", "1.2", null));
    assertThat(metadata.document()).isEqualTo(before);
    metadata.append(new WrappingLibrary("library", "1.3", null));
    assertThat(driver("name")).isEqualTo("fairlead|library|framework|library");
  }

  @Test
  void it_stays_within_512_bytes_by_leaving_out_what_matters_least() {
    metadata.append(new WrappingLibrary("library", "1", "\u00e9".repeat(200)));
    assertThat(size()).isLessThanOrEqualTo(512);
    assertThat(metadata.document().getDocument("os")).containsOnlyKeys("type");
    assertThat(driver("name")).isEqualTo("fairlead|library");
    assertThat(platform()).startsWith("Java/").endsWith("\u00e9");
    metadata.append(new WrappingLibrary("n".repeat(600), null, null));
    assertThat(size()).isLessThanOrEqualTo(512);
    assertThat(driver("name")).isEqualTo("fairlead");
  }

  private int size() {
    return new RawBsonDocument(metadata.document(), new BsonDocumentCodec())
        .getByteBuffer()
        .remaining();
  }

  @Test
  void what_would_be_read_as_several_is_refused() {
    refuse("a|b", null, null);
    refuse(null, "1|2", null);
    refuse(null, null, "|");
  }

  private static void refuse(
      @Nullable String name, @Nullable String version, @Nullable String platform) {
    assertThatThrownBy(() -> new WrappingLibrary(name, version, platform))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'|'");
  }

  @Test
  void an_application_name_is_at_most_128_bytes() {
    assertThatThrownBy(() -> new ClientMetadata("x".repeat(129)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
