// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import dev.perdure.engine.schedule.Firing;
import dev.perdure.engine.schedule.Firing.Outcome;
import dev.perdure.engine.schedule.Misfire;
import dev.perdure.engine.schedule.Overlap;
import dev.perdure.engine.schedule.Schedule;
import dev.perdure.engine.spi.ScheduleStore;
import dev.perdure.simulation.ScheduleChecker.SeenSchedule;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

/** What a schedule has done so far, and what it must do next. */
final class ExpectedSchedule {

  /** Firings by their instants, also those that are no longer kept. */
  private final TreeMap<Instant, Firing> firings = new TreeMap<>();

  private final Set<Instant> byHand = new HashSet<>();
  private final Set<UUID> batches;
  private Schedule row;
  private InstantOracle oracle;

  /** Up to here every instant is noted. */
  private Instant notedUntil;

  ExpectedSchedule(Schedule row, InstantOracle oracle, Set<UUID> batches) {
    this.row = row;
    this.oracle = oracle;
    this.notedUntil = row.anchor();
    this.batches = batches;
  }

  Schedule row() {
    return row;
  }

  void row(Schedule value) {
    row = value;
  }

  Set<UUID> batches() {
    return batches;
  }

  /** It counts from now. Firings that wait are forgotten if it no longer queues them. */
  void edited(Schedule value, InstantOracle other) {
    row = value;
    oracle = other;
    notedUntil = value.anchor();
    if (value.overlap() != Overlap.QUEUE) {
      firings.values().removeIf(firing -> firing.outcome() == Outcome.QUEUED);
    }
  }

  /** Returns the instants that have passed and are not noted yet. */
  List<Instant> open(Instant now) {
    return row.enabled() ? oracle.between(row.anchor(), notedUntil, now) : List.of();
  }

  boolean isNext(Instant now, Instant next) {
    return oracle.isNext(row.anchor(), now, next);
  }

  /** Returns whether every instant before this one is noted. */
  boolean skipsNone(Instant next) {
    Instant latest = notedUntil.plus(InstantOracle.LONGEST);
    return oracle
        .between(row.anchor(), notedUntil, next.isAfter(latest) ? latest : next.minusMillis(1))
        .isEmpty();
  }

  boolean isEndOfGap(Instant at) {
    return oracle.isEndOfGap(at);
  }

  void notedUntil(Instant now) {
    notedUntil = now;
  }

  boolean isNew(Firing firing) {
    return firing.manual()
        ? !byHand.contains(firing.scheduledFor())
        : !firing.equals(firings.get(firing.scheduledFor()));
  }

  /** Returns whether there was a firing at this instant that was not just waiting. */
  boolean hasFired(Firing firing) {
    Firing before = firings.get(firing.scheduledFor());
    return !firing.manual() && before != null && before.outcome() != Outcome.QUEUED;
  }

  boolean wasQueued(Firing firing) {
    Firing before = firings.get(firing.scheduledFor());
    return !firing.manual() && before != null && before.outcome() == Outcome.QUEUED;
  }

  void add(Firing firing) {
    if (firing.manual()) {
      byHand.add(firing.scheduledFor());
    } else {
      firings.put(firing.scheduledFor(), firing);
    }
  }

  /**
   * A firing that waited so long that it is no longer kept when it fires. Its row is deleted with
   * the other old ones, from time to time.
   */
  List<Firing> prunedAtOnce(SeenSchedule seen, Schedule after, List<Firing> rows) {
    boolean pruned =
        after.firings() / ScheduleStore.MAX_KEPT > row.firings() / ScheduleStore.MAX_KEPT;
    return firings.values().stream()
        .filter(firing -> firing.outcome() == Outcome.QUEUED)
        .limit(pruned && !seen.submissions().isEmpty() ? 1 : 0)
        .filter(
            oldest -> rows.stream().noneMatch(r -> r.scheduledFor().equals(oldest.scheduledFor())))
        .map(
            oldest ->
                new Firing(
                    oldest.scheduledFor(),
                    false,
                    seen.now(),
                    Outcome.FIRED,
                    seen.submissions().getFirst().batch(),
                    oldest.missed()))
        .toList();
  }

  /**
   * What must come of the instants that are due, in their order.
   *
   * @param busy whether a task of it is claimed or running, or a first attempt is not yet claimed
   */
  List<Firing.Outcome> outcomes(boolean busy, Instant now, List<Instant> due) {
    boolean taken = busy;
    long waiting = firings.values().stream().filter(f -> f.outcome() == Outcome.QUEUED).count();
    List<Outcome> outcomes = new ArrayList<>();
    if (!taken && waiting > 0 && row.enabled()) {
      taken = true; // The first one that waits fires.
      waiting--;
      outcomes.add(Outcome.FIRED);
    }
    boolean late = isLate(now, due);
    for (int i = late ? due.size() - 1 : 0; i < due.size(); i++) {
      if (late && row.misfire() == Misfire.SKIP) {
        outcomes.add(Outcome.MISSED);
      } else if (!taken || row.overlap() == Overlap.ALLOW) {
        outcomes.add(Outcome.FIRED);
        taken = true;
      } else if (row.overlap() == Overlap.QUEUE && waiting < ScheduleStore.MAX_QUEUED) {
        outcomes.add(Outcome.QUEUED);
        waiting++;
      } else {
        outcomes.add(Outcome.SKIPPED);
      }
    }
    return outcomes;
  }

  static boolean isLate(Instant now, List<Instant> due) {
    return !due.isEmpty() && due.getFirst().plus(Misfire.MAX_DELAY).isBefore(now);
  }
}
