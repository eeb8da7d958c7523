// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.HandlerRegistry.HandlerRegistration;
import dev.perdure.engine.internal.TaskLifecycle;
import dev.perdure.engine.task.Outcome;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.policy.Failure;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/**
 * Runs one attempt: reads the payload, calls the handler, and turns what came of it into an outcome
 * for the settler. Holds no connection and no transaction meanwhile.
 */
final class Runner {

  private final HandlerRegistry handlerRegistry;
  private final PayloadCodec payloadCodec;
  private final TaskTracer tracer;
  private final TaskLifecycle taskLifecycle;
  private final EngineEnvironment engineEnvironment;
  private final Settler settler;
  private final InFlightAttempts inFlightAttempts;
  private final LogContext logContext;

  Runner(
      HandlerRegistry handlerRegistry,
      PayloadCodec payloadCodec,
      TaskTracer tracer,
      TaskLifecycle taskLifecycle,
      EngineEnvironment engineEnvironment,
      Settler settler,
      InFlightAttempts inFlightAttempts,
      LogContext logContext) {
    this.handlerRegistry = handlerRegistry;
    this.payloadCodec = payloadCodec;
    this.tracer = tracer;
    this.taskLifecycle = taskLifecycle;
    this.engineEnvironment = engineEnvironment;
    this.settler = settler;
    this.inFlightAttempts = inFlightAttempts;
    this.logContext = logContext;
  }

  /** Starts the attempt on a worker of its own. */
  void start(RunningAttempt runningAttempt) {
    String name = runningAttempt.task().definition().kind() + " " + runningAttempt.task().id();
    Runnable work = () -> logContext.run(runningAttempt.task(), () -> run(runningAttempt));
    try {
      runningAttempt.runsOn(engineEnvironment.executor().start(name, work));
    } catch (RuntimeException | Error cannotStart) {
      end(runningAttempt, new Outcome.HandedBack());
      throw cannotStart;
    }
  }

  private void run(RunningAttempt runningAttempt) {
    AttemptContext context =
        new AttemptContext(
            runningAttempt, payloadCodec, tracer, taskLifecycle, engineEnvironment.monotonic());
    Outcome outcome;
    try {
      // Canceled, or no longer ours, before a worker came to it: then nobody is called.
      outcome =
          runningAttempt.begin(engineEnvironment.monotonic().now())
              ? attempt(runningAttempt, context)
              : new Outcome.HandedBack();
    } catch (Throwable thrown) {
      outcome = failed(runningAttempt, context, thrown);
    }
    end(runningAttempt, timedOutIfLate(runningAttempt, outcome));
    inFlightAttempts.handlerEnded(runningAttempt);
  }

  /**
   * What a handler says after its timeout comes too late; but when its own transaction may have
   * ended the attempt, that stands.
   */
  private static Outcome timedOutIfLate(RunningAttempt runningAttempt, Outcome outcome) {
    boolean late = runningAttempt.stopReason() == RunningAttempt.AttemptStopReason.TIMED_OUT;
    boolean stands =
        runningAttempt.settledByHandler() != null && outcome instanceof Outcome.Succeeded;
    return late && !stands ? new Outcome.TimedOut() : outcome;
  }

  /** Ends the attempt, unless somebody else already spoke for it. */
  void end(RunningAttempt runningAttempt, Outcome outcome) {
    if (runningAttempt.end()) {
      Duration tick = engineEnvironment.monotonic().now();
      settler.add(runningAttempt, decide(runningAttempt, outcome, tick), tick);
    }
  }

  private TaskChange decide(RunningAttempt runningAttempt, Outcome outcome, Duration tick) {
    Instant now = runningAttempt.databaseTime(tick);
    try {
      return taskLifecycle.settle(runningAttempt.task(), outcome, now);
    } catch (RuntimeException undecidable) {
      // The attempt must end all the same: its slot and its lease would be held for ever.
      String why = "its end could not be decided: " + undecidable;
      Outcome parked = new Outcome.Parked(Failures.truncate(why, Failures.MAX_MESSAGE_CHARACTERS));
      return taskLifecycle.settle(runningAttempt.task(), parked, now);
    }
  }

  private Outcome attempt(RunningAttempt runningAttempt, AttemptContext context) throws Exception {
    String name = runningAttempt.task().definition().queueOrKind();
    HandlerRegistration<?> handlerRegistration = handlerRegistry.find(name);
    if (handlerRegistration == null) {
      return new Outcome.Parked("no handler for '" + name + "'");
    }
    return attempt(handlerRegistration, runningAttempt, context);
  }

  private <P> Outcome attempt(
      HandlerRegistration<P> handlerRegistration,
      RunningAttempt runningAttempt,
      AttemptContext context)
      throws Exception {
    P payload;
    try {
      payload =
          payloadCodec.read(
              runningAttempt.task().definition().payload(), handlerRegistration.type());
    } catch (JacksonException unreadable) {
      return new Outcome.Parked(
          Failures.truncate(
              "the payload is no "
                  + handlerRegistration.type().getSimpleName()
                  + ": "
                  + unreadable.getOriginalMessage(),
              Failures.MAX_MESSAGE_CHARACTERS));
    }
    handlerRegistration.handler().handle(payload, context);
    return returned(runningAttempt, context);
  }

  /** A handler that returns because its node stops has most likely not finished. */
  private static Outcome returned(RunningAttempt runningAttempt, AttemptContext context) {
    boolean brokenOff =
        runningAttempt.stopReason() == RunningAttempt.AttemptStopReason.NODE_STOPPING
            && context.sawStopRequest();
    return brokenOff && !context.hasRequestedOutcome()
        ? new Outcome.HandedBack()
        : context.outcome();
  }

  private Outcome failed(RunningAttempt runningAttempt, AttemptContext context, Throwable thrown) {
    if (context.hasRequestedOutcome()) {
      return context.outcome();
    }
    if (runningAttempt.stopReason() == RunningAttempt.AttemptStopReason.NODE_STOPPING) {
      return new Outcome.HandedBack();
    }
    Failure failure = Failures.of(thrown);
    HandlerRegistration<?> handlerRegistration =
        handlerRegistry.find(runningAttempt.task().definition().queueOrKind());
    if (handlerRegistration != null) {
      Throwable inner = Failures.unwrap(thrown);
      failure =
          applyHandlerOptions(handlerRegistration.options(), failure, context.attempt(), inner);
    }
    return new Outcome.Failed(failure, Failures.stack(thrown));
  }

  /** What the kind's own functions make of the failure; nothing, when they break. */
  @SuppressWarnings("ReferenceEquality") // An exception cannot be suppressed in itself.
  private static Failure applyHandlerOptions(
      HandlerOptions options, Failure failure, long attempt, Throwable thrown) {
    try {
      if (!options.retryIf().test(thrown)) {
        return failure.withPermanent(true);
      }
      @Nullable Duration delay =
          options.backoff() == null ? null : options.backoff().delayAfter(attempt, thrown);
      if (delay != null && delay.isNegative()) {
        throw new IllegalArgumentException("backoff: must not be negative, not " + delay);
      }
      return delay == null ? failure : failure.withRequestedDelay(delay);
    } catch (RuntimeException | Error broken) {
      // The attempt must end all the same: its slot and its lease would be held for ever.
      if (thrown != broken) {
        thrown.addSuppressed(broken);
      }
      return failure;
    }
  }
}
