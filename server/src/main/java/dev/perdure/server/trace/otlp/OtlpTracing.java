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
 * Records by OpenTelemetry.
 *
 * <p>The span of an attempt is made when the attempt has ended, by whichever node wrote that: what
 * it needs stands in the task, its id too, since that follows from the task and the epoch. So
 * nothing is remembered while an attempt runs, and an attempt that is claimed here, called there
 * and settled elsewhere is one span.
 */
public final class OtlpTracing implements Tracing {

  /** What is recorded last should be seen too, but nobody waits long for a collector. */
  private static final Duration STOP_LIMIT = Duration.ofSeconds(2);

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
   * Opens a queue and a thread, until it is closed.
   *
   * @param node its name, for people
   * @param dropped is told how many spans the collector will not see
   */
  public static Tracing open(
      OtlpEndpoint otlpEndpoint,
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
            .addSpanProcessor(SpanExport.processor(otlpEndpoint, dropped))
            .build();
    return new OtlpTracing(provider, sampler, ids);
  }

  @Override
  public TraceContext attemptParent(Task task) {
    if (task.epoch() == 0) {
      return task.trace(); // Nobody has tried it yet.
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
  public void onChanged(Task before, TaskChange taskChange, Duration ran) {
    AttemptDetails note = taskChange.attemptDetails();
    Instant started = before.times().startedAt();
    if (note == null || started == null) {
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
      AttemptSpan.describe(span, before, taskChange, note);
    }
    span.end(started.plus(ran));
  }

  @Override
  public CallSpan startCall(TraceContext cause, Call call) {
    Span span =
        tracer
            .spanBuilder(call.method() + " " + call.trigger())
            .setSpanKind(SpanKind.CLIENT)
            .setParent(ParentContexts.of(cause))
            .startSpan();
    return OtlpCallSpan.of(span, cause, call);
  }

  @Override
  public void close() {
    provider.shutdown().join(STOP_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
  }
}
