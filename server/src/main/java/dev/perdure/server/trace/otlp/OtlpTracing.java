// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.trace.otlp;

import dev.perdure.engine.task.AttemptDetails;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TraceContext;
import dev.perdure.server.config.Configuration;
import dev.perdure.server.trace.CallSpan;
import dev.perdure.server.trace.OtlpEndpoint;
import dev.perdure.server.trace.Tracing;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import io.opentelemetry.sdk.trace.samplers.SamplingDecision;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

/**
 * Records spans with the OpenTelemetry SDK.
 *
 * <p>The span of an attempt is created when the attempt has ended, by the node that wrote its end.
 * The task holds everything the span needs, and its id follows from the task and the epoch. So
 * nothing is kept in memory while an attempt runs, and an attempt that is claimed by one node,
 * called by another and settled by a third is still one span.
 */
public final class OtlpTracing implements Tracing {

  /** How long the last spans may take to be sent when the server stops. */
  private static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(2);

  private final SdkTracerProvider provider;
  private final Tracer tracer;
  private final Sampler sampler;
  private final PresetIdGenerator ids;

  private OtlpTracing(SdkTracerProvider provider, Sampler sampler, PresetIdGenerator ids) {
    this.provider = provider;
    this.tracer = provider.get("dev.perdure");
    this.sampler = sampler;
    this.ids = ids;
  }

  /**
   * Starts a queue and a thread, which run until the tracing is closed.
   *
   * @param node the node's name
   * @param dropped receives the number of lost spans
   */
  public static Tracing open(
      OtlpEndpoint endpoint,
      Configuration configuration,
      String node,
      String version,
      IntConsumer dropped) {
    OtelLogBridge.install();
    Sampler sampler = Samplers.of(configuration);
    PresetIdGenerator ids = new PresetIdGenerator();
    SdkTracerProvider provider =
        SdkTracerProvider.builder()
            .setIdGenerator(ids)
            .setSampler(sampler)
            .setResource(SpanExport.resource(configuration, node, version))
            .addSpanProcessor(SpanExport.processor(endpoint, dropped))
            .build();
    return new OtlpTracing(provider, sampler, ids);
  }

  @Override
  public TraceContext attemptParent(Task task) {
    if (task.epoch() == 0) {
      return task.trace(); // It was never claimed.
    }
    TraceContext span = task.attemptTrace();
    SamplingDecision decision =
        sampler
            .shouldSample(
                ParentContexts.of(task),
                span.traceId(),
                AttemptSpan.name(task),
                SpanKind.CONSUMER,
                Attributes.empty(),
                List.of())
            .getDecision();
    return span.withSampled(decision == SamplingDecision.RECORD_AND_SAMPLE);
  }

  @Override
  public void onChanged(Task before, TaskChange change, Duration ran) {
    AttemptDetails details = change.attemptDetails();
    Instant started = before.times().startedAt();
    if (details == null || started == null) {
      return;
    }
    Span span =
        ids.start(
            tracer
                .spanBuilder(AttemptSpan.name(before))
                .setSpanKind(SpanKind.CONSUMER)
                .setParent(ParentContexts.of(before))
                .setStartTimestamp(started),
            before.attemptTrace());
    if (span.isRecording()) {
      AttemptSpan.describe(span, before, change, details);
    }
    span.end(started.plus(ran));
  }

  @Override
  public CallSpan startCall(TraceContext parent, Call call) {
    Span span =
        tracer
            .spanBuilder(call.method() + " " + call.trigger())
            .setSpanKind(SpanKind.CLIENT)
            .setParent(ParentContexts.of(parent))
            .startSpan();
    return OtlpCallSpan.of(span, parent, call);
  }

  @Override
  public void close() {
    provider.shutdown().join(SHUTDOWN_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
  }
}
