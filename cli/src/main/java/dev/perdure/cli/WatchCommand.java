// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.cli.text.LiveBlock;
import dev.perdure.cli.text.TerminalSanitizer;
import dev.perdure.cli.text.UnclaimedHint;
import dev.perdure.cli.text.WatchText;
import dev.perdure.cli.watch.StatusCounts;
import dev.perdure.cli.watch.WatchedTasks;
import dev.perdure.client.ApiException;
import dev.perdure.client.PerdureClient;
import dev.perdure.client.TransportException;
import dev.perdure.policy.Decision;
import dev.perdure.policy.DecisionContext;
import dev.perdure.policy.Failure;
import dev.perdure.policy.Jitter;
import dev.perdure.policy.RetryPolicy;
import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Follows tasks until all of them have ended. */
@Command(
    name = "watch",
    description = "Follow the tasks of a batch, or all tasks, until all have ended.",
    footer = {
      "",
      "If a batch runs again, watch follows the new run. The exit code is 1 when a task of the last"
          + " run failed or was canceled, or when the time is up.",
      "",
      "Examples:",
      "  perdure watch",
      "  perdure watch 01998a1c-2f7e-7d3a-9b1e-0c5d2e8f4000 --timeout 10m"
    })
final class WatchCommand implements Callable<Integer> {

  private static final int UNAVAILABLE = 503;
  private static final Duration DEFAULT_INTERVAL = Duration.ofSeconds(1);
  private static final Duration MAX_TIMEOUT = Duration.ofDays(365);
  private static final Duration REPEAT_INTERVAL = Duration.ofMinutes(1);

  /** Waits about a minute for a server that restarts. */
  private static final RetryPolicy RECONNECT_POLICY =
      RetryPolicy.exponential(Duration.ofMillis(500))
          .maxDelay(Duration.ofSeconds(5))
          .maxRetries(14)
          .jitter(Jitter.none())
          .build();

  @Parameters(
      paramLabel = "BATCH",
      arity = "0..1",
      description = "Follow only the tasks of this batch, with its graph on a terminal.")
  private @Nullable String batch;

  @Option(names = "--every", paramLabel = "TIME", description = "How often to update (1s).")
  private @Nullable String every;

  @Option(names = "--timeout", paramLabel = "TIME", description = "Stop after this time.")
  private @Nullable String timeout;

  @Mixin private ConnectionOptions server = new ConnectionOptions();

  @Mixin private OutputOptions output = new OutputOptions();

  private final CliContext context;

  WatchCommand(CliContext context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    OptionParser parser = new OptionParser();
    Duration pause = parser.duration("--every", every, DEFAULT_INTERVAL);
    Duration limit = parser.duration("--timeout", timeout, MAX_TIMEOUT);
    parser.throwIfInvalid();
    Countdown time = context.countdown(limit);
    try (PerdureClient client = server.client(context, time)) {
      return watch(client, pause, time);
    } catch (TransportException e) {
      if (!time.isExpired()) {
        throw e;
      }
      return timedOut();
    }
  }

  private int watch(PerdureClient client, Duration pause, Countdown time) {
    WatchedTasks watched =
        batch == null
            ? WatchedTasks.live(client, context.now())
            : WatchedTasks.batch(
                client,
                UUID.fromString(IdArguments.resolveBatch(client, batch)),
                !output.json && context.supportsLiveOutput());
    StatusCounts counts = firstCount(watched);
    ProgressReporter reporter = reporter();
    while (counts != null) {
      reporter.report(counts, time.elapsed());
      if (counts.isOver()) {
        return watched.noneFailed(counts) ? Perdure.EXIT_OK : Perdure.EXIT_NEGATIVE;
      }
      context.sleep(time.atMost(pause));
      counts = time.isExpired() ? null : countWithRetries(watched, time);
    }
    return timedOut();
  }

  private StatusCounts firstCount(WatchedTasks watched) {
    try {
      return watched.count(context.now());
    } catch (ApiException e) {
      throw batch != null && e.isNotFound()
          ? new NotFoundException("there is no batch " + batch)
          : e;
    }
  }

  private int timedOut() {
    context.err().println("perdure: timed out before all tasks had ended");
    return Perdure.EXIT_NEGATIVE;
  }

  /** Null when the time is up. */
  private @Nullable StatusCounts countWithRetries(WatchedTasks watched, Countdown time) {
    for (int attempt = 0; !time.isExpired(); attempt++) {
      try {
        return watched.count(context.now());
      } catch (TransportException e) {
        waitOrThrow(attempt, e, time);
      } catch (ApiException e) {
        if (e.status() != UNAVAILABLE) {
          throw e;
        }
        waitOrThrow(attempt, e, time);
      }
    }
    return null;
  }

  private void waitOrThrow(int attempt, RuntimeException failure, Countdown time) {
    Decision decision =
        RECONNECT_POLICY.decide(
            DecisionContext.attempt(attempt),
            Failure.exception(failure),
            new SplittableRandom(attempt));
    if (!(decision instanceof Decision.Retry retry) || Thread.currentThread().isInterrupted()) {
      throw failure;
    }
    context.sleep(time.atMost(retry.delay()));
  }

  /** Reports the progress. */
  private interface ProgressReporter {
    void report(StatusCounts counts, Duration elapsed);
  }

  private ProgressReporter reporter() {
    if (output.json) {
      return onChange(counts -> CliJson.statusCounts(counts).toString());
    }
    if (!context.supportsLiveOutput()) {
      return withHints(onChange(WatchText::line));
    }
    LiveBlock block = new LiveBlock(context.out(), context.liveWidth(), output.colored(context));
    String title = batch == null ? "all live tasks" : "batch " + batch;
    return (counts, elapsed) ->
        block.show(writer -> WatchText.print(writer, counts, title, elapsed));
  }

  /** Prints a line whenever it changes, and once a minute otherwise. */
  private ProgressReporter onChange(Function<StatusCounts, String> text) {
    return new ProgressReporter() {
      private String last = "";
      private Duration printed = Duration.ZERO;

      @Override
      public void report(StatusCounts counts, Duration elapsed) {
        String line = text.apply(counts);
        // Only a write shows that the reader has gone, so an unchanged line is repeated.
        if (!line.equals(last) || elapsed.minus(printed).compareTo(REPEAT_INTERVAL) >= 0) {
          context.out().println(line);
          context.out().flush();
          last = line;
          printed = elapsed;
        }
      }
    };
  }

  /** Adds, once, a hint about tasks that no worker claims. */
  private ProgressReporter withHints(ProgressReporter lines) {
    AtomicBoolean given = new AtomicBoolean();
    return (counts, elapsed) -> {
      lines.report(counts, elapsed);
      Optional<String> hint = UnclaimedHint.of(counts.pending(), counts.at());
      if (hint.isPresent() && given.compareAndSet(false, true)) {
        context.err().println("perdure: " + TerminalSanitizer.oneLine(hint.get()));
        context.err().flush();
      }
    };
  }
}
