// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import dev.perdure.engine.schedule.Firing;
import dev.perdure.engine.schedule.Schedule;
import dev.perdure.engine.spi.ScheduleStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The schedules behind an unreliable connection. */
final class FailingScheduleStore implements ScheduleStore {

  private final ScheduleStore inner;
  private final UnreliableConnection connection;

  FailingScheduleStore(ScheduleStore inner, UnreliableConnection connection) {
    this.inner = inner;
    this.connection = connection;
  }

  @Override
  public boolean create(UUID id, ScheduleContent content) {
    return connection.write("create a schedule", () -> inner.create(id, content));
  }

  @Override
  public boolean update(UUID id, ScheduleContent content, @Nullable Long version) {
    return connection.write("change a schedule", () -> inner.update(id, content, version));
  }

  @Override
  public boolean delete(UUID id) {
    return connection.write("delete a schedule", () -> inner.delete(id));
  }

  @Override
  public Optional<Schedule> find(UUID id) {
    return connection.read("find a schedule", () -> inner.find(id));
  }

  @Override
  public Optional<Schedule> findByName(String name) {
    return connection.read("find a schedule", () -> inner.findByName(name));
  }

  @Override
  public List<Schedule> list(String after, int limit) {
    return connection.read("list schedules", () -> inner.list(after, limit));
  }

  @Override
  public FiringRound fireDue(int limit, FiringDecider decider) {
    return connection.write("fire schedules", () -> inner.fireDue(limit, decider));
  }

  @Override
  public Optional<List<Firing>> fire(UUID schedule, FiringDecider decider) {
    return connection.write("fire a schedule", () -> inner.fire(schedule, decider));
  }

  @Override
  public Optional<Duration> untilNext() {
    return connection.read("next schedule", inner::untilNext);
  }

  @Override
  public List<Firing> firings(UUID schedule, int limit) {
    return connection.read("list firings", () -> inner.firings(schedule, limit));
  }

  @Override
  public List<UUID> liveTasks(UUID schedule, @Nullable UUID from, int limit) {
    return connection.read("tasks of a schedule", () -> inner.liveTasks(schedule, from, limit));
  }

  @Override
  public List<UUID> unfinishedBatches(
      UUID schedule, boolean waiting, @Nullable UUID from, int limit) {
    return connection.read(
        "batches of a schedule", () -> inner.unfinishedBatches(schedule, waiting, from, limit));
  }
}
