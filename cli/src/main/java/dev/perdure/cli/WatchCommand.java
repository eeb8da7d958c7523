// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.cli.text.LiveBlock;
import dev.perdure.cli.text.TerminalSafe;
import dev.perdure.cli.text.UnclaimedHint;
import dev.perdure.cli.text.WatchText;
import dev.perdure.client.ApiException;
import dev.perdure.client.PerdureClient;
import dev.perdure.client.StatusCounts;
import dev.perdure.client.TransportException;
import dev.perdure.client.WatchedTasks;
import dev.perdure.policy.Decision;
import dev.perdure.policy.DecisionContext;
import dev.perdure.policy.Failure;
import dev.perdure.policy.Jitter;
import dev.perdure.policy.RetryPolicy;
import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Follows tasks until all have ended. */
@Command(
    name = "watch",
    description = "Follows the tasks of a batch, or all, until all have ended.",
    footer = {
      "",
      "Exit code 1 when one of them failed or was canceled, or when the time is up.",
      "",
      "Examples:",
      "  perdure watch",
      "  perdure watch 01998a1c-2f7e-7d3a-9b1e-0c5d2e8f4000 --timeout 10m"
    })
final class WatchCommand implements Callable<Integer> {

  private static final Duration DEFAULT_INTERVAL = Duration.ofSeconds(1);
  private static final Duration MAX_TIMEOUT = Duration.ofDays(365);
  private static final Duration REPEAT_INTERVAL = Duration.ofMinutes(1);

  /** A server that is started anew is waited for, about a minute. */
  private static final RetryPolicy RECONNECT_POLICY =
      RetryPolicy.exponential(Duration.ofMillis(500))
          .maxDelay(Duration.ofSeconds(5))
          .maxRetries(14)
          .jitter(Jitter.none())
          .build();

  @Parameters(paramLabel = "BATCH", arity = "0..1", description = "Only its tasks.")
  private @Nullable String batch;

  @Option(names = "--every", paramLabel = "TIME", description = "How often to look (1s).")
  private @Nullable String every;

  @Option(names = "--timeout", paramLabel = "TIME", description = "No longer than this.")
  private @Nullable String timeout;

  @Mixin private ConnectionOptions server = new ConnectionOptions();

  @Mixin private OutputOptions output = new OutputOptions();

  private final CliContext cliContext;

  WatchCommand(CliContext cliContext) {
    this.cliContext = cliContext;
  }

  @Override
  public Integer call() {
    OptionParser optionParser = new OptionParser();
    Duration pause = optionParser.duration("--every", every, DEFAULT_INTERVAL);
    Duration limit = optionParser.duration("--timeout", timeout, MAX_TIMEOUT);
    optionParser.throwIfInvalid();
    Countdown time = cliContext.countdown(limit);
    try (PerdureClient perdureClient = server.client(cliContext, time)) {
      return watch(perdureClient, pause, time);
    } catch (TransportException e) {
      if (!time.isExpired()) {
        throw e;
      }
      return timedOut();
    }
  }

  private int watch(PerdureClient perdureClient, Duration pause, Countdown time) {
    WatchedTasks watchedTasks =
        batch == null
            ? WatchedTasks.live(perdureClient, cliContext.now())
            : WatchedTasks.batch(perdureClient, IdArguments.requireBatch(batch));
    StatusCounts statusCounts = watchedTasks.count(cliContext.now());
    if (batch != null && statusCounts.total().isZero()) {
      throw new NotFoundException("there is no batch " + batch);
    }
    ProgressReporter progressReporter = reporter();
    while (statusCounts != null) {
      progressReporter.report(statusCounts, time.elapsed());
      if (statusCounts.live().isZero()) {
        return watchedTasks.noneFailed(statusCounts) ? Perdure.EXIT_OK : Perdure.EXIT_NEGATIVE;
      }
      cliContext.sleep(time.atMost(pause));
      statusCounts = time.isExpired() ? null : countWithRetries(watchedTasks, time);
    }
    return timedOut();
  }

  private int timedOut() {
    cliContext.err().println("perdure: the time is up, and not all have ended");
    return Perdure.EXIT_NEGATIVE;
  }

  /** Null when the time is over. */
  private @Nullable StatusCounts countWithRetries(WatchedTasks watchedTasks, Countdown time) {
    for (int attempt = 0; !time.isExpired(); attempt++) {
      try {
        return watchedTasks.count(cliContext.now());
      } catch (TransportException e) {
        waitOrThrow(attempt, e, time);
      } catch (ApiException e) {
        if (!e.isTemporary()) {
          throw e;
        }
        waitOrThrow(attempt, e, time);
      }
    }
    return null;
  }

  private void waitOrThrow(int attempt, RuntimeException trouble, Countdown time) {
    Decision decision =
        RECONNECT_POLICY.decide(
            DecisionContext.attempt(attempt),
            Failure.exception(trouble),
            new SplittableRandom(attempt));
    if (!(decision instanceof Decision.Retry retry) || Thread.currentThread().isInterrupted()) {
      throw trouble;
    }
    cliContext.sleep(time.atMost(retry.delay()));
  }

  /** Tells how far it is. */
  private interface ProgressReporter {
    void report(StatusCounts statusCounts, Duration sofar);
  }

  private ProgressReporter reporter() {
    if (output.json) {
      return onChange(statusCounts -> CliJson.statusCounts(statusCounts).toString());
    }
    if (!cliContext.supportsLiveOutput()) {
      return withHints(onChange(WatchText::line));
    }
    LiveBlock block =
        new LiveBlock(cliContext.out(), cliContext.liveWidth(), output.colored(cliContext));
    String title = batch == null ? "all tasks but those that had ended before" : "batch " + batch;
    return (statusCounts, sofar) ->
        block.show(terminalWriter -> WatchText.print(terminalWriter, statusCounts, title, sofar));
  }

  /** A line whenever it says something new, and now and then to say that nothing is. */
  private ProgressReporter onChange(Function<StatusCounts, String> words) {
    return new ProgressReporter() {
      private String last = "";
      private Duration told = Duration.ZERO;

      @Override
      public void report(StatusCounts statusCounts, Duration sofar) {
        String line = words.apply(statusCounts);
        // Only by writing is it noticed that nobody reads any more.
        if (!line.equals(last) || sofar.minus(told).compareTo(REPEAT_INTERVAL) >= 0) {
          cliContext.out().println(line);
          cliContext.out().flush();
          last = line;
          told = sofar;
        }
      }
    };
  }

  /** The same, and once what may be amiss. */
  private ProgressReporter withHints(ProgressReporter lines) {
    AtomicBoolean given = new AtomicBoolean();
    return (statusCounts, sofar) -> {
      lines.report(statusCounts, sofar);
      Optional<String> hint = UnclaimedHint.of(statusCounts.pending(), statusCounts.at());
      if (hint.isPresent() && given.compareAndSet(false, true)) {
        cliContext.err().println("perdure: " + TerminalSafe.oneLine(hint.get()));
        cliContext.err().flush();
      }
    };
  }
}
