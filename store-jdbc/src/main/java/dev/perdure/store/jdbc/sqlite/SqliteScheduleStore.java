// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import dev.perdure.engine.schedule.Firing;
import dev.perdure.engine.schedule.FiringProblem;
import dev.perdure.engine.schedule.Overlap;
import dev.perdure.engine.schedule.Schedule;
import dev.perdure.engine.schedule.TriggerJson;
import dev.perdure.engine.spi.ScheduleStore;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.Submission.NewTaskRow;
import dev.perdure.engine.task.Shards;
import dev.perdure.store.jdbc.sql.ScheduleRowMapper;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Stores schedules. */
final class SqliteScheduleStore implements ScheduleStore {

  private static final ScheduleRowMapper ROWS = new ScheduleRowMapper(SqliteColumnReader.INSTANCE);

  private final SqliteStore store;

  SqliteScheduleStore(SqliteStore store) {
    this.store = store;
  }

  @Override
  public boolean create(UUID id, ScheduleContent content) {
    return store.write(
        (session, now) ->
            write(session, now, "schedule.create", id, content)
                    .text("name", content.name())
                    .update()
                == 1);
  }

  private static CachedStatement write(
      SqliteSession session, long now, String name, UUID id, ScheduleContent content)
      throws SQLException {
    return of(session, name, id)
        .id("id", id)
        .number("now", now)
        .number("next_at", SqliteValues.millis(content.firstAfter(Instant.ofEpochMilli(now))))
        .text("trigger", TriggerJson.write(content.trigger()).toString())
        .text("overlap", content.overlap().text())
        .text("misfire", content.misfire().text())
        .flag("enabled", content.enabled())
        .text("template", content.template())
        .text("as_given", content.asGiven());
  }

  private static CachedStatement of(SqliteSession session, String name, UUID schedule)
      throws SQLException {
    return session.statement(name).number("shard", Shards.of(schedule));
  }

  @Override
  public boolean update(UUID id, ScheduleContent content, @Nullable Long version) {
    return store.write(
        (session, now) -> {
          Schedule before =
              of(session, "schedule.lock", id).id("id", id).one(ROWS::schedule).orElse(null);
          if (before == null || (version != null && version != before.version())) {
            return false;
          }
          write(session, now, "schedule.update", id, content).update();
          if (content.overlap() != Overlap.QUEUE) {
            of(session, "firing.delete_queued", id).id("schedule", id).update();
          }
          return true;
        });
  }

  @Override
  public boolean delete(UUID id) {
    return store.write(
        (session, now) -> {
          of(session, "firing.delete", id).id("schedule", id).update();
          return of(session, "schedule.delete", id).id("id", id).update() == 1;
        });
  }

  @Override
  public Optional<Schedule> find(UUID id) {
    return store.read(
        (session, now) -> of(session, "schedule.find", id).id("id", id).one(ROWS::schedule));
  }

  @Override
  public Optional<Schedule> findByName(String name) {
    return store.read(
        (session, now) ->
            session
                .statement("schedule.find_by_name")
                .number("shard", ScheduleStore.shard(name, store.shards()))
                .text("name", name)
                .one(ROWS::schedule));
  }

  @Override
  public List<Schedule> list(String after, int limit) {
    return store.read(
        (session, now) -> {
          List<Schedule> all = new ArrayList<>();
          for (int shard = 0; shard < store.shards(); shard++) {
            all.addAll(
                session
                    .statement("schedule.list")
                    .number("shard", shard)
                    .text("after", after)
                    .number("limit", limit)
                    .list(ROWS::schedule));
          }
          return ScheduleStore.page(all, limit);
        });
  }

  @Override
  public FiringRound fireDue(int limit, FiringDecider decider) {
    return store.write(
        (session, now) -> {
          FiringRound round = FiringRound.NONE;
          for (int shard = 0; shard < store.shards() && round.schedules() < limit; shard++) {
            List<Schedule> locked =
                session
                    .statement("schedule.lock_due")
                    .number("now", now)
                    .number("shard", shard)
                    .number("limit", limit - round.schedules())
                    .list(ROWS::schedule);
            round = round.plus(fire(session, now, withStates(session, shard, locked), decider));
          }
          return round;
        });
  }

  private static List<DueSchedule> withStates(
      SqliteSession session, int shard, List<Schedule> locked) throws SQLException {
    return ScheduleRowMapper.due(
        locked,
        session
            .statement("schedule.states")
            .number("shard", shard)
            .text("ids", SqliteValues.hexJson(locked.stream().map(Schedule::id).toList()))
            .list(ROWS::state));
  }

  private FiringRound fire(
      SqliteSession session, long now, List<DueSchedule> due, FiringDecider decider)
      throws SQLException {
    List<FiringProblem> problems = new ArrayList<>();
    int decided = 0;
    AtomicInteger tasks = new AtomicInteger();
    FiringDecider counting =
        (one, at) -> {
          FiringDecision decision = decider.decide(one, at);
          tasks.addAndGet(decision.tasks());
          return decision;
        };
    for (; decided < due.size() && tasks.get() < MAX_TASKS_PER_ROUND; decided++) {
      FiringProblem problem = tryToFire(session, now, due.get(decided), counting);
      if (problem != null) {
        problems.add(problem);
        of(session, "schedule.postpone", problem.schedule())
            .id("id", problem.schedule())
            .number("look_at", now + FiringProblem.RETRY_AFTER.toMillis())
            .text("problem", problem.problem())
            .update();
      }
    }
    return new FiringRound(decided, problems);
  }

