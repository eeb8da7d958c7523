// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.query.PageRequest;
import dev.perdure.engine.query.RetryWaveQuery;
import dev.perdure.engine.query.RetryWindow;
import dev.perdure.engine.query.StoreStatistics;
import dev.perdure.engine.query.TaskFilter;
import dev.perdure.engine.spi.ClaimRequest;
import dev.perdure.engine.spi.ClaimRequest.QueueCapacity;
import dev.perdure.engine.spi.Heartbeat;
import dev.perdure.engine.spi.LeaseOwner;
import dev.perdure.engine.spi.NodeRegistry.RegisteredNode;
import dev.perdure.engine.spi.ProgressReport;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.Submission.NewTaskRow;
import dev.perdure.engine.spi.TaskSnapshot;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.spi.TaskUpdate;
import dev.perdure.engine.task.IdOrder;
import dev.perdure.engine.task.Lease;
import dev.perdure.engine.task.LeaseKey;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TaskState;
import dev.perdure.testing.FakeClock;
import dev.perdure.testing.InMemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * Runs the same random operations on a store and on the in-memory store and compares their results.
 * A claim always takes all due tasks of its kinds, because the order of equal tasks is not
 * specified.
 */
final class RandomWalk {

  private static final int ALL = 1_000;
  private static final int MAX_STALE_TASKS = 60;
  private static final List<String> KINDS = List.of("a", "b", "c");

  private final TaskStore store;
  private final InMemoryStore model;
  private final FakeClock clock;
  private final RandomGenerator random;
  private final TestIds ids;
  private final RandomInputs inputs;
  private final List<UUID> nodes = new ArrayList<>();
  private final Set<UUID> tasks = new HashSet<>();

  /** Tasks as they were read some time ago, so that changes decided on them may be stale. */
  private final List<Task> staleTasks = new ArrayList<>();

  private String lastAction = "no action yet";

  RandomWalk(TaskStore store, FakeClock clock, TestIds ids, long seed) {
    this.store = store;
    this.clock = clock;
    this.model = new InMemoryStore(clock, store.shards());
    this.random = new SplittableRandom(seed);
    this.ids = ids;
    this.inputs = new RandomInputs(random, clock);
  }

  String lastAction() {
    return lastAction;
  }

  void step() {
    switch (random.nextInt(17)) {
      case 0, 1 -> submit();
      case 2, 3, 4 -> claim();
      case 5, 6, 7, 8, 9 -> change();
      case 10 -> heartbeat();
      case 11 -> counters();
      case 12 -> nodes();
      case 13 -> maintenance();
      case 14, 15 -> advance();
      default -> retention();
    }
  }

  private <T> T onBoth(String name, Function<TaskStore, T> action) {
    lastAction = name;
    T expected = action.apply(model);
    assertThat(action.apply(store)).as(name).isEqualTo(expected);
    return expected;
  }

  private void submit() {
    int shard = random.nextInt(store.shards());
    List<NewTaskRow> rows = new ArrayList<>();
    for (int i = 0; i <= random.nextInt(3); i++) {
      rows.add(
          new NewTaskRow(
              ids.next(shard),
              inputs.definition(choose(KINDS)),
              inputs.due(),
              random.nextInt(3) == 0 ? inputs.importedHistory() : null));
    }
    Submission submission = new Submission(ids.next(shard), rows);
    int times = 1 + random.nextInt(2);
    for (int i = 0; i < times; i++) {
      lastAction = "submit " + submission;
      model.submit(submission);
      store.submit(submission);
    }
    rows.forEach(row -> tasks.add(row.id()));
  }

  private void claim() {
    List<QueueCapacity> capacities =
        KINDS.stream()
            .filter(kind -> random.nextBoolean())
            .map(kind -> new QueueCapacity(kind, ALL))
            .toList();
    LeaseOwner owner =
        nodes.isEmpty() || random.nextInt(3) == 0
            ? new LeaseOwner.RemoteOwner("remote", Duration.ofSeconds(1 + random.nextInt(60)))
            : new LeaseOwner.NodeOwner(choose(nodes));
    ClaimRequest request = new ClaimRequest(owner, capacities, ALL, random.nextBoolean());
    List<Lease> leases =
        onBoth("claim " + request, target -> inOrder(target.claim(request).leases(), Lease::task));
    leases.forEach(lease -> keepStale(lease.task()));
  }

  private void change() {
    List<TaskChange> changes = new ArrayList<>();
    Set<UUID> chosen = new HashSet<>();
    for (int i = 0; i <= random.nextInt(4); i++) {
      anyTask()
          .filter(task -> chosen.add(task.id()))
          .flatMap(inputs::change)
          .ifPresent(changes::add);
    }
    onBoth("apply " + changes, target -> target.apply(changes));
  }

  private void heartbeat() {
    anyTask()
        .ifPresent(
            task -> {
              long epoch = task.epoch() + (random.nextInt(4) == 0 ? 1 : 0);
              Heartbeat heartbeat =
                  new Heartbeat(
                      new LeaseKey(task.id(), epoch),
                      random.nextBoolean() ? null : random.nextLong(1_000),
                      random.nextBoolean() ? null : random.nextLong(1_000),
                      random.nextBoolean() ? null : Duration.ofSeconds(30));
              onBoth("heartbeat " + heartbeat, target -> target.heartbeat(List.of(heartbeat)));
            });
  }

