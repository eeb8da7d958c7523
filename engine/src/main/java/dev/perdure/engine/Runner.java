// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.Handlers.Registration;
import dev.perdure.engine.task.Change;
import dev.perdure.engine.task.Lifecycle;
import dev.perdure.engine.task.Outcome;
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

  private final Handlers handlers;
  private final Means means;
  private final Lifecycle lifecycle;
  private final Sources sources;
  private final Settler settler;
  private final InFlight inFlight;

  Runner(
      Handlers handlers,
      Means means,
      Lifecycle lifecycle,
      Sources sources,
      Settler settler,
      InFlight inFlight) {
    this.handlers = handlers;
    this.means = means;
    this.lifecycle = lifecycle;
    this.sources = sources;
    this.settler = settler;
    this.inFlight = inFlight;
  }

  /** Starts the attempt on a worker of its own. */
  void start(Running running) {
    String name = running.task().definition().kind() + " " + running.task().id();
    try {
      running.by(sources.workers().start(name, () -> run(running)));
    } catch (RuntimeException | Error cannotStart) {
      end(running, new Outcome.HandedBack());
      throw cannotStart;
    }
  }

  private void run(Running running) {
    AttemptContext context = new AttemptContext(running, means, lifecycle, sources.monotonic());
    Outcome outcome;
    try {
      // Canceled, or no longer ours, before a worker came to it: then nobody is called.
      outcome =
          running.begin(sources.monotonic().now())
              ? attempt(running, context)
              : new Outcome.HandedBack();
    } catch (Throwable thrown) {
      outcome = failed(running, context, thrown);
    }
    end(running, inTime(running, outcome));
    inFlight.handlerEnded(running);
  }

  /**
   * What a handler says after its timeout comes too late; but when its own transaction may have
   * ended the attempt, that stands.
   */
  private static Outcome inTime(Running running, Outcome outcome) {
    boolean late = running.stopped() == Running.Stop.TIMED_OUT;
    boolean stands = running.settledByHandler() != null && outcome instanceof Outcome.Succeeded;
    return late && !stands ? new Outcome.TimedOut() : outcome;
  }

  /** Ends the attempt, unless somebody else already spoke for it. */
  void end(Running running, Outcome outcome) {
    if (running.end()) {
      Duration tick = sources.monotonic().now();
      settler.add(running, decided(running, outcome, tick), tick);
    }
  }

  private Change decided(Running running, Outcome outcome, Duration tick) {
    Instant now = running.databaseTime(tick);
    try {
      return lifecycle.settle(running.task(), outcome, now);
    } catch (RuntimeException undecidable) {
      // The attempt must end all the same: its slot and its lease would be held for ever.
      String why = "its end could not be decided: " + undecidable;
      Outcome parked = new Outcome.Parked(Failures.cut(why, Failures.MOST_MESSAGE_CHARACTERS));
      return lifecycle.settle(running.task(), parked, now);
    }
  }

  private Outcome attempt(Running running, AttemptContext context) throws Exception {
    String name = running.task().definition().claimedAs();
    Registration<?> registration = handlers.of(name);
    if (registration == null) {
      return new Outcome.Parked("no handler for '" + name + "'");
    }
    return attempt(registration, running, context);
  }

  private <P> Outcome attempt(Registration<P> registration, Running running, AttemptContext context)
      throws Exception {
    P payload;
    try {
      payload = means.payloads().read(running.task().definition().payload(), registration.type());
    } catch (JacksonException unreadable) {
      return new Outcome.Parked(
          Failures.cut(
              "the payload is no "
                  + registration.type().getSimpleName()
                  + ": "
                  + unreadable.getOriginalMessage(),
              Failures.MOST_MESSAGE_CHARACTERS));
    }
    registration.handler().handle(payload, context);
    return returned(running, context);
  }

  /** A handler that returns because its node stops has most likely not finished. */
  private static Outcome returned(Running running, AttemptContext context) {
    boolean brokenOff = running.stopped() == Running.Stop.NODE_STOPS && context.sawStop();
    return brokenOff && !context.hasSaid() ? new Outcome.HandedBack() : context.outcome();
  }

  private Outcome failed(Running running, AttemptContext context, Throwable thrown) {
    if (context.hasSaid()) {
      return context.outcome();
    }
    if (running.stopped() == Running.Stop.NODE_STOPS) {
      return new Outcome.HandedBack();
    }
    Failure failure = Failures.of(thrown);
    Registration<?> registration = handlers.of(running.task().definition().claimedAs());
    if (registration != null) {
      Throwable inner = Failures.unwrapped(thrown);
      failure = asTheKindWants(registration.options(), failure, context.attempt(), inner);
    }
    return new Outcome.Failed(failure, Failures.stack(thrown));
  }

  /** What the kind's own functions make of the failure; nothing, when they break. */
  @SuppressWarnings("ReferenceEquality") // An exception cannot be suppressed in itself.
  private static Failure asTheKindWants(
      HandlerOptions options, Failure failure, long attempt, Throwable thrown) {
    try {
      if (!options.retryIf().test(thrown)) {
        return failure.withPermanent(true);
      }
      @Nullable Duration delay =
          options.backoff() == null ? null : options.backoff().after(attempt, thrown);
      if (delay != null && delay.isNegative()) {
        throw new IllegalArgumentException("backoff: must not be negative, not " + delay);
      }
      return delay == null ? failure : failure.withAskedDelay(delay);
    } catch (RuntimeException | Error broken) {
      // The attempt must end all the same: its slot and its lease would be held for ever.
      if (thrown != broken) {
        thrown.addSuppressed(broken);
      }
      return failure;
    }
  }
}
