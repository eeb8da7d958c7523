// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.query.Census;
import dev.perdure.engine.query.Problem;
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
import org.jspecify.annotations.Nullable;

/**
 * Gathers what the overview shows, at most every two seconds and for all who ask together. It does
 * so in the background, and a request waits only briefly. When the store cannot be used, it tells
 * what it knew last. Thread-safe.
 */
final class OverviewCollector {

  /** After a longer time without a request or an answer, what was found says nothing about now. */
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
  private final FailureErrors errors;
  private final Deque<LatenessSample> lateness = new ArrayDeque<>();
  private List<Problem> problems = List.of();
  private @Nullable SystemStatus status;
  private @Nullable Instant failingSince;
  private Instant collectedAt = Instant.EPOCH;
  private Instant toldAt = Instant.EPOCH;
  private @Nullable CompletableFuture<Void> collecting;

  /** How far the database's clock is ahead of this node's. */
  private Duration ahead = Duration.ZERO;

  /** Counts the gaps, so that what was collected before the last one is not told. */
  private long gaps;

  /**
   * What the overview shows.
   *
   * @param now the database's clock, as far as it is known
   * @param problems empty says that all is well only if there is a status
   * @param status null if it is not known yet
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
    this.errors = new FailureErrors(store, clock);
  }

  Overview get() {
    forgetAfterGap();
    StoreProbe.Outage outage = probe.outage();
    if (outage == null || outage.readable()) {
      awaitCollection();
      outage = probe.outage();
    }
    return tell(outage);
  }

  private synchronized void forgetAfterGap() {
    Instant now = clock.instant();
    if (now.isBefore(toldAt) || now.isAfter(toldAt.plus(MAX_GAP))) {
      problems = List.of();
      lateness.clear();
      failingSince = null;
      collectedAt = Instant.EPOCH;
      gaps++;
    }
    toldAt = now;
  }

  private synchronized Overview tell(StoreProbe.@Nullable Outage outage) {
    Instant now = clock.instant().plus(ahead);
    Instant failing = outage == null ? failingSince : outage.since();
    if (failing == null) {
      return new Overview(now, problems, isFresh() ? status : null);
    }
    problems = ProblemRules.storeAway(failing, outage != null && outage.readable());
    return new Overview(now, problems, status);
  }

  /** Waits for a collection, if it is time for one; not for long, because the store may be slow. */
  private void awaitCollection() {
    CompletableFuture<Void> running = startCollection();
    if (running == null) {
      return;
    }
    Duration patience = isFresh() ? PATIENCE : FIRST_PATIENCE;
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

  private synchronized boolean isFresh() {
    Instant now = clock.instant();
    return !now.isBefore(collectedAt) && !now.isAfter(collectedAt.plus(MAX_GAP));
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
    long seen = gaps();
    try {
      SystemStatus read = read();
      accept(read, errors.name(ProblemRules.problems(read, earlier())), seen);
    } catch (StoreException unavailable) {
      fail();
    }
  }

  private synchronized long gaps() {
    return gaps;
  }

  private synchronized List<Problem> earlier() {
    return problems;
  }

  private synchronized void accept(SystemStatus read, List<Problem> found, long seen) {
    if (gaps != seen) {
      return;
    }
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
    Instant now = databaseNow();
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

  private Instant databaseNow() {
    Instant now = store.now();
    synchronized (this) {
      ahead = Duration.between(clock.instant(), now);
    }
    return now;
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
}
