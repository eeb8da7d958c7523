// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.query.Rollup;
import dev.perdure.engine.query.RollupCounts;
import dev.perdure.engine.query.RollupStep;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.task.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes what the {@link RollupRecorder} counted, as rollups of a minute, ten minutes and an hour.
 *
 * <p>Each write has the whole counts of its rollups so far and replaces what was written before. No
 * other process writes under the same id, so a write that fails, or whose answer is lost, is simply
 * part of the next one: nothing is lost and nothing counts twice. A crash loses what was counted
 * since the last write.
 */
final class RollupWriter {

  private static final Logger LOG = LoggerFactory.getLogger("dev.perdure.engine");

  static final Duration PERIOD = Duration.ofSeconds(15);

  /** Enough for two hours without the store, in which the oldest minutes are dropped first. */
  static final int MAX_UNWRITTEN = 150;

  private final RollupRecorder recorder;
  private final TaskStore store;
  private final EngineEnvironment.MonotonicClock monotonic;
  private final UUID node;
  private final Map<RollupKey, RollupCounts> unwritten = new HashMap<>();
  private @Nullable Instant lastCapture;
  private Instant clock = Instant.EPOCH;
  private Duration clockTick = Duration.ZERO;

  /**
   * @param node an id that no other process has
   */
  RollupWriter(
      RollupRecorder recorder,
      TaskStore store,
      EngineEnvironment.MonotonicClock monotonic,
      UUID node) {
    this.recorder = recorder;
    this.store = store;
    this.monotonic = monotonic;
    this.node = node;
  }

  private record RollupKey(RollupStep step, Instant at) {

    boolean isClosed(Instant now) {
      return !at.plus(step.length()).isAfter(now);
    }
  }

  /**
   * Writes what was counted since the last call.
   *
   * @return how long to wait for the next call. Calls are just after quarters of a minute, so that
   *     what is counted between two calls belongs to one minute
   */
  synchronized Duration runOnce() {
    if (lastCapture == null) {
      observe(store.now());
    }
    Instant now = capture();
    observe(store.rollups().write(rollups()));
    unwritten.keySet().removeIf(key -> key.isClosed(now));
    return Duration.between(now, RollupStep.startOf(now, PERIOD).plus(PERIOD)).plusMillis(1);
  }

  /** Writes the last counts. The node stops, so there is no next time. */
  void flush() {
    try {
      runOnce();
    } catch (StoreException problem) {
      LOG.warn("the counts of the last seconds could not be written", problem);
    }
  }

  private void observe(Instant now) {
    clock = now;
    clockTick = monotonic.now();
  }

  /** Adds what was counted to the rollups of the time at which the counting began. */
  private Instant capture() {
    Instant now = clock.plus(monotonic.now().minus(clockTick));
    Instant before = lastCapture;
    // Never back: a rollup that was finished would be replaced by one that begins at zero.
    now = before == null || now.isAfter(before) ? now : before;
    RollupCounts counts = recorder.drain();
    for (RollupStep step : RollupStep.values()) {
      at(step, before == null ? now : before).add(counts);
      at(step, now);
    }
    lastCapture = now;
    dropOldest();
    return now;
  }

  private RollupCounts at(RollupStep step, Instant instant) {
    return unwritten.computeIfAbsent(
        new RollupKey(step, step.startOf(instant)), key -> new RollupCounts());
  }

  private void dropOldest() {
    List<RollupKey> oldest = new ArrayList<>(unwritten.keySet());
    oldest.sort(Comparator.comparing(RollupKey::step).thenComparing(RollupKey::at));
    oldest.stream().limit(Math.max(0, oldest.size() - MAX_UNWRITTEN)).forEach(unwritten::remove);
  }

  private List<Rollup> rollups() {
    List<Rollup> rollups = new ArrayList<>();
    unwritten.forEach((key, counts) -> rollups.add(new Rollup(key.step(), key.at(), node, counts)));
    return rollups;
  }
}
