// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.trace.otlp;

import dev.perdure.server.config.Configuration;
import dev.perdure.server.trace.OtlpEndpoint;
import dev.perdure.server.trace.TraceSettings;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporterBuilder;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.time.Duration;
import java.util.function.IntConsumer;

/**
 * Sends spans to the collector: a queue of fixed length and one thread. Spans are dropped when the
 * queue is full, so that a collector that hangs costs neither time nor memory.
 */
final class SpanExport {

  /** The maximum number of spans that wait; about a kilobyte each. */
  static final int QUEUE_SIZE = 2_048;

  /** The maximum number of spans in one request. */
  static final int BATCH_SIZE = 512;

  private static final AttributeKey<String> SERVICE_NAME = AttributeKey.stringKey("service.name");
  private static final Duration EXPORT_INTERVAL = Duration.ofSeconds(1);

  private SpanExport() {}

  /**
   * A processor that sends spans to this collector.
   *
   * @param dropped receives the number of lost spans
   */
  static SpanProcessor processor(OtlpEndpoint endpoint, IntConsumer dropped) {
    OtlpHttpSpanExporterBuilder exporter =
        OtlpHttpSpanExporter.builder()
            .setEndpoint(endpoint.tracesUrl().toString())
            .setCompression(endpoint.compression())
            .setTimeout(endpoint.timeout());
    endpoint.headers().forEach(exporter::addHeader);
    return BoundedSpanProcessor.of(
        QUEUE_SIZE, exporter.build(), dropped, counting -> queue(counting, endpoint.timeout()));
  }

  private static SpanProcessor queue(SpanExporter exporter, Duration timeout) {
    return BatchSpanProcessor.builder(exporter)
        .setMaxQueueSize(QUEUE_SIZE)
        .setMaxExportBatchSize(BATCH_SIZE)
        .setScheduleDelay(EXPORT_INTERVAL)
        .setExporterTimeout(timeout)
        .build();
  }

  /**
   * The attributes of this server on every span. Its name comes from {@code otel_service_name},
   * else from {@code otel_resource_attributes}, else it is the default.
   */
  static Resource resource(Configuration configuration, String node, String version) {
    Configuration.Entry name = configuration.entry(TraceSettings.SERVICE_NAME);
    Attributes own =
        Attributes.of(
            SERVICE_NAME,
            name.setting().defaultText(),
            AttributeKey.stringKey("service.version"),
            version,
            AttributeKey.stringKey("service.instance.id"),
            node);
    AttributesBuilder given = Attributes.builder();
    configuration
        .get(TraceSettings.RESOURCE_ATTRIBUTES)
        .forEach((key, value) -> given.put(AttributeKey.stringKey(key), value));
    if (!name.isDefault()) {
      given.put(SERVICE_NAME, configuration.get(TraceSettings.SERVICE_NAME));
    }
    return Resource.create(own).merge(Resource.create(given.build()));
  }
}
