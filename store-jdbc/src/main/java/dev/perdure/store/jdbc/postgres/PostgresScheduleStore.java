// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.engine.schedule.Firing;
import dev.perdure.engine.schedule.Overlap;
import dev.perdure.engine.schedule.Schedule;
import dev.perdure.engine.schedule.TriggerJson;
import dev.perdure.engine.spi.ScheduleStore;
import dev.perdure.engine.task.Shards;
import dev.perdure.store.jdbc.sql.NamedParameterStatement;
import dev.perdure.store.jdbc.sql.ScheduleRowMapper;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Stores schedules. */
final class PostgresScheduleStore implements ScheduleStore {

  private static final PostgresColumnReader COLUMNS = new PostgresColumnReader();
  static final ScheduleRowMapper ROWS = new ScheduleRowMapper(COLUMNS);

  private static final UUID SMALLEST = new UUID(0, 0);

  private final PostgresExecutor executor;
  private final PostgresExecutor firingExecutor;

  /**
   * @param firingExecutor for firing, which must not wait for callers
   */
  PostgresScheduleStore(PostgresExecutor executor, PostgresExecutor firingExecutor) {
    this.executor = executor;
    this.firingExecutor = firingExecutor;
  }

  @Override
  public boolean create(UUID id, ScheduleContent content) {
    return executor.runIdempotent(
        "create a schedule",
        (connection, mayHaveCommitted) -> {
          try (NamedParameterStatement statement = write(connection, "create", id, content)) {
            return statement.text("name", content.name()).update() == 1
                || (mayHaveCommitted && find(connection, id).isPresent());
          }
        });
  }

  /** Binds what the owner writes. Times are in milliseconds, like those of triggers. */
  private NamedParameterStatement write(
      Connection connection, String name, UUID id, ScheduleContent content) throws SQLException {
    Instant now = executor.now(connection).truncatedTo(ChronoUnit.MILLIS);
    NamedParameterStatement statement = statement(connection, "schedule." + name, Shards.of(id));
    PostgresParameters.uuid(statement, "id", id);
    PostgresParameters.instant(statement, "now", now);
    PostgresParameters.instant(statement, "next_at", content.firstAfter(now));
    return statement
        .text("trigger", TriggerJson.write(content.trigger()).toString())
        .text("overlap", content.overlap().text())
        .text("misfire", content.misfire().text())
        .flag("enabled", content.enabled())
        .text("template", content.template())
        .text("as_given", content.asGiven());
  }

  @Override
  public boolean update(UUID id, ScheduleContent content, @Nullable Long version) {
    return executor.runIdempotent(
        "change a schedule",
        (connection, mayHaveCommitted) ->
            PostgresExecutor.inTransaction(
                connection,
                (same, again) -> {
                  Schedule before = lock(same, id);
                  if (before == null || (version != null && version != before.version())) {
                    return mayHaveCommitted
                        && before != null
                        && isUpdated(before, content, version);
                  }
                  try (NamedParameterStatement statement = write(same, "update", id, content)) {
                    statement.update();
                  }
                  if (content.overlap() != Overlap.QUEUE) {
                    deleteFirings(same, "firing.delete_queued", id);
                  }
                  return true;
                }));
  }

  /** Locks the schedule before the clock is read: it can fire, or be changed, until then. */
  private @Nullable Schedule lock(Connection connection, UUID id) throws SQLException {
    try (NamedParameterStatement statement =
        statement(connection, "schedule.lock", Shards.of(id))) {
      PostgresParameters.uuid(statement, "id", id);
      return statement.list(ROWS::schedule).stream().findFirst().orElse(null);
    }
  }

  /** Whether the change is there already, written by an attempt whose response was lost. */
  private static boolean isUpdated(
      Schedule found, ScheduleContent content, @Nullable Long version) {
    return version != null
        && found.version() == version + 1
        && content.firesLike(found)
        && content.template().equals(found.template());
  }

  private void deleteFirings(Connection connection, String name, UUID schedule)
      throws SQLException {
    try (NamedParameterStatement statement = statement(connection, name, Shards.of(schedule))) {
      PostgresParameters.uuid(statement, "schedule", schedule);
      statement.update();
    }
  }

  @Override
  public boolean delete(UUID id) {
    return executor.runIdempotent(
        "delete a schedule",
        (connection, mayHaveCommitted) ->
            PostgresExecutor.inTransaction(
                connection,
                (same, again) -> {
                  try (NamedParameterStatement statement =
                      statement(same, "schedule.delete", Shards.of(id))) {
                    PostgresParameters.uuid(statement, "id", id);
                    boolean deleted = statement.update() == 1;
                    deleteFirings(same, "firing.delete", id);
                    return deleted || mayHaveCommitted;
                  }
                }));
  }

  @Override
  public Optional<Schedule> find(UUID id) {
    return executor.runIdempotent(
        "find a schedule", (connection, mayHaveCommitted) -> find(connection, id));
  }

