// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.spi;

import dev.perdure.engine.internal.ContentDigest;
import dev.perdure.engine.query.LimitReader;
import dev.perdure.engine.schedule.Firing;
import dev.perdure.engine.schedule.FiringProblem;
import dev.perdure.engine.schedule.Misfire;
import dev.perdure.engine.schedule.Overlap;
import dev.perdure.engine.schedule.Schedule;
import dev.perdure.engine.schedule.Trigger;
import dev.perdure.engine.schedule.TriggerJson;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Stores schedules, and fires them: each firing once, whatever crashes. */
public interface ScheduleStore {

  /** Maximum number of firings that wait until a schedule is no longer busy. */
  int MAX_QUEUED = 1_000;

  /** A round decides about no further schedule of a shard once it submits this many tasks. */
  int MAX_TASKS_PER_ROUND = 10_000;

  /** How many firings of a schedule are kept; older ones are deleted from time to time. */
  int MAX_KEPT = 100;

  /**
   * The part of a schedule that its owner writes.
   *
   * @param asGiven null when there is none
   */
  record ScheduleContent(
      String name,
      Trigger trigger,
      Overlap overlap,
      Misfire misfire,
      boolean enabled,
      String template,
      @Nullable String asGiven) {

    /** Whether the schedule has this content, except for what it submits. */
    public boolean firesLike(Schedule schedule) {
      return TriggerJson.write(schedule.trigger()).equals(TriggerJson.write(trigger))
          && schedule.overlap() == overlap
          && schedule.misfire() == misfire
          && schedule.enabled() == enabled;
    }

    /** The first firing of a schedule that counts from now; null if it is not enabled. */
    public @Nullable Instant firstAfter(Instant now) {
      return enabled ? trigger.firingTimes(now).next(now) : null;
    }
  }

  /** One page of schedules of several shards. */
  static List<Schedule> page(Collection<Schedule> found, int limit) {
    return found.stream()
        .sorted(Comparator.comparing(Schedule::name, LimitReader.KEY_ORDER))
        .limit(limit)
        .toList();
  }

  /** Returns whether it is time to delete old firings of the schedule. */
  static boolean isPruned(Schedule schedule, FiringDecision decision) {
    long after = schedule.firings() + decision.firings().size();
    return schedule.firings() / MAX_KEPT < after / MAX_KEPT;
  }

  /** The shard of the schedule with this name. */
  static int shard(String name, int shards) {
    return new Submission.SubmissionKeyDigest(new ContentDigest().add(name).hex(), "")
        .shard(shards);
  }

  /** Stores a new schedule, which counts from now; false if there is one with the name or id. */
  boolean create(UUID id, ScheduleContent content);

  /**
   * Replaces a schedule except for its name. It counts from now. Firings that wait are deleted if
   * it no longer queues them.
   *
   * @param version the version that was seen; null for any
   * @return false if it does not exist or has another version
   */
  boolean update(UUID id, ScheduleContent content, @Nullable Long version);

  /** Deletes a schedule and its history; false if it does not exist. */
  boolean delete(UUID id);

  Optional<Schedule> find(UUID id);

  Optional<Schedule> findByName(String name);

  /** Schedules in the order of their names, after this one; empty to begin. */
  List<Schedule> list(String after, int limit);

  /**
   * A schedule to decide about. It is locked.
   *
   * @param busy whether a task of it is claimed or running, or a first attempt is not yet claimed
   * @param oldestQueued the first firing that waits; null when none does
   */
  record DueSchedule(Schedule schedule, boolean busy, @Nullable Instant oldestQueued) {}

  /**
   * What to do about a schedule.
   *
   * @param firings to store; one that was queued before replaces its row
   * @param submissions what fires, in the order of the firings
   * @param nextAt the next firing
   * @param lookAt when a node looks at the schedule again; null when it must be enabled first
   * @param queued how many firings wait from now on
   */
  record FiringDecision(
      List<Firing> firings,
      List<Submission> submissions,
      @Nullable Instant nextAt,
      @Nullable Instant lookAt,
      int queued) {

    public FiringDecision {
      firings = List.copyOf(firings);
      submissions = List.copyOf(submissions);
    }

    public int tasks() {
      return submissions.stream().mapToInt(submission -> submission.tasks().size()).sum();
    }
  }

  /** Decides, without side effects, within the transaction that fires. */
  @FunctionalInterface
  interface FiringDecider {
    FiringDecision decide(DueSchedule due, Instant now);
  }

  /**
   * What a round of firing did.
   *
   * @param schedules how many schedules it looked at
   * @param problems those of them that could not fire
   */
  record FiringRound(int schedules, List<FiringProblem> problems) {

    public static final FiringRound NONE = new FiringRound(0, List.of());

    public FiringRound {
      problems = List.copyOf(problems);
    }

    public FiringRound plus(FiringRound other) {
      return new FiringRound(
          schedules + other.schedules,
          Stream.concat(problems.stream(), other.problems.stream()).toList());
    }
  }

  /**
   * Fires schedules that are due. Those that another node is deciding about are left out. Decision,
   * history and tasks of a schedule are written together or not at all. A firing of which no task
   * is stored, because live tasks have all its dedupe keys, is stored as skipped.
   *
   * <p>If the decision about a schedule throws, or the database refuses its tasks, the others fire
   * all the same. That schedule keeps its next firing, says what its problem is, and is tried again
   * after {@link FiringProblem#RETRY_AFTER}.
   */
  FiringRound fireDue(int limit, FiringDecider decider);

  /** The instant of a firing by hand: now, or a little later if the last one was just now. */
  static Instant instantByHand(Instant now, List<Firing> newest) {
    return newest.stream()
        .filter(firing -> firing.manual() && !firing.scheduledFor().isBefore(now))
        .map(firing -> firing.scheduledFor().plusMillis(1))
        .findFirst()
        .orElse(now);
  }

  /**
   * Decides about one schedule, whether it is due or not. Problems are thrown. The decider gets an
   * instant that no earlier manual firing has.
   *
   * @return the firings that were stored; empty if the schedule does not exist
   */
  Optional<List<Firing>> fire(UUID schedule, FiringDecider decider);

  /** How long until the next schedule is due, zero or less if it is; empty if there is none. */
  Optional<Duration> untilNext();

  /** The last firings, newest first. */
  List<Firing> firings(UUID schedule, int limit);

  /** The first live tasks of a schedule, in the order of their ids. */
  default List<UUID> liveTasks(UUID schedule, int limit) {
    return liveTasks(schedule, null, limit);
  }

  /**
   * Live tasks of a schedule, in the order of their ids.
   *
   * @param from the smallest id; null for the first
   */
  List<UUID> liveTasks(UUID schedule, @Nullable UUID from, int limit);

  /**
   * Batches of a schedule that keep runs and are not final, in the order of their ids.
   *
   * @param waiting only those that wait for their next run
   * @param from the smallest id; null for the first
   */
  List<UUID> unfinishedBatches(UUID schedule, boolean waiting, @Nullable UUID from, int limit);
}
