// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import dev.perdure.engine.schedule.Firing;
import dev.perdure.engine.schedule.Firing.Outcome;
import dev.perdure.engine.schedule.FiringTimes;
import dev.perdure.engine.schedule.Misfire;
import dev.perdure.engine.schedule.Overlap;
import dev.perdure.engine.schedule.Schedule;
import dev.perdure.engine.spi.ScheduleStore;
import dev.perdure.engine.spi.ScheduleStore.DueSchedule;
import dev.perdure.engine.spi.ScheduleStore.FiringDecision;
import dev.perdure.engine.spi.Submission;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decides what a due schedule does. A decision is pure, except for new ids. */
final class ScheduleFirer {

  /** A trigger fires at most once a second, and what is later than a minute was missed. */
  private static final int MAX_FIRINGS = 100;

  /** Missed firings are counted up to this number. */
  private static final int MAX_MISSED = 1_000;

  /** A decision submits no more tasks than this; what is left stays due. */
  private static final int MAX_TASKS = 10_000;

  private static final Duration QUEUE_POLL = Duration.ofMillis(250);

  private final IdGenerator ids;

  ScheduleFirer(IdGenerator ids) {
    this.ids = ids;
  }

  FiringDecision decide(DueSchedule due, Instant now) {
    Decision decision = new Decision(due, now);
    decision.fireQueued();
    return decision.fireDue();
  }

  /** Fires by hand, also while the schedule is busy or paused. */
  FiringDecision fireNow(DueSchedule due, Instant now) {
    Decision decision = new Decision(due, now);
    decision.submit(now, true, 0);
    return decision.result(due.schedule().nextAt());
  }

  /** One decision. */
  private final class Decision {

    private final Schedule schedule;
    private final Instant now;
    private final @Nullable Instant oldestQueued;
    private final List<Firing> firings = new ArrayList<>();
    private final List<Submission> submissions = new ArrayList<>();
    private boolean busy;
    private int queued;

    Decision(DueSchedule due, Instant now) {
      this.schedule = due.schedule();
      this.now = now;
      this.oldestQueued = due.oldestQueued();
      this.busy = due.busy();
      this.queued = due.schedule().queued();
    }

    void fireQueued() {
      if (!busy && oldestQueued != null) {
        queued--;
        submit(oldestQueued, false, 0);
      }
    }

    FiringDecision fireDue() {
      Instant next = schedule.nextAt();
      FiringTimes times = schedule.times();
      if (next != null && Duration.between(next, now).compareTo(Misfire.MAX_DELAY) > 0) {
        catchUp(next, times);
        next = times.next(now);
      }
      for (int i = 0; i < MAX_FIRINGS && hasRoom() && next != null && !next.isAfter(now); i++) {
        fire(next, 0);
        next = times.next(next);
      }
      return result(next);
    }

    private boolean hasRoom() {
      return submissions.stream().mapToInt(one -> one.tasks().size()).sum() < MAX_TASKS;
    }

    /** One firing stands for all that were missed. */
    private void catchUp(Instant earliest, FiringTimes times) {
      Instant latest = times.previousOrSame(now).filter(earliest::isBefore).orElse(earliest);
      long missed = missed(earliest, latest, times);
      if (schedule.misfire() == Misfire.SKIP) {
        firings.add(new Firing(latest, false, now, Outcome.MISSED, null, missed));
      } else {
        fire(latest, missed);
      }
    }

    private static long missed(Instant earliest, Instant latest, FiringTimes times) {
      long missed = 0;
      for (Instant at = earliest; at.isBefore(latest) && missed < MAX_MISSED; missed++) {
        at = times.next(at);
      }
      return missed;
    }

    private void fire(Instant at, long missed) {
      if (!busy || schedule.overlap() == Overlap.ALLOW) {
        submit(at, false, missed);
      } else if (schedule.overlap() == Overlap.QUEUE && queued < ScheduleStore.MAX_QUEUED) {
        queued++;
        firings.add(new Firing(at, false, now, Outcome.QUEUED, null, missed));
      } else {
        firings.add(new Firing(at, false, now, Outcome.SKIPPED, null, missed));
      }
    }

    void submit(Instant at, boolean manual, long missed) {
      Submission submission =
          SubmissionTemplate.read(schedule.template()).create(ids, schedule.id());
      submissions.add(submission);
      firings.add(new Firing(at, manual, now, Outcome.FIRED, submission.batch(), missed));
      busy = true;
    }

    FiringDecision result(@Nullable Instant next) {
      return new FiringDecision(firings, submissions, next, lookAt(next), queued);
    }

    /** Queued firings stay queued while the schedule is paused. */
    private @Nullable Instant lookAt(@Nullable Instant next) {
      if (queued == 0 || !schedule.enabled()) {
        return next;
      }
      Instant poll = now.plus(QUEUE_POLL);
      return next != null && next.isBefore(poll) ? next : poll;
    }
  }
}