  /** Fires the schedule, or returns why it cannot fire; then nothing is written. */
  private @Nullable FiringProblem tryToFire(
      SqliteSession session, long now, DueSchedule due, FiringDecider decider) throws SQLException {
    session.savepoint();
    try {
      fire(session, now, due, decider);
      session.releaseSavepoint();
      return null;
    } catch (RuntimeException failure) {
      session.rollbackToSavepoint();
      return FiringProblem.of(due.schedule(), failure);
    } catch (SQLException failure) {
      if (!SqliteErrors.isRefused(failure)) {
        throw failure;
      }
      session.rollbackToSavepoint();
      return FiringProblem.refused(due.schedule(), SqliteErrors.name(failure));
    }
  }

  @Override
  public Optional<List<Firing>> fire(UUID schedule, FiringDecider decider) {
    return store.write(
        (session, now) -> {
          Optional<Schedule> found =
              of(session, "schedule.lock", schedule).id("id", schedule).one(ROWS::schedule);
          if (found.isEmpty()) {
            return Optional.empty();
          }
          List<DueSchedule> due = withStates(session, Shards.of(schedule), List.of(found.get()));
          Instant at =
              ScheduleStore.instantByHand(Instant.ofEpochMilli(now), firings(session, schedule, 1));
          return Optional.of(fire(session, at.toEpochMilli(), due.getFirst(), decider));
        });
  }

  /** Returns the firings that were stored. */
  private List<Firing> fire(SqliteSession session, long now, DueSchedule due, FiringDecider decider)
      throws SQLException {
    Schedule schedule = due.schedule();
    FiringDecision decision = decider.decide(due, Instant.ofEpochMilli(now));
    Set<UUID> empty = new HashSet<>();
    for (Submission submission : decision.submissions()) {
      submission.requireValid(store.shards());
      if (new SqliteSubmissionWriter(session, now).submit(submission).stored() == 0) {
        empty.add(submission.batch());
      }
      List<UUID> tasks = submission.tasks().stream().map(NewTaskRow::id).toList();
      of(session, "schedule.mark_tasks", schedule.id())
          .id("schedule", schedule.id())
          .text("ids", SqliteValues.hexJson(tasks))
          .update();
      if (submission.definition().hasRuns()) {
        of(session, "schedule.mark_runs", schedule.id())
            .id("schedule", schedule.id())
            .id("batch", submission.batch())
            .update();
      }
    }
    List<Firing> firings = new ArrayList<>();
    for (Firing firing : decision.firings()) {
      boolean skipped = firing.batch() != null && empty.contains(firing.batch());
      firings.add(skipped ? firing.skipped() : firing);
      insert(session, schedule.id(), firings.getLast());
    }
    of(session, "schedule.advance", schedule.id())
        .id("id", schedule.id())
        .number("next_at", SqliteValues.millis(decision.nextAt()))
        .number("look_at", SqliteValues.millis(decision.lookAt()))
        .number("queued", decision.queued())
        .number("firings", decision.firings().size())
        .update();
    if (ScheduleStore.isPruned(schedule, decision)) {
      of(session, "firing.prune", schedule.id())
          .id("schedule", schedule.id())
          .number("kept", MAX_KEPT)
          .update();
    }
    return firings;
  }

  private static void insert(SqliteSession session, UUID schedule, Firing firing)
      throws SQLException {
    of(session, "firing.insert", schedule)
        .id("schedule", schedule)
        .number("scheduled_for", SqliteValues.millis(firing.scheduledFor()))
        .flag("manual", firing.manual())
        .number("fired_at", SqliteValues.millis(firing.firedAt()))
        .text("outcome", firing.outcome().text())
        .bytes("batch", firing.batch() == null ? null : SqliteValues.bytes(firing.batch()))
        .number("missed", firing.missed())
        .update();
  }

  @Override
  public Optional<Duration> untilNext() {
    return store.read(
        (session, now) -> {
          List<Instant> looks = new ArrayList<>();
          for (int shard = 0; shard < store.shards(); shard++) {
            session
                .statement("schedule.until_next")
                .number("shard", shard)
                .one(row -> Instant.ofEpochMilli(row.getLong("look_at")))
                .ifPresent(looks::add);
          }
          return looks.stream()
              .min(Comparator.naturalOrder())
              .map(next -> Duration.between(Instant.ofEpochMilli(now), next));
        });
  }

  @Override
  public List<Firing> firings(UUID schedule, int limit) {
    return store.read((session, now) -> firings(session, schedule, limit));
  }

  private static List<Firing> firings(SqliteSession session, UUID schedule, int limit)
      throws SQLException {
    return of(session, "firing.list", schedule)
        .id("schedule", schedule)
        .number("limit", limit)
        .list(ROWS::firing);
  }

  @Override
  public List<UUID> liveTasks(UUID schedule, @Nullable UUID from, int limit) {
    return store.read(
        (session, now) -> ids(of(session, "schedule.live_tasks", schedule), schedule, from, limit));
  }

  @Override
  public List<UUID> unfinishedBatches(
      UUID schedule, boolean waiting, @Nullable UUID from, int limit) {
    return store.read(
        (session, now) ->
            ids(
                of(session, "schedule.unfinished_batches", schedule).flag("waiting", waiting),
                schedule,
                from,
                limit));
  }

  private static List<UUID> ids(
      CachedStatement statement, UUID schedule, @Nullable UUID from, int limit)
      throws SQLException {
    return statement
        .id("schedule", schedule)
        .id("from", from == null ? new UUID(0, 0) : from)
        .number("limit", limit)
        .list(row -> SqliteColumnReader.INSTANCE.uuid(row, "id"));
  }
}
