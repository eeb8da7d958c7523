// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.server.config.Configuration;
import dev.perdure.server.config.ConfigurationSource;
import dev.perdure.server.config.InvalidConfigurationException;
import dev.perdure.server.config.Setting;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TraceSettingsTest {

  private static Configuration with(String... variables) {
    Map<String, String> environment = new HashMap<>();
    for (int i = 0; i < variables.length; i += 2) {
      environment.put(variables[i], variables[i + 1]);
    }
    return Configuration.of(
        TraceSettings.ALL,
        List.of(ConfigurationSource.environment(TraceSettings.ALL, environment)));
  }

  @Test
  void tracing_is_off_without_an_endpoint() {
    assertThat(OtlpEndpoint.of(with())).isEmpty();
    assertThat(OtlpEndpoint.of(with("OTEL_SERVICE_NAME", "orders"))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "http://collector:4318, http://collector:4318/v1/traces",
    "http://collector:4318/, http://collector:4318/v1/traces",
    "https://collector.example.org/otlp, https://collector.example.org/otlp/v1/traces"
  })
  void the_traces_path_is_added_to_the_general_endpoint(String given, String used) {
    assertThat(OtlpEndpoint.of(with("OTEL_EXPORTER_OTLP_ENDPOINT", given)))
        .hasValueSatisfying(endpoint -> assertThat(endpoint.tracesUrl()).hasToString(used));
  }

  @Test
  void the_traces_endpoint_is_used_unchanged_and_takes_precedence() {
    Configuration configuration =
        with(
            "OTEL_EXPORTER_OTLP_ENDPOINT", "http://a:4318",
            "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "http://b:9/in");
    assertThat(OtlpEndpoint.of(configuration))
        .hasValueSatisfying(
            endpoint -> assertThat(endpoint.tracesUrl()).hasToString("http://b:9/in"));
  }

  @ParameterizedTest
  @CsvSource({"OTEL_SDK_DISABLED, true", "OTEL_TRACES_EXPORTER, none"})
  void tracing_can_be_switched_off(String variable, String value) {
    assertThat(
            OtlpEndpoint.of(with("OTEL_EXPORTER_OTLP_ENDPOINT", "http://a:4318", variable, value)))
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "OTEL_EXPORTER_OTLP_ENDPOINT, collector:4318, must be http:// or https://",
    "OTEL_EXPORTER_OTLP_ENDPOINT, ftp://collector, must be http:// or https://",
    "OTEL_EXPORTER_OTLP_ENDPOINT, 'http://a b', must be http:// or https://",
    "OTEL_EXPORTER_OTLP_COMPRESSION, zstd, must be none or gzip",
    "OTEL_EXPORTER_OTLP_TIMEOUT, 10s, must be a whole number",
    "OTEL_EXPORTER_OTLP_HEADERS, secret, must be name=value",
    "OTEL_EXPORTER_OTLP_HEADERS, a=%zz, contains a %",
    "OTEL_EXPORTER_OTLP_TRACES_HEADERS, secret, must be name=value",
    "OTEL_EXPORTER_OTLP_TRACES_TIMEOUT, 10s, must be a whole number",
    "OTEL_EXPORTER_OTLP_TRACES_COMPRESSION, zstd, must be none or gzip",
    "OTEL_TRACES_SAMPLER, jaeger_remote, must be always_on or",
    "OTEL_TRACES_SAMPLER_ARG, 1.5, must be a number from 0 to 1",
    "OTEL_TRACES_SAMPLER_ARG, NaN, must be a number from 0 to 1",
    "OTEL_TRACES_EXPORTER, zipkin, must be otlp or none",
    "OTEL_SDK_DISABLED, perhaps, must be true or false"
  })
  void an_invalid_value_is_reported_with_its_variable(
      String variable, String value, String message) {
    assertThatThrownBy(() -> with(variable, value))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessageContaining(variable)
        .hasMessageContaining(message);
  }

  @Test
  void headers_are_pairs_whose_values_may_be_percent_encoded() {
    assertThat(
            with("OTEL_EXPORTER_OTLP_HEADERS", " a = b%20c+d ,,k=x=y").get(TraceSettings.HEADERS))
        .containsExactly(Map.entry("a", "b c+d"), Map.entry("k", "x=y"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"OTEL_EXPORTER_OTLP_PROTOCOL", "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL"})
  void an_unsupported_protocol_is_an_error_only_when_tracing_is_on(String variable) {
    String endpoint = "OTEL_EXPORTER_OTLP_ENDPOINT";
    assertThat(OtlpEndpoint.of(with(variable, "grpc"))).isEmpty();
    assertThat(
            OtlpEndpoint.of(
                with(variable, "grpc", endpoint, "http://a:4317", "OTEL_SDK_DISABLED", "true")))
        .isEmpty();
    assertThat(OtlpEndpoint.of(with(variable, "HTTP/protobuf", endpoint, "http://a:4318")))
        .isPresent();
    assertThatThrownBy(() -> OtlpEndpoint.of(with(variable, "grpc", endpoint, "http://a:4317")))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessageContaining(variable.toLowerCase(Locale.ROOT) + ": must be http/protobuf")
        .hasMessageContaining("not 'grpc'");
  }

  @Test
  void traces_settings_take_precedence_over_general_settings() {
    String prefix = "OTEL_EXPORTER_OTLP_";
    Configuration both =
        with(
            prefix + "ENDPOINT", "http://a:4318",
            prefix + "HEADERS", "a=1,b=2",
            prefix + "TRACES_HEADERS", "c=3",
            prefix + "TIMEOUT", "1000",
            prefix + "TRACES_TIMEOUT", "2000",
            prefix + "COMPRESSION", "gzip",
            prefix + "TRACES_COMPRESSION", "none",
            prefix + "PROTOCOL", "grpc",
            prefix + "TRACES_PROTOCOL", "http/protobuf");
    Configuration general =
        with(
            prefix + "ENDPOINT", "http://a:4318",
            prefix + "HEADERS", "a=1,b=2",
            prefix + "TIMEOUT", "1000",
            prefix + "COMPRESSION", "gzip");

    URI traces = URI.create("http://a:4318/v1/traces");
    assertThat(OtlpEndpoint.of(both))
        .contains(new OtlpEndpoint(traces, Map.of("c", "3"), Duration.ofSeconds(2), "none"));
    assertThat(OtlpEndpoint.of(general))
        .contains(
            new OtlpEndpoint(traces, Map.of("a", "1", "b", "2"), Duration.ofSeconds(1), "gzip"));
  }

  @ParameterizedTest
  @CsvSource({
    "https://tok3n@collector:4318/in?key=s3cret, https://***@collector:4318/in?***",
    "https://ann:p@ss@collector:4318, https://***@collector:4318",
    "https://to/ken@collector:4318, https://***@collector:4318",
    "https://collector:4318/v1#tok, https://collector:4318/v1#***",
    "https://collector:4318/v1?a#b@c, https://collector:4318/v1?***",
    "http://collector:4318, http://collector:4318"
  })
  void an_endpoint_is_shown_without_user_query_and_fragment(String given, String shown) {
    for (Setting<?> setting : List.of(TraceSettings.ENDPOINT, TraceSettings.TRACES_ENDPOINT)) {
      assertThat(setting.redactor().apply(given)).isEqualTo(shown);
    }
  }

  @Test
  void secrets_are_not_shown() {
    Configuration configuration =
        with(
            "OTEL_EXPORTER_OTLP_HEADERS", "authorization=Bearer s3cret",
            "OTEL_EXPORTER_OTLP_TRACES_HEADERS", "authorization=Bearer s3cret",
            "OTEL_EXPORTER_OTLP_ENDPOINT", "https://ann:s3cret@collector:4318");

    assertThat(configuration.entries())
        .extracting(Configuration.Entry::redactedText)
        .noneMatch(shown -> shown.contains("s3cret"))
        .contains("***", "https://***@collector:4318");
  }
}
