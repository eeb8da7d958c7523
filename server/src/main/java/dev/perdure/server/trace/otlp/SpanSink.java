// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.trace.otlp;

import dev.perdure.server.config.Configuration;
import dev.perdure.server.config.TraceSettings;
import dev.perdure.server.trace.Collector;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporterBuilder;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import java.time.Duration;

/**
 * Where spans go: a queue of a fixed length, from which one thread sends them to the collector.
 * What finds the queue full is dropped, so that a collector that hangs costs neither time nor
 * memory.
 */
final class SpanSink {

  /** So many wait at most; about a kilobyte each. */
  static final int QUEUE = 2_048;

  /** So many are sent at once. */
  static final int BATCH = 512;

  private static final Duration EVERY = Duration.ofSeconds(1);

  private SpanSink() {}

  static SpanProcessor to(Collector collector, Configuration configuration) {
    Duration timeout = Duration.ofMillis(configuration.get(TraceSettings.TIMEOUT));
    OtlpHttpSpanExporterBuilder exporter =
        OtlpHttpSpanExporter.builder()
            .setEndpoint(collector.traces().toString())
            .setCompression(configuration.get(TraceSettings.COMPRESSION))
            .setTimeout(timeout);
    configuration.get(TraceSettings.HEADERS).forEach(exporter::addHeader);
    return BatchSpanProcessor.builder(exporter.build())
        .setMaxQueueSize(QUEUE)
        .setMaxExportBatchSize(BATCH)
        .setScheduleDelay(EVERY)
        .setExporterTimeout(timeout)
        .build();
  }

  /** What every span says of this server. */
  static Resource resource(Configuration configuration, String node, String version) {
    AttributesBuilder given = Attributes.builder();
    configuration
        .get(TraceSettings.RESOURCE_ATTRIBUTES)
        .forEach((name, value) -> given.put(AttributeKey.stringKey(name), value));
    Attributes own =
        Attributes.of(
            AttributeKey.stringKey("service.version"),
            version,
            AttributeKey.stringKey("service.instance.id"),
            node);
    // The name last: a variable of its own says it, and wins.
    Attributes name =
        Attributes.of(
            AttributeKey.stringKey("service.name"), configuration.get(TraceSettings.SERVICE_NAME));
    return Resource.create(own).merge(Resource.create(given.build())).merge(Resource.create(name));
  }
}
