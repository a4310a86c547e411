// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientException;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoCredential;
import com.mongodb.connection.ClusterConnectionMode;
import com.mongodb.connection.TransportSettings;
import io.fairlead.topology.HostAddress;
import io.fairlead.wire.message.Compressor;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ClusterSettingsTest {
  static Stream<Arguments> unsupported() {
    return Stream.of(
        refused(
            "authentication",
            each -> each.credential(MongoCredential.createCredential("u", "d", new char[] {'p'}))),
        refused("TLS", each -> each.applyToSslSettings(tls -> tls.enabled(true))),
        refused(
            "load balancer",
            each ->
                each.applyToClusterSettings(
                    cluster -> cluster.mode(ClusterConnectionMode.LOAD_BALANCED))),
        refused(
            "transport", each -> each.transportSettings(TransportSettings.nettyBuilder().build())),
        refused(
            "proxy",
            each ->
                each.applyToSocketSettings(
                    socket -> socket.applyToProxySettings(proxy -> proxy.host("p")))),
        refused(
            "receiveBufferSize",
            each -> each.applyToSocketSettings(socket -> socket.receiveBufferSize(1024))),
        refused("inetAddressResolver", each -> each.inetAddressResolver(host -> List.of())));
  }

  private static Arguments refused(
      String name, UnaryOperator<MongoClientSettings.Builder> setting) {
    return Arguments.of(name, setting);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("unsupported")
  void what_is_not_supported_is_refused_by_name(
      String name, UnaryOperator<MongoClientSettings.Builder> setting) {
    MongoClientSettings settings = setting.apply(MongoClientSettings.builder()).build();
    assertThatThrownBy(() -> ClusterSettings.from(settings, RoutingOptions.defaults()))
        .isInstanceOf(MongoClientException.class)
        .hasMessageStartingWith("not supported: ")
        .hasMessageContaining(name);
  }

  @Test
  void a_connection_string_is_read_whole() {
    ClusterSettings settings =
        ClusterSettings.from(
            new ConnectionString(
                "mongodb://One,two:27018/?replicaSet=rs0&heartbeatFrequencyMS=700&localThresholdMS=5&connectTimeoutMS=900"
                    + "&socketTimeoutMS=800&serverSelectionTimeoutMS=600&compressors=zlib&timeoutMS=1234"
                    + "&maxAdaptiveRetries=4&enableOverloadRetargeting=true"));
    assertThat(settings.seeds())
        .containsExactly(new HostAddress("one", 27017), new HostAddress("two", 27018));
    assertThat(settings.replicaSetName()).isEqualTo("rs0");
    assertThat(settings.directConnection()).isFalse();
    assertThat(settings.heartbeatFrequency()).isEqualTo(Duration.ofMillis(700));
    assertThat(settings.localThreshold()).isEqualTo(Duration.ofMillis(5));
    assertThat(settings.connectTimeout()).isEqualTo(Duration.ofMillis(900));
    assertThat(settings.readTimeout()).isEqualTo(Duration.ofMillis(800));
    assertThat(settings.serverSelectionTimeout()).isEqualTo(Duration.ofMillis(600));
    assertThat(settings.timeout()).isEqualTo(Duration.ofMillis(1234));
    assertThat(settings.compressors()).containsExactly(Compressor.ZLIB);
    assertThat(settings.maxAdaptiveRetries()).isEqualTo(4);
    assertThat(settings.overloadRetargeting()).isTrue();
  }

  @Test
  void what_is_unset_has_the_documented_default() {
    ClusterSettings settings = ClusterSettings.from(new ConnectionString("mongodb://one,two"));
    assertThat(settings.maxAdaptiveRetries()).isEqualTo(2);
    assertThat(settings.overloadRetargeting()).isFalse();
    assertThat(settings.timeout()).isNull();
    assertThat(settings.localThreshold()).isEqualTo(Duration.ofMillis(15));
  }
}
