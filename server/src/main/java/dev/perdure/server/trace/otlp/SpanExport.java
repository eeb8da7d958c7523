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
 * Where spans go: a queue of a fixed length, from which one thread sends them to the collector.
 * What finds the queue full is dropped, so that a collector that hangs costs neither time nor
 * memory.
 */
final class SpanExport {

  /** So many wait at most; about a kilobyte each. */
  static final int QUEUE_SIZE = 2_048;

  /** So many are sent at once. */
  static final int BATCH_SIZE = 512;

  private static final AttributeKey<String> SERVICE_NAME = AttributeKey.stringKey("service.name");
  private static final Duration EXPORT_INTERVAL = Duration.ofSeconds(1);

  private SpanExport() {}

  /**
   * The way to this collector.
   *
   * @param dropped is told how many spans nobody will see
   */
  static SpanProcessor processor(OtlpEndpoint otlpEndpoint, IntConsumer dropped) {
    OtlpHttpSpanExporterBuilder exporter =
        OtlpHttpSpanExporter.builder()
            .setEndpoint(otlpEndpoint.tracesUrl().toString())
            .setCompression(otlpEndpoint.compression())
            .setTimeout(otlpEndpoint.timeout());
    otlpEndpoint.headers().forEach(exporter::addHeader);
    return BoundedSpanProcessor.of(
        QUEUE_SIZE, exporter.build(), dropped, exit -> queue(exit, otlpEndpoint.timeout()));
  }

  private static SpanProcessor queue(SpanExporter exit, Duration timeout) {
    return BatchSpanProcessor.builder(exit)
        .setMaxQueueSize(QUEUE_SIZE)
        .setMaxExportBatchSize(BATCH_SIZE)
        .setScheduleDelay(EXPORT_INTERVAL)
        .setExporterTimeout(timeout)
        .build();
  }

  /**
   * What every span says of this server. Its name is, from the strongest: the variable for it, the
   * one among the attributes, ours.
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