  private Optional<Schedule> find(Connection connection, UUID id) throws SQLException {
    if (Shards.of(id) >= executor.settings().shards()) {
      return Optional.empty();
    }
    try (NamedParameterStatement statement =
        statement(connection, "schedule.find", Shards.of(id))) {
      PostgresParameters.uuid(statement, "id", id);
      return statement.list(ROWS::schedule).stream().findFirst();
    }
  }

  @Override
  public Optional<Schedule> findByName(String name) {
    int shard = ScheduleStore.shard(name, executor.settings().shards());
    return executor.runIdempotent(
        "find a schedule",
        (connection, mayHaveCommitted) -> {
          try (NamedParameterStatement statement =
              statement(connection, "schedule.find_by_name", shard)) {
            return statement.text("name", name).list(ROWS::schedule).stream().findFirst();
          }
        });
  }

  @Override
  public List<Schedule> list(String after, int limit) {
    List<Schedule> all = new ArrayList<>();
    for (int i = 0; i < executor.settings().shards(); i++) {
      int shard = i;
      all.addAll(
          executor.runIdempotent(
              "list schedules",
              (connection, mayHaveCommitted) -> {
                try (NamedParameterStatement statement =
                    statement(connection, "schedule.list", shard)) {
                  return statement
                      .text("after", after)
                      .integer("limit", limit)
                      .list(ROWS::schedule);
                }
              }));
    }
    return ScheduleStore.page(all, limit);
  }

  @Override
  public FiringRound fireDue(int limit, FiringDecider decider) {
    FiringRound round = FiringRound.NONE;
    for (int i = 0; i < executor.settings().shards() && round.schedules() < limit; i++) {
      int shard = i;
      int rest = limit - round.schedules();
      round =
          round.plus(
              firingExecutor.runOnce(
                  "fire schedules",
                  (connection, mayHaveCommitted) ->
                      PostgresExecutor.inTransaction(
                          connection,
                          (same, again) ->
                              firer(firingExecutor, same, shard).fireDue(rest, decider))));
    }
    return round;
  }

  private static PostgresScheduleFirer firer(
      PostgresExecutor executor, Connection connection, int shard) {
    return new PostgresScheduleFirer(
        executor, new PostgresSubmissionWriter(executor), connection, shard);
  }

  @Override
  public Optional<List<Firing>> fire(UUID schedule, FiringDecider decider) {
    return executor.runOnce(
        "fire a schedule",
        (connection, mayHaveCommitted) ->
            PostgresExecutor.inTransaction(
                connection,
                (same, again) ->
                    firer(executor, same, Shards.of(schedule)).fire(schedule, decider)));
  }

  @Override
  public Optional<Duration> untilNext() {
    List<Duration> found = new ArrayList<>();
    for (int i = 0; i < executor.settings().shards(); i++) {
      int shard = i;
      found.addAll(
          firingExecutor.runIdempotent(
              "find the next schedule",
              (connection, mayHaveCommitted) -> {
                try (NamedParameterStatement statement =
                    statement(connection, "schedule.until_next", shard)) {
                  PostgresParameters.instant(statement, "now", executor.settings().now());
                  return statement.list(row -> Duration.ofMillis(row.getLong("wait_ms")));
                }
              }));
    }
    return found.stream().min(Comparator.naturalOrder());
  }

  @Override
  public List<Firing> firings(UUID schedule, int limit) {
    return executor.runIdempotent(
        "list firings",
        (connection, mayHaveCommitted) -> firings(executor, connection, schedule, limit));
  }

  static List<Firing> firings(
      PostgresExecutor executor, Connection connection, UUID schedule, int limit)
      throws SQLException {
    try (NamedParameterStatement statement =
        executor.statement(connection, "firing.list").integer("shard", Shards.of(schedule))) {
      PostgresParameters.uuid(statement, "schedule", schedule);
      return statement.integer("limit", limit).list(ROWS::firing);
    }
  }

  @Override
  public List<UUID> liveTasks(UUID schedule, @Nullable UUID from, int limit) {
    return executor.runIdempotent(
        "list tasks of a schedule",
        (connection, mayHaveCommitted) -> {
          try (NamedParameterStatement statement =
              statement(connection, "schedule.live_tasks", Shards.of(schedule))) {
            return ids(statement, schedule, from, limit);
          }
        });
  }

  @Override
  public List<UUID> unfinishedBatches(
      UUID schedule, boolean waiting, @Nullable UUID from, int limit) {
    return executor.runIdempotent(
        "list batches of a schedule",
        (connection, mayHaveCommitted) -> {
          try (NamedParameterStatement statement =
              statement(connection, "schedule.unfinished_batches", Shards.of(schedule))) {
            return ids(statement.flag("waiting", waiting), schedule, from, limit);
          }
        });
  }

  private static List<UUID> ids(
      NamedParameterStatement statement, UUID schedule, @Nullable UUID from, int limit)
      throws SQLException {
    PostgresParameters.uuid(statement, "schedule", schedule);
    PostgresParameters.uuid(statement, "from", from == null ? SMALLEST : from);
    return statement.integer("limit", limit).list(row -> COLUMNS.uuid(row, "id"));
  }

  private NamedParameterStatement statement(Connection connection, String name, int shard)
      throws SQLException {
    return executor.statement(connection, name).integer("shard", shard);
  }
}
