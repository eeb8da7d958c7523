// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.query.Census;
import dev.perdure.engine.query.ErrorGroup;
import dev.perdure.engine.query.ErrorQuery;
import dev.perdure.engine.query.Problem;
import dev.perdure.engine.query.Problem.ProblemId;
import dev.perdure.engine.query.ProblemRules;
import dev.perdure.engine.query.RetryWave;
import dev.perdure.engine.query.RetryWaveQuery;
import dev.perdure.engine.query.RetryWindow;
import dev.perdure.engine.query.RollupCounts;
import dev.perdure.engine.query.RollupStep;
import dev.perdure.engine.query.SystemStatus;
import dev.perdure.engine.query.SystemStatus.LatenessSample;
import dev.perdure.engine.query.SystemStatus.MinuteCounts;
import dev.perdure.engine.spi.RollupStore;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.task.StoreException;
import dev.perdure.server.http.HttpProblemException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Gathers what the overview shows, at most every two seconds and for all who ask together. It does
 * so in the background, and a request waits only briefly. When the store cannot be used, it tells
 * what it knew last. Thread-safe.
 */
final class OverviewCollector {

  /** After a longer time without a request, earlier problems say nothing about now. */
  static final Duration MAX_GAP = Duration.ofSeconds(30);

  private static final Duration KEPT_FOR = Duration.ofSeconds(2);
  private static final Duration HOUR = Duration.ofHours(1);

  /** How long a request waits if there is something to show, and if there is nothing yet. */
  private static final Duration PATIENCE = Duration.ofMillis(500);

  private static final Duration FIRST_PATIENCE = Duration.ofSeconds(3);

  private static final Duration CENSUS_PATIENCE = Duration.ofSeconds(2);
  private static final int MAX_DELAYS = 1_000;
  private static final int MAX_SAMPLES = 200;

  private final TaskStore store;
  private final StoreProbe probe;
  private final CensusTaker censusTaker;
  private final Function<RetryWaveQuery, RetryWave> waves;
  private final InstantSource clock;
  private final Executor background;
  private final Deque<LatenessSample> lateness = new ArrayDeque<>();
  private List<Problem> problems = List.of();
  private @Nullable SystemStatus status;
  private @Nullable Instant failingSince;
  private Instant collectedAt = Instant.EPOCH;
  private Instant toldAt = Instant.EPOCH;
  private @Nullable CompletableFuture<Void> collecting;

  /**
   * What the overview shows.
   *
   * @param now the database's clock, or this node's if the store is away
   * @param status null if the store could never be read
   */
  record Overview(Instant now, List<Problem> problems, @Nullable SystemStatus status) {}

  /**
   * @param background runs what a request need not wait for
   */
  OverviewCollector(
      TaskStore store,
      StoreProbe probe,
      CensusTaker censusTaker,
      Function<RetryWaveQuery, RetryWave> waves,
      InstantSource clock,
      Executor background) {
    this.store = store;
    this.probe = probe;
    this.censusTaker = censusTaker;
    this.waves = waves;
    this.clock = clock;
    this.background = background;
  }

  Overview get() {
    forgetAfterGap();
    StoreProbe.Outage outage = probe.outage();
    if (outage == null || outage.readable()) {
      awaitCollection();
    }
    return tell(outage);
  }

  private synchronized void forgetAfterGap() {
    Instant now = clock.instant();
    if (now.isBefore(toldAt) || now.isAfter(toldAt.plus(MAX_GAP))) {
      problems = List.of();
      lateness.clear();
    }
    toldAt = now;
  }

  private synchronized Overview tell(StoreProbe.@Nullable Outage outage) {
    SystemStatus known = status;
    Instant failing = failingSince == null && known == null ? clock.instant() : failingSince;
    if (outage != null || failing != null) {
      boolean readable = outage != null && outage.readable();
      Instant since = outage == null ? failing : outage.since();
      problems = ProblemRules.storeAway(since == null ? clock.instant() : since, readable);
      return new Overview(clock.instant(), problems, known);
    }
    return new Overview(known == null ? clock.instant() : known.now(), problems, known);
  }

