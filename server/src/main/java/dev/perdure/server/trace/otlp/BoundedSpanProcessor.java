// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.trace.otlp;

import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.IntConsumer;

/**
 * Limits the spans that wait to be sent, and counts the lost ones: those dropped here and those
 * that the collector did not accept. The SDK's own queue also drops spans, but counts them only in
 * its own metrics. That queue has the same capacity, so that nothing is dropped there.
 */
final class BoundedSpanProcessor implements SpanProcessor {

  private final int capacity;
  private final AtomicInteger waiting;
  private final IntConsumer dropped;
  private final SpanProcessor queue;

  private BoundedSpanProcessor(
      int capacity, AtomicInteger waiting, IntConsumer dropped, SpanProcessor queue) {
    this.capacity = capacity;
    this.waiting = waiting;
    this.dropped = dropped;
    this.queue = queue;
  }

  /**
   * Creates a processor in front of a queue.
   *
   * @param dropped receives the number of lost spans
   * @param queue creates the queue of an exporter
   */
  static BoundedSpanProcessor of(
      int capacity,
      SpanExporter exporter,
      IntConsumer dropped,
      Function<SpanExporter, SpanProcessor> queue) {
    AtomicInteger waiting = new AtomicInteger();
    CountingExporter countingExporter = new CountingExporter(exporter, waiting, dropped);
    return new BoundedSpanProcessor(capacity, waiting, dropped, queue.apply(countingExporter));
  }

  /** Counts the spans that leave the queue. */
  private record CountingExporter(
      SpanExporter collector, AtomicInteger waiting, IntConsumer dropped) implements SpanExporter {

    @Override
    public CompletableResultCode export(Collection<SpanData> spans) {
      int count = spans.size();
      waiting.addAndGet(-count);
      CompletableResultCode result = collector.export(spans);
      return result.whenComplete(
          () -> {
            if (!result.isSuccess()) {
              dropped.accept(count);
            }
          });
    }

    @Override
    public CompletableResultCode flush() {
      return collector.flush();
    }

    @Override
    public CompletableResultCode shutdown() {
      return collector.shutdown();
    }
  }

  @Override
  public void onEnd(ReadableSpan span) {
    if (!span.getSpanContext().isSampled()) {
      return; // The queue ignores it.
    }
    if (waiting.incrementAndGet() > capacity) {
      waiting.decrementAndGet();
      dropped.accept(1);
      return;
    }
    queue.onEnd(span);
  }

  @Override
  public boolean isEndRequired() {
    return true;
  }

  @Override
  public void onStart(Context parent, ReadWriteSpan span) {
    // Only ended spans are sent.
  }

  @Override
  public boolean isStartRequired() {
    return false;
  }

  @Override
  public CompletableResultCode forceFlush() {
    return queue.forceFlush();
  }

  @Override
  public CompletableResultCode shutdown() {
    return queue.shutdown();
  }
}
