// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.trace;

import dev.perdure.server.config.Setting;
import dev.perdure.server.config.SettingParsers;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The settings of tracing. Names and meanings are OpenTelemetry's, so that variables that are set
 * for other programs work here too.
 */
public final class TraceSettings {

  private static final int MAX_TIMEOUT_MS = 600_000;
  private static final int MAX_NAME_LENGTH = 255;

  public static final Setting<Optional<URI>> ENDPOINT =
      Setting.of(
              "otel_exporter_otlp_endpoint",
              "",
              TraceParsers::endpoint,
              "Base URL of the OpenTelemetry collector, such as `http://collector:4318`; `/v1/traces` is"
                  + " appended. Without it nothing is recorded.")
          .redactedBy(SettingParsers::withoutSecrets);

  public static final Setting<Optional<URI>> TRACES_ENDPOINT =
      Setting.of(
              "otel_exporter_otlp_traces_endpoint",
              "",
              TraceParsers::endpoint,
              "URL for spans, used as it is. It overrides `otel_exporter_otlp_endpoint`.")
          .redactedBy(SettingParsers::withoutSecrets);

  public static final Setting<Map<String, String>> HEADERS =
      Setting.of(
              "otel_exporter_otlp_headers",
              "",
              TraceParsers::pairs,
              "Headers for requests to the collector: `name=value` pairs, separated by commas.")
          .secret();

  public static final Setting<Optional<Map<String, String>>> TRACES_HEADERS =
      Setting.of(
              "otel_exporter_otlp_traces_headers",
              "",
              SettingParsers.optional(TraceParsers::pairs),
              "Headers for spans. They replace `otel_exporter_otlp_headers`.")
          .secret();

  public static final Setting<Integer> TIMEOUT =
      Setting.of(
          "otel_exporter_otlp_timeout",
          "10000",
          SettingParsers.integer(1, MAX_TIMEOUT_MS),
          "How long a request to the collector may take, in milliseconds.");

  public static final Setting<Optional<Integer>> TRACES_TIMEOUT =
      Setting.of(
          "otel_exporter_otlp_traces_timeout",
          "",
          SettingParsers.optional(SettingParsers.integer(1, MAX_TIMEOUT_MS)),
          "Timeout for spans. It overrides `otel_exporter_otlp_timeout`.");

  public static final Setting<String> COMPRESSION =
      Setting.of(
          "otel_exporter_otlp_compression",
          "none",
          TraceParsers.oneOf("none", "gzip"),
          "Compression of requests to the collector: `none` or `gzip`.");

  public static final Setting<Optional<String>> TRACES_COMPRESSION =
      Setting.of(
          "otel_exporter_otlp_traces_compression",
          "",
          SettingParsers.optional(TraceParsers.oneOf("none", "gzip")),
          "Compression for spans. It overrides `otel_exporter_otlp_compression`.");

  public static final Setting<String> PROTOCOL =
      Setting.of(
          "otel_exporter_otlp_protocol",
          "http/protobuf",
          SettingParsers.text(MAX_NAME_LENGTH),
          "Protocol of the collector. Only `http/protobuf` is supported, which collectors accept on"
              + " port 4318; any other value is an error if an endpoint is set.");

  public static final Setting<Optional<String>> TRACES_PROTOCOL =
      Setting.of(
          "otel_exporter_otlp_traces_protocol",
          "",
          SettingParsers.optional(SettingParsers.text(MAX_NAME_LENGTH)),
          "Protocol for spans. It overrides `otel_exporter_otlp_protocol`.");

  public static final Setting<String> SERVICE_NAME =
      Setting.of(
          "otel_service_name",
          "perdure",
          SettingParsers.text(MAX_NAME_LENGTH),
          "Name of this server in traces.");

  public static final Setting<Map<String, String>> RESOURCE_ATTRIBUTES =
      Setting.of(
          "otel_resource_attributes",
          "",
          TraceParsers::pairs,
          "More attributes of this server in traces: `name=value` pairs, separated by commas.");

  public static final Setting<String> EXPORTER =
      Setting.of(
          "otel_traces_exporter",
          "otlp",
          TraceParsers.oneOf("otlp", "none"),
          "Exporter of spans: `otlp`, or `none` to record nothing.");

  public static final Setting<String> SAMPLER =
      Setting.of(
          "otel_traces_sampler",
          "parentbased_always_on",
          TraceParsers.oneOf(
              "always_on",
              "always_off",
              "traceidratio",
              "parentbased_always_on",
              "parentbased_always_off",
              "parentbased_traceidratio"),
          "Which traces are recorded: `always_on`, `always_off` or `traceidratio`. With the prefix"
              + " `parentbased_` it applies only to traces that the submitter did not decide on.");

  public static final Setting<Double> SAMPLER_ARG =
      Setting.of(
          "otel_traces_sampler_arg",
          "1.0",
          TraceParsers::ratio,
          "Share of traces that `traceidratio` records, from 0 to 1.");

  public static final Setting<Boolean> DISABLED =
      Setting.of(
          "otel_sdk_disabled",
          "false",
          SettingParsers::bool,
          "Record nothing, even if an endpoint is set.");

  /** All settings of this class, in the order in which they are shown. */
  public static final List<Setting<?>> ALL =
      List.of(
          ENDPOINT,
          TRACES_ENDPOINT,
          HEADERS,
          TRACES_HEADERS,
          TIMEOUT,
          TRACES_TIMEOUT,
          COMPRESSION,
          TRACES_COMPRESSION,
          PROTOCOL,
          TRACES_PROTOCOL,
          SERVICE_NAME,
          RESOURCE_ATTRIBUTES,
          EXPORTER,
          SAMPLER,
          SAMPLER_ARG,
          DISABLED);

  private TraceSettings() {}
}
