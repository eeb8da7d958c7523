// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli;

import dev.perdure.policy.Decision;
import dev.perdure.policy.Facts;
import dev.perdure.policy.Failure;
import dev.perdure.policy.Jitter;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.server.cli.client.Census;
import dev.perdure.server.cli.client.Client;
import dev.perdure.server.cli.client.Followed;
import dev.perdure.server.cli.client.NoAnswerException;
import dev.perdure.server.cli.client.RefusedException;
import dev.perdure.server.cli.text.Foreign;
import dev.perdure.server.cli.text.LiveBlock;
import dev.perdure.server.cli.text.Unclaimed;
import dev.perdure.server.cli.text.WatchText;
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

  private static final Duration USUAL = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofDays(365);
  private static final Duration SILENCE = Duration.ofMinutes(1);

  /** A server that is started anew is waited for, about a minute. */
  private static final RetryPolicy PATIENCE =
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

  @Mixin private ServerOptions server = new ServerOptions();

  @Mixin private OutputOptions output = new OutputOptions();

  private final Shell shell;

  WatchCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public Integer call() {
    Given given = new Given();
    Duration pause = given.duration("--every", every, USUAL);
    Duration limit = given.duration("--timeout", timeout, LONGEST);
    given.requireRight();
    Countdown time = shell.countdown(limit);
    try (Client client = server.client(shell, time)) {
      return watch(client, pause, time);
    } catch (NoAnswerException e) {
      if (!time.isOver()) {
        throw e;
      }
      return timeIsUp();
    }
  }

  private int watch(Client client, Duration pause, Countdown time) {
    Followed followed =
        batch == null
            ? Followed.all(client, shell.now())
            : Followed.batch(client, Ids.requireBatch(batch));
    Census census = followed.count(shell.now());
    if (batch != null && census.total().isNone()) {
      throw new AnswerIsNoException("there is no batch " + batch);
    }
    Teller teller = teller();
    while (census != null) {
      teller.tell(census, time.sofar());
      if (census.live().isNone()) {
        return followed.wentWell(census) ? Perdure.DONE : Perdure.NO;
      }
      shell.pause(time.atMost(pause));
      census = time.isOver() ? null : patiently(followed, time);
    }
    return timeIsUp();
  }

  private int timeIsUp() {
    shell.err().println("perdure: the time is up, and not all have ended");
    return Perdure.NO;
  }

  /** Null when the time is over. */
  private @Nullable Census patiently(Followed followed, Countdown time) {
    for (int attempt = 0; !time.isOver(); attempt++) {
      try {
        return followed.count(shell.now());
      } catch (NoAnswerException e) {
        waitOrThrow(attempt, e, time);
      } catch (RefusedException e) {
        if (!e.passes()) {
          throw e;
        }
        waitOrThrow(attempt, e, time);
      }
    }
    return null;
  }

  private void waitOrThrow(int attempt, RuntimeException trouble, Countdown time) {
    Decision decision =
        PATIENCE.decide(
            Facts.attempt(attempt), Failure.exception(trouble), new SplittableRandom(attempt));
    if (!(decision instanceof Decision.Retry retry) || Thread.currentThread().isInterrupted()) {
      throw trouble;
    }
    shell.pause(time.atMost(retry.delay()));
  }

  /** Tells how far it is. */
  private interface Teller {
    void tell(Census census, Duration sofar);
  }

  private Teller teller() {
    if (output.json) {
      return changes(census -> Json.census(census).toString());
    }
    if (!shell.hasLiveTerminal()) {
      return hints(changes(WatchText::line));
    }
    LiveBlock block = new LiveBlock(shell.out(), shell.liveWidth(), output.colored(shell));
    String title = batch == null ? "all tasks but those that had ended before" : "batch " + batch;
    return (census, sofar) -> block.show(page -> WatchText.print(page, census, title, sofar));
  }

  /** A line whenever it says something new, and now and then to say that nothing is. */
  private Teller changes(Function<Census, String> words) {
    return new Teller() {
      private String last = "";
      private Duration told = Duration.ZERO;

      @Override
      public void tell(Census census, Duration sofar) {
        String line = words.apply(census);
        // Only by writing is it noticed that nobody reads any more.
        if (!line.equals(last) || sofar.minus(told).compareTo(SILENCE) >= 0) {
          shell.out().println(line);
          shell.out().flush();
          last = line;
          told = sofar;
        }
      }
    };
  }

  /** The same, and once what may be amiss. */
  private Teller hints(Teller lines) {
    AtomicBoolean given = new AtomicBoolean();
    return (census, sofar) -> {
      lines.tell(census, sofar);
      Optional<String> hint = Unclaimed.hint(census.pending(), census.at());
      if (hint.isPresent() && given.compareAndSet(false, true)) {
        shell.err().println("perdure: " + Foreign.line(hint.get()));
        shell.err().flush();
      }
    };
  }
}