  /** Waits for a collection, if it is time for one; not for long, because the store may be slow. */
  private void awaitCollection() {
    CompletableFuture<Void> running = startCollection();
    if (running == null) {
      return;
    }
    Duration patience = isKnown() ? PATIENCE : FIRST_PATIENCE;
    try {
      running.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException slow) {
      return;
    } catch (ExecutionException failed) {
      throw failed.getCause() instanceof RuntimeException unexpected
          ? unexpected
          : new IllegalStateException(failed.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized boolean isKnown() {
    return status != null;
  }

  private synchronized @Nullable CompletableFuture<Void> startCollection() {
    CompletableFuture<Void> running = collecting;
    if (running != null && !running.isDone()) {
      return running;
    }
    Instant now = clock.instant();
    if (!now.isBefore(collectedAt) && now.isBefore(collectedAt.plus(KEPT_FOR))) {
      return null;
    }
    running = CompletableFuture.runAsync(this::collect, background);
    collecting = running;
    return running;
  }

  private void collect() {
    try {
      SystemStatus read = read();
      List<Problem> found =
          ProblemRules.problems(read, earlier()).stream().map(this::withError).toList();
      accept(read, found);
    } catch (StoreException unavailable) {
      fail();
    }
  }

  private synchronized List<Problem> earlier() {
    return problems;
  }

  private synchronized void accept(SystemStatus read, List<Problem> found) {
    lateness.addLast(new LatenessSample(read.now(), read.oldestTaken()));
    while (lateness.size() > MAX_SAMPLES) {
      lateness.removeFirst();
    }
    problems = found;
    status = read;
    failingSince = null;
    collectedAt = clock.instant();
  }

  private synchronized void fail() {
    failingSince = failingSince == null ? clock.instant() : failingSince;
  }

  private SystemStatus read() {
    Instant now = store.now();
    Census census = censusTaker.latest(CENSUS_PATIENCE);
    return new SystemStatus(
        now,
        minutes(now),
        census,
        samples(),
        wave(),
        store.overview().deadLetters(),
        store.overview().nodes(),
        store.overview().scheduleDelays(MAX_DELAYS));
  }

  private synchronized List<LatenessSample> samples() {
    return List.copyOf(lateness);
  }

  /** Null if too many requests count retries. */
  private @Nullable RetryWave wave() {
    try {
      return waves.apply(RetryWaveQuery.of(RetryWindow.HOUR));
    } catch (HttpProblemException busy) {
      return null;
    }
  }

  private List<MinuteCounts> minutes(Instant now) {
    Map<Instant, RollupCounts> byMinute = new TreeMap<>();
    store
        .rollups()
        .read(
            RollupStep.MINUTE,
            now.minus(HOUR),
            RollupStore.MAX_READ,
            rollup ->
                byMinute
                    .computeIfAbsent(rollup.at(), at -> new RollupCounts())
                    .add(rollup.counts()));
    return byMinute.entrySet().stream()
        .map(entry -> new MinuteCounts(entry.getKey(), entry.getValue()))
        .toList();
  }

  /** Names the error that most tasks of a failing kind have had in the last minutes. */
  private Problem withError(Problem problem) {
    if (problem.id() != ProblemId.KIND_FAILING || problem.isOver()) {
      return problem;
    }
    ErrorQuery query = ErrorQuery.of(ProblemRules.WINDOW).withKind(problem.kind());
    return Stream.of(query, query.withRetries(true))
        .flatMap(each -> store.reader().errors(each).groups().stream())
        .filter(group -> group.error() != null)
        .max(Comparator.comparingLong(ErrorGroup::count))
        .map(group -> problem.withError(group.error(), group.title()))
        .orElse(problem);
  }
}
