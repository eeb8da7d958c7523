// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation.bug;

import dev.perdure.engine.schedule.Firing;
import dev.perdure.engine.schedule.Schedule;
import dev.perdure.engine.spi.ScheduleStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Forwards every call. Subclasses override some of them. */
public class ForwardingScheduleStore implements ScheduleStore {

  protected final ScheduleStore inner;

  protected ForwardingScheduleStore(ScheduleStore inner) {
    this.inner = inner;
  }

  @Override
  public boolean create(UUID id, ScheduleContent content) {
    return inner.create(id, content);
  }

  @Override
  public boolean update(UUID id, ScheduleContent content, @Nullable Long version) {
    return inner.update(id, content, version);
  }

  @Override
  public boolean delete(UUID id) {
    return inner.delete(id);
  }

  @Override
  public Optional<Schedule> find(UUID id) {
    return inner.find(id);
  }

  @Override
  public Optional<Schedule> findByName(String name) {
    return inner.findByName(name);
  }

  @Override
  public List<Schedule> list(String after, int limit) {
    return inner.list(after, limit);
  }

  @Override
  public FiringRound fireDue(int limit, FiringDecider decider) {
    return inner.fireDue(limit, decider);
  }

  @Override
  public Optional<List<Firing>> fire(UUID schedule, FiringDecider decider) {
    return inner.fire(schedule, decider);
  }

  @Override
  public Optional<Duration> untilNext() {
    return inner.untilNext();
  }

  @Override
  public List<Firing> firings(UUID schedule, int limit) {
    return inner.firings(schedule, limit);
  }

  @Override
  public List<UUID> liveTasks(UUID schedule, @Nullable UUID from, int limit) {
    return inner.liveTasks(schedule, from, limit);
  }

  @Override
  public List<UUID> unfinishedBatches(
      UUID schedule, boolean waiting, @Nullable UUID from, int limit) {
    return inner.unfinishedBatches(schedule, waiting, from, limit);
  }
}
