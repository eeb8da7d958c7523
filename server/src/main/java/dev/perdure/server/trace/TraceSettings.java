// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.trace;

import dev.perdure.server.config.Setting;
import dev.perdure.server.config.SettingParsers;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Where spans go. The names and what they mean are OpenTelemetry's, so that what an operator has
 * set for other programs serves here too.
 */
public final class TraceSettings {

  private static final int MAX_TIMEOUT_MS = 600_000;
  private static final int MAX_NAME_LENGTH = 255;

  public static final Setting<Optional<URI>> ENDPOINT =
      Setting.of(
              "otel_exporter_otlp_endpoint",
              "",
              TraceParsers::endpoint,
              "The collector that spans are sent to, such as `http://collector:4318`; without one"
                  + " nothing is recorded. `/v1/traces` is added.")
          .redactedBy(SettingParsers::withoutSecrets);

  public static final Setting<Optional<URI>> TRACES_ENDPOINT =
      Setting.of(
              "otel_exporter_otlp_traces_endpoint",
              "",
              TraceParsers::endpoint,
              "The same, for a whole address to which nothing is added; it wins.")
          .redactedBy(SettingParsers::withoutSecrets);

  public static final Setting<Map<String, String>> HEADERS =
      Setting.of(
              "otel_exporter_otlp_headers",
              "",
              TraceParsers::pairs,
              "What the collector is sent as headers: `name=value`, with commas between them.")
          .redactedBy(SettingParsers::masked);

  public static final Setting<Optional<Map<String, String>>> TRACES_HEADERS =
      Setting.of(
              "otel_exporter_otlp_traces_headers",
              "",
              SettingParsers.optional(TraceParsers::pairs),
              "The same for spans; it wins, and nothing is added to it.")
          .redactedBy(SettingParsers::masked);

  public static final Setting<Integer> TIMEOUT =
      Setting.of(
          "otel_exporter_otlp_timeout",
          "10000",
          SettingParsers.integer(1, MAX_TIMEOUT_MS),
          "How long the collector may take to answer, in milliseconds.");

  public static final Setting<Optional<Integer>> TRACES_TIMEOUT =
      Setting.of(
          "otel_exporter_otlp_traces_timeout",
          "",
          SettingParsers.optional(SettingParsers.integer(1, MAX_TIMEOUT_MS)),
          "The same for spans; it wins.");

  public static final Setting<String> COMPRESSION =
      Setting.of(
          "otel_exporter_otlp_compression",
          "none",
          TraceParsers.oneOf("none", "gzip"),
          "How spans are packed: `none` or `gzip`.");

  public static final Setting<Optional<String>> TRACES_COMPRESSION =
      Setting.of(
          "otel_exporter_otlp_traces_compression",
          "",
          SettingParsers.optional(TraceParsers.oneOf("none", "gzip")),
          "The same for spans; it wins.");

  public static final Setting<String> PROTOCOL =
      Setting.of(
          "otel_exporter_otlp_protocol",
          "http/protobuf",
          SettingParsers.text(MAX_NAME_LENGTH),
          "`http/protobuf`, the one that is spoken; collectors listen for it on port 4318. Another"
              + " is an error once there is a collector.");

  public static final Setting<Optional<String>> TRACES_PROTOCOL =
      Setting.of(
          "otel_exporter_otlp_traces_protocol",
          "",
          SettingParsers.optional(SettingParsers.text(MAX_NAME_LENGTH)),
          "The same for spans; it wins.");

  public static final Setting<String> SERVICE_NAME =
      Setting.of(
          "otel_service_name",
          "perdure",
          SettingParsers.text(MAX_NAME_LENGTH),
          "What this server is called in traces.");

  public static final Setting<Map<String, String>> RESOURCE_ATTRIBUTES =
      Setting.of(
          "otel_resource_attributes",
          "",
          TraceParsers::pairs,
          "What else traces say of this server: `name=value`, with commas between them.");

  public static final Setting<String> EXPORTER =
      Setting.of(
          "otel_traces_exporter",
          "otlp",
          TraceParsers.oneOf("otlp", "none"),
          "`none` records nothing, whatever the endpoint.");

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
          "Which traces are recorded: `always_on`, `always_off`, `traceidratio`, or one of these"
              + " after `parentbased_`, for traces that nobody decided on before.");

  public static final Setting<Double> SAMPLER_ARG =
      Setting.of(
          "otel_traces_sampler_arg",
          "1.0",
          TraceParsers::ratio,
          "What part of all traces `traceidratio` takes, from 0 to 1.");

  public static final Setting<Boolean> DISABLED =
      Setting.of(
          "otel_sdk_disabled",
          "false",
          SettingParsers::bool,
          "Record nothing, whatever the endpoint.");

  /** In the order in which they are shown. */
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
