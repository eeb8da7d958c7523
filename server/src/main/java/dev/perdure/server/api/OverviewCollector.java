// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.query.Census;
import dev.perdure.engine.query.DeadLetters;
import dev.perdure.engine.query.NodeDetails;
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
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Gathers what the overview shows, at most every two seconds and for all who ask together. When the
 * store cannot be used, it tells what it knew last. Thread-safe.
 */
final class OverviewCollector {

  private static final Duration KEPT_FOR = Duration.ofSeconds(2);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration STORE_TIMEOUT = Duration.ofSeconds(2);
  private static final int MAX_DELAYS = 1_000;
  private static final int MAX_SAMPLES = 200;
  private static final UUID NO_TASK = new UUID(0, 0);

  private final TaskStore store;
  private final CensusTaker censusTaker;
  private final Function<RetryWaveQuery, RetryWave> waves;
  private final InstantSource clock;
  private final ReadinessCheck readinessCheck;
  private final Deque<LatenessSample> lateness = new ArrayDeque<>();
  private List<Problem> problems = List.of();
  private @Nullable SystemStatus status;
  private @Nullable Instant awaySince;
  private Instant collectedAt = Instant.EPOCH;

  /**
   * What the overview shows.
   *
   * @param status null if the store could never be read
   */
  record Overview(Instant now, List<Problem> problems, @Nullable SystemStatus status) {}

  OverviewCollector(
      TaskStore store,
      CensusTaker censusTaker,
      Function<RetryWaveQuery, RetryWave> waves,
      InstantSource clock) {
    this.store = store;
    this.censusTaker = censusTaker;
    this.waves = waves;
    this.clock = clock;
    this.readinessCheck = new ReadinessCheck(() -> store.reader().find(NO_TASK), STORE_TIMEOUT);
  }

  synchronized Overview get() {
    Instant now = clock.instant();
    boolean fresh = !now.isBefore(collectedAt) && now.isBefore(collectedAt.plus(KEPT_FOR));
    if (!fresh) {
      collect(now);
      collectedAt = clock.instant();
    }
    SystemStatus known = status;
    Instant asOf = awaySince == null && known != null ? known.now() : now;
    return new Overview(asOf, problems, known);
  }

  private void collect(Instant now) {
    if (readinessCheck.reasonNotReady() == null) {
      try {
        SystemStatus read = read();
        problems = ProblemRules.problems(read, problems);
        status = read;
        awaySince = null;
        return;
      } catch (StoreException unavailable) {
        // Told below.
      }
    }
    awaySince = awaySince == null ? now : awaySince;
    problems = ProblemRules.storeAway(awaySince);
  }

  private SystemStatus read() {
    Instant now = store.now();
    Census census = censusTaker.get();
    List<NodeDetails> nodes = store.overview().nodes();
    DeadLetters dead = store.overview().deadLetters();
    SystemStatus read =
        new SystemStatus(
            now,
            minutes(now),
            census,
            List.copyOf(lateness),
            waves.apply(RetryWaveQuery.of(RetryWindow.HOUR)),
            dead,
            nodes,
            store.overview().scheduleDelays(MAX_DELAYS));
    remember(new LatenessSample(now, read.oldestTaken()));
    return read;
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

  private void remember(LatenessSample sample) {
    lateness.addLast(sample);
    while (lateness.size() > MAX_SAMPLES) {
      lateness.removeFirst();
    }
  }
}
