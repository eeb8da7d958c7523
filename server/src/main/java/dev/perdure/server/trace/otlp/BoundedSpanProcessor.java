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
 * Lets so many spans wait and drops the others, and counts what nobody will see: the dropped, and
 * those that the collector did not take. The SDK's own queue drops too, but tells only its own kind
 * of metrics; it is as long as this gate is wide, so that nothing is dropped there.
 */
final class BoundedSpanProcessor implements SpanProcessor {

  private final int capacity;
  private final AtomicInteger waiting;
  private final IntConsumer dropped;
  private final SpanProcessor queue;

  private BoundedSpanProcessor(
      int room, AtomicInteger waiting, IntConsumer dropped, SpanProcessor queue) {
    this.capacity = room;
    this.waiting = waiting;
    this.dropped = dropped;
    this.queue = queue;
  }

  /**
   * A gate before a queue.
   *
   * @param dropped is told how many
   * @param queue makes the one of an exporter
   */
  static BoundedSpanProcessor of(
      int room,
      SpanExporter exporter,
      IntConsumer dropped,
      Function<SpanExporter, SpanProcessor> queue) {
    AtomicInteger waiting = new AtomicInteger();
    CountingExporter countingExporter = new CountingExporter(exporter, waiting, dropped);
    return new BoundedSpanProcessor(room, waiting, dropped, queue.apply(countingExporter));
  }

  /** The other end of the queue. */
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
      return; // The queue does not take it.
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
    // Only what has ended is sent.
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
