// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import dev.perdure.cli.text.DemoText;
import dev.perdure.demo.Demo;
import dev.perdure.policy.DurationText;
import dev.perdure.server.CannotStartException;
import dev.perdure.server.SystemClockAndRandom;
import dev.perdure.server.log.Logging;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs the demo until it is stopped. */
@Command(
    name = "demo",
    description = "Run a demo with tasks that succeed, retry, time out and fail.",
    footer = {
      "",
      "It needs no network, and deletes its tasks when it ends.",
      "",
      "Examples:",
      "  perdure demo",
      "  perdure demo --port 9000 --for 1m"
    })
final class DemoCommand implements Callable<Integer> {

  private static final Duration SUBMIT_INTERVAL = Duration.ofMillis(700);
  private static final int MAX_PORT = 65_535;

  @Mixin private OutputOptions output = new OutputOptions();

  @Option(names = "--port", paramLabel = "PORT", description = "The server's port (8085).")
  private int port = 8085;

  @Option(names = "--for", paramLabel = "TIME", description = "Stop after this time, such as 30s.")
  private @Nullable String length;

  private final CliContext context;
  private final CountDownLatch end = new CountDownLatch(1);

  DemoCommand(CliContext context) {
    this.context = context;
  }

  @Override
  public Integer call() throws Exception {
    Duration limit = limit();
    return ShutdownSignal.runUntilSignal(() -> run(limit), end::countDown);
  }

  private int run(@Nullable Duration limit) throws IOException, InterruptedException {
    try (TemporaryDirectory directory = TemporaryDirectory.create("perdure-demo")) {
      Logging.toFile(directory.path().resolve("perdure.log"));
      run(directory.path(), limit);
    }
    return Perdure.EXIT_OK;
  }

  private @Nullable Duration limit() {
    if (port < 0 || port > MAX_PORT) {
      throw new UsageException(
          "--port", "must be between 0 and %d, not %d".formatted(MAX_PORT, port));
    }
    try {
      return length == null ? null : DurationText.parse(length);
    } catch (IllegalArgumentException e) {
      throw new UsageException("--for", String.valueOf(e.getMessage()));
    }
  }

  private Demo startDemo(Path directory) throws IOException {
    try {
      return Demo.start(
          port,
          directory,
          VersionCommand.version(),
          SystemClockAndRandom.clock(),
          SystemClockAndRandom.random());
    } catch (CannotStartException e) {
      throw new UsageException(List.of(e.problem()));
    }
  }

  private void run(Path directory, @Nullable Duration limit)
      throws IOException, InterruptedException {
    try (Demo demo = startDemo(directory)) {
      run(demo, directory, limit);
    } finally {
      Logging.toStandardError();
    }
  }

  /** Submits a task at each step and prints what has happened since the last one. */
  private void run(Demo demo, Path directory, @Nullable Duration limit)
      throws InterruptedException {
    DemoText text =
        new DemoText(output.writer(context), context.commandPrefix(), ZoneId.systemDefault());
    text.greeting(demo.url(), demo.serviceUrl(), directory);
    context.out().flush();
    long steps = limit == null ? Long.MAX_VALUE : Math.max(1, limit.dividedBy(SUBMIT_INTERVAL));
    for (long step = 0; step < steps; step++) {
      demo.submit();
      if (end.await(SUBMIT_INTERVAL.toMillis(), TimeUnit.MILLISECONDS)) {
        return;
      }
      demo.newEvents().forEach(text::event);
      context.out().flush();
    }
  }
}