  private void counters() {
    anyTask()
        .ifPresent(
            task -> {
              ProgressReport report =
                  new ProgressReport(
                      new LeaseKey(task.id(), task.epoch() + (random.nextInt(4) == 0 ? 1 : 0)),
                      random.nextInt(4) == 0 ? Long.MAX_VALUE - 1 : random.nextLong(10),
                      random.nextLong(10),
                      random.nextBoolean() ? null : Duration.ofSeconds(30));
              onBoth("add " + report, target -> target.addProgress(List.of(report)));
              TaskUpdate update =
                  new TaskUpdate(
                      task.id(),
                      random.nextBoolean() ? null : task.epoch(),
                      random.nextBoolean() ? null : random.nextInt(-5, 5),
                      random.nextBoolean() ? null : random.nextLong(1_000),
                      random.nextBoolean() ? null : "{\"n\":" + random.nextInt(9) + "}");
              onBoth("update " + update, target -> target.update(update));
            });
  }

  private void nodes() {
    if (nodes.size() < 3) {
      RegisteredNode node = new RegisteredNode(ids.next(0), "n" + nodes.size(), KINDS);
      nodes.add(node.id());
      lastAction = "join " + node;
      model.nodes().join(node, Duration.ofMinutes(10));
      store.nodes().join(node, Duration.ofMinutes(10));
      return;
    }
    UUID id = choose(nodes);
    switch (random.nextInt(4)) {
      case 0 -> {
        lastAction = "leave " + id;
        nodes.remove(id);
        model.nodes().leave(id);
        store.nodes().leave(id);
      }
      case 1 -> onBoth("mark dead", target -> new HashSet<>(target.nodes().markExpiredDead(ALL)));
      default ->
          onBoth(
              "renew " + id,
              target -> target.nodes().renew(id, Duration.ofMinutes(10)).map(HashSet::new));
    }
    onBoth("alive", target -> new HashSet<>(target.nodes().alive()));
  }

  private void maintenance() {
    onBoth("orphans", target -> found(target.maintenance().orphans(ALL))).forEach(this::keepStale);
    onBoth("inactive", target -> found(target.maintenance().inactive(ALL)))
        .forEach(this::keepStale);
    onBoth("deadlines", target -> found(target.maintenance().pastDeadline(ALL)))
        .forEach(this::keepStale);
  }

  private static List<Task> found(TaskSnapshot taskSnapshot) {
    return inOrder(taskSnapshot.tasks(), task -> task);
  }

  private void advance() {
    lastAction = "advance";
    clock.advance(Duration.ofMillis(random.nextInt(90_000)));
  }

  /**
   * Deletes until nothing is left, because the contract does not specify how much one call deletes
   * with several shards.
   */
  private void retention() {
    Duration age = Duration.ofMinutes(random.nextInt(1, 30));
    onBoth("retention " + age, target -> deleteAllExpired(target, age));
    tasks.removeIf(id -> model.reader().find(id).isEmpty());
  }

  private static int deleteAllExpired(TaskStore target, Duration age) {
    int all = 0;
    int deleted = target.maintenance().purge(age, ALL);
    while (deleted > 0) {
      all += deleted;
      deleted = target.maintenance().purge(age, ALL);
    }
    return all;
  }

  void compare() {
    onBoth(
        lastAction,
        target -> target.reader().list(TaskFilter.all(), PageRequest.first(ALL)).tasks());
    onBoth(lastAction, target -> target.reader().backlog());
    StoreStatistics expected =
        onBoth(lastAction, target -> withoutAverage(target.reader().statistics()));
    assertThat(expected.byState().values().stream().mapToLong(Long::longValue).sum())
        .isEqualTo(tasks.size());
  }

  /** Compares attempts and counts, which is too expensive after every step. */
  void compareHistories() {
    for (UUID id : tasks) {
      onBoth("history", target -> target.reader().find(id));
      onBoth("history", target -> target.reader().attempts(id, ALL));
    }
    for (TaskState state : TaskState.values()) {
      onBoth("count", target -> target.reader().count(TaskFilter.in(state), ALL));
    }
    RetryWaveQuery wave = RetryWaveQuery.of(RetryWindow.HOUR).withByKind(true);
    onBoth("retry wave", target -> target.reader().retryWave(wave));
  }

  /** Removes the average, which stores may round differently. */
  private static StoreStatistics withoutAverage(StoreStatistics all) {
    return new StoreStatistics(
        all.byState(),
        all.due(),
        all.retriesPending(),
        all.exhausted(),
        all.pendingByKind(),
        all.retriesByKind(),
        all.retriesByStrategy(),
        all.successRate(),
        null);
  }

  private Optional<Task> anyTask() {
    if (!staleTasks.isEmpty() && random.nextInt(3) > 0) {
      return Optional.of(choose(staleTasks));
    }
    return tasks.isEmpty()
        ? Optional.empty()
        : model.reader().find(choose(tasks.stream().sorted(IdOrder.BYTEWISE).toList()));
  }

  private void keepStale(Task task) {
    staleTasks.add(task);
    if (staleTasks.size() > MAX_STALE_TASKS) {
      staleTasks.removeFirst();
    }
  }

  private <T> T choose(List<T> from) {
    return from.get(random.nextInt(from.size()));
  }

  private static <T> List<T> inOrder(List<T> items, Function<T, Task> task) {
    return items.stream()
        .sorted(Comparator.comparing((T item) -> task.apply(item).id(), IdOrder.BYTEWISE))
        .toList();
  }
}
