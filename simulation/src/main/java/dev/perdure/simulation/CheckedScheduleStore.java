// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import dev.perdure.engine.schedule.Firing;
import dev.perdure.engine.schedule.Schedule;
import dev.perdure.engine.spi.ScheduleStore;
import dev.perdure.engine.spi.Submission;
import dev.perdure.simulation.ScheduleChecker.SeenSchedule;
import dev.perdure.simulation.bug.ForwardingScheduleStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Checks what the database does to schedules. */
final class CheckedScheduleStore extends ForwardingScheduleStore {

  private static final int MAX_FIRED = 3;

  private final World world;
  private final NodeProcess process;

  CheckedScheduleStore(ScheduleStore inner, World world, NodeProcess process) {
    super(inner);
    this.world = world;
    this.process = process;
  }

  @Override
  public boolean create(UUID id, ScheduleContent content) {
    boolean created = inner.create(id, content);
    if (created) {
      world.schedules.created(inner.find(id).orElseThrow(), content);
    }
    return created;
  }

  @Override
  public boolean update(UUID id, ScheduleContent content, @Nullable Long version) {
    boolean updated = inner.update(id, content, version);
    world.schedules.updated(id, updated ? content : null, version, inner.find(id).orElse(null));
    return updated;
  }

  @Override
  public boolean delete(UUID id) {
    boolean deleted = inner.delete(id);
    world.schedules.deleted(id);
    return deleted;
  }

  /** Few, because other nodes are deciding about the others. */
  @Override
  public FiringRound fireDue(int limit, FiringDecider decider) {
    List<SeenSchedule> seen = new ArrayList<>();
    FiringRound round =
        inner.fireDue(Math.min(limit, world.random.between(1, MAX_FIRED)), recorded(seen, decider));
    seen.forEach(one -> check(one, false));
    return round;
  }

  @Override
  public Optional<List<Firing>> fire(UUID schedule, FiringDecider decider) {
    List<SeenSchedule> seen = new ArrayList<>();
    Optional<List<Firing>> found = inner.fire(schedule, recorded(seen, decider));
    seen.forEach(one -> check(one, true));
    return found;
  }

  private FiringDecider recorded(List<SeenSchedule> seen, FiringDecider decider) {
    return (due, now) -> {
      Schedule schedule = due.schedule();
      boolean busy = world.schedules.isBusy(schedule.id());
      FiringDecision decision = decider.decide(due, now);
      List<Submission> submissions = decision.submissions();
      seen.add(new SeenSchedule(schedule, busy, now, submissions));
      return decision;
    };
  }

  private void check(SeenSchedule seen, boolean byHand) {
    UUID id = seen.schedule().id();
    Schedule after = inner.find(id).orElseThrow();
    world.trace.line(
        process.name(), "* " + after.name() + (byHand ? " by hand" : "") + " → " + after.nextAt());
    world.schedules.fired(
        seen, after, inner.firings(id, Integer.MAX_VALUE), byHand, world.database.reader());
  }
}
