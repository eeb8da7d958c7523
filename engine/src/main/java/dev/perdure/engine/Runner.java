// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.HandlerRegistry.HandlerRegistration;
import dev.perdure.engine.internal.TaskLifecycle;
import dev.perdure.engine.query.BatchReader;
import dev.perdure.engine.task.Outcome;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.policy.Failure;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/**
 * Runs attempts: reads the payload, calls the handler, and turns the result into an outcome for the
 * settler. It holds no connection and no transaction meanwhile.
 */
final class Runner {

  private final HandlerRegistry handlers;
  private final PayloadCodec payloadCodec;
  private final TaskTracer tracer;
  private final TaskLifecycle lifecycle;
  private final EngineEnvironment environment;
  private final Settler settler;
  private final InFlightAttempts inFlight;
  private final BatchReader batches;
  private final LogContext logContext;

  Runner(
      HandlerRegistry handlers,
      PayloadCodec payloadCodec,
      TaskTracer tracer,
      TaskLifecycle lifecycle,
      EngineEnvironment environment,
      Settler settler,
      InFlightAttempts inFlight,
      BatchReader batches,
      LogContext logContext) {
    this.handlers = handlers;
    this.payloadCodec = payloadCodec;
    this.tracer = tracer;
    this.lifecycle = lifecycle;
    this.environment = environment;
    this.settler = settler;
    this.inFlight = inFlight;
    this.batches = batches;
    this.logContext = logContext;
  }

  /** Starts the attempt on a thread of its own. */
  void start(RunningAttempt running) {
    String name = running.task().definition().kind() + " " + running.task().id();
    Runnable work = () -> logContext.run(running.task(), () -> run(running));
    try {
      running.runsOn(environment.executor().start(name, work));
    } catch (RuntimeException | Error cannotStart) {
      end(running, new Outcome.HandedBack());
      throw cannotStart;
    }
  }

  private void run(RunningAttempt running) {
    AttemptContext context =
        new AttemptContext(
            running, payloadCodec, tracer, lifecycle, batches, environment.monotonic());
    Outcome outcome;
    try {
      // If the attempt was canceled or lost before a thread came to it, the handler is not called.
      outcome =
          running.begin(environment.monotonic().now())
              ? attempt(running, context)
              : new Outcome.HandedBack();
    } catch (Throwable thrown) {
      outcome = failed(running, context, thrown);
    }
    end(running, timedOutIfLate(running, outcome));
    inFlight.handlerEnded(running);
  }

  /**
   * A result that comes after the timeout is too late. But when the handler's own transaction may
   * have ended the attempt, its success stands.
   */
  private static Outcome timedOutIfLate(RunningAttempt running, Outcome outcome) {
    boolean late = running.stopReason() == RunningAttempt.AttemptStopReason.TIMED_OUT;
    boolean stands = running.settledByHandler() != null && outcome instanceof Outcome.Succeeded;
    return late && !stands ? new Outcome.TimedOut() : outcome;
  }

  /** Ends the attempt, unless it has already ended. */
  void end(RunningAttempt running, Outcome outcome) {
    if (running.end()) {
      Duration tick = environment.monotonic().now();
      settler.add(running, decide(running, outcome, tick), tick);
    }
  }

  private TaskChange decide(RunningAttempt running, Outcome outcome, Duration tick) {
    Instant now = running.databaseTime(tick);
    try {
      return lifecycle.settle(running.task(), outcome, now);
    } catch (RuntimeException undecidable) {
      // The attempt must end in any case, or its slot and lease would be held forever.
      String why = "the end of the attempt could not be decided: " + undecidable;
      Outcome parked =
          new Outcome.Parked(
              FailureConverter.truncate(why, FailureConverter.MAX_MESSAGE_CHARACTERS));
      return lifecycle.settle(running.task(), parked, now);
    }
  }

  private Outcome attempt(RunningAttempt running, AttemptContext context) throws Exception {
    String name = running.task().definition().queueOrKind();
    HandlerRegistration<?> registration = handlers.find(name);
    if (registration == null) {
      return new Outcome.Parked("no handler for '" + name + "'");
    }
    return attempt(registration, running, context);
  }

  private <P> Outcome attempt(
      HandlerRegistration<P> registration, RunningAttempt running, AttemptContext context)
      throws Exception {
    P payload;
    try {
      payload = payloadCodec.read(running.task().definition().payload(), registration.type());
    } catch (JacksonException unreadable) {
      return new Outcome.Parked(
          FailureConverter.truncate(
              "the payload cannot be read as "
                  + registration.type().getSimpleName()
                  + ": "
                  + unreadable.getOriginalMessage(),
              FailureConverter.MAX_MESSAGE_CHARACTERS));
    }
    registration.handler().handle(payload, context);
    return returned(running, context);
  }

  /** A handler that returns because its node stops has most likely not finished. */
  private static Outcome returned(RunningAttempt running, AttemptContext context) {
    boolean interrupted =
        running.stopReason() == RunningAttempt.AttemptStopReason.NODE_STOPPING
            && context.sawStopRequest();
    return interrupted && !context.hasRequestedOutcome()
        ? new Outcome.HandedBack()
        : context.outcome();
  }

  private Outcome failed(RunningAttempt running, AttemptContext context, Throwable thrown) {
    if (context.hasRequestedOutcome()) {
      return context.outcome();
    }
    if (running.stopReason() == RunningAttempt.AttemptStopReason.NODE_STOPPING) {
      return new Outcome.HandedBack();
    }
    Failure failure = FailureConverter.of(thrown);
    HandlerRegistration<?> registration = handlers.find(running.task().definition().queueOrKind());
    if (registration != null) {
      Throwable inner = FailureConverter.unwrap(thrown);
      failure = applyHandlerOptions(registration.options(), failure, context.attempt(), inner);
    }
    return new Outcome.Failed(failure, FailureConverter.stack(thrown));
  }

  /**
   * Applies the retryIf and backoff functions of the handler; they have no effect when they throw.
   */
  @SuppressWarnings("ReferenceEquality") // An exception cannot suppress itself.
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
      // The attempt must end in any case, or its slot and lease would be held forever.
      if (thrown != broken) {
        thrown.addSuppressed(broken);
      }
      return failure;
    }
  }
}
