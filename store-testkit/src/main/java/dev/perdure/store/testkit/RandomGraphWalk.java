// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.query.BatchFilter;
import dev.perdure.engine.query.PageRequest;
import dev.perdure.engine.query.TaskFilter;
import dev.perdure.engine.spi.ClaimRequest;
import dev.perdure.engine.spi.ClaimRequest.QueueCapacity;
import dev.perdure.engine.spi.DependencyStore.Propagation;
import dev.perdure.engine.spi.LeaseOwner;
import dev.perdure.engine.spi.ParentStatus;
import dev.perdure.engine.spi.Submission;
import dev.perdure.engine.spi.Submission.NewTaskRow;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.BatchDefinition;
import dev.perdure.engine.task.IdOrder;
import dev.perdure.engine.task.Lease;
import dev.perdure.engine.task.Shards;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.testing.FakeClock;
import dev.perdure.testing.InMemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/**
 * Runs the same random operations on graphs on a store and on the in-memory store and compares
 * them. Dependencies are propagated at random moments, but then as far as is possible without
 * decisions: the contract does not say how far one call goes.
 */
final class RandomGraphWalk {

  private static final int ALL = 1_000;
  private static final Duration LEASE = Duration.ofDays(1);

  private final TaskStore store;
  private final InMemoryStore model;
  private final FakeClock clock;
  private final RandomGenerator random;
  private final TestIds ids;
  private final RandomInputs inputs;
  private final List<UUID> tasks = new ArrayList<>();

  /** Decisions that were made but not written: they may be out of date when they are. */
  private final List<TaskChange> pending = new ArrayList<>();

  private String lastAction = "no action yet";

  RandomGraphWalk(TaskStore store, FakeClock clock, TestIds ids, long seed) {
    this.store = store;
    this.clock = clock;
    this.ids = ids;
    this.model = new InMemoryStore(clock, store.shards());
    this.random = new SplittableRandom(seed);
    this.inputs = new RandomInputs(random, clock);
  }

  String lastAction() {
    return lastAction;
  }

  void step() {
    switch (random.nextInt(14)) {
      case 0, 1 -> submit();
      case 2, 3 -> claim();
      case 4, 5, 6, 7, 8 -> change();
      case 9 -> propagate();
      case 10 -> decide();
      case 11 -> writePending();
      case 12 -> advance();
      default -> purge();
    }
  }

  private <T> T onBoth(String name, Function<TaskStore, T> action) {
    lastAction = name;
    T expected = action.apply(model);
    assertThat(action.apply(store)).as(name).isEqualTo(expected);
    return expected;
  }

  private void submit() {
    int shard = random.nextInt(Math.min(2, store.shards()));
    List<NewTaskRow> rows = new ArrayList<>();
    int size = 1 + random.nextInt(5);
    for (int i = 0; i < size; i++) {
      rows.add(new NewTaskRow(ids.next(shard), inputs.definition("a"), inputs.due()));
    }
    List<UUID> stored = tasks.stream().filter(id -> Shards.of(id) == shard).toList();
    Submission submission =
        new Submission(
            ids.next(shard),
            new BatchDefinition("Batch " + random.nextInt(10), null),
            rows,
            inputs.dependencies(rows, stored),
            null);
    onBoth("submit " + submission, target -> target.submit(submission));
    rows.forEach(row -> tasks.add(row.id()));
  }

  private void claim() {
    ClaimRequest request =
        new ClaimRequest(
            new LeaseOwner.RemoteOwner("remote", LEASE),
            List.of(new QueueCapacity("a", ALL)),
            ALL,
            random.nextInt(4) > 0);
    onBoth(
        "claim " + request,
        target ->
            target.claim(request).leases().stream()
                .sorted(Comparator.comparing(lease -> lease.task().id(), IdOrder.BYTEWISE))
                .map(Lease::task)
                .toList());
  }

  private void change() {
    if (!tasks.isEmpty()) {
      Task task = model.reader().find(tasks.get(random.nextInt(tasks.size()))).orElseThrow();
      inputs.change(task).ifPresent(this::apply);
    }
  }

  /** Whether a write is observed may differ after its dependents have been purged. */
  private void apply(TaskChange change) {
    onBoth(
        "apply " + change,
        target -> {
          WriteResult result = target.apply(List.of(change)).getFirst();
          return result.applied() ? WriteResult.written() : result;
        });
  }

  private void propagate() {
    int limit = 1 + random.nextInt(5);
    int calls = random.nextInt(5);
    lastAction = "propagate, first %d times at most %d".formatted(calls, limit);
    for (int i = 0; i < calls; i++) {
      assertThat(store.dependencies().propagate(limit).dependencies()).isLessThanOrEqualTo(limit);
    }
    propagateAll(model);
    propagateAll(store);
    Set<UUID> undecided =
        tasks.stream()
            .map(id -> model.reader().find(id).orElseThrow())
            .filter(task -> ParentStatus.of(task).needsDecision())
            .map(Task::id)
            .collect(Collectors.toSet());
    assertThat(Set.copyOf(model.dependencies().propagate(ALL).undecided())).isEqualTo(undecided);
    assertThat(Set.copyOf(store.dependencies().propagate(ALL).undecided())).isEqualTo(undecided);
  }

  private static void propagateAll(TaskStore target) {
    for (int rounds = 0; rounds < ALL; rounds++) {
      Propagation done = target.dependencies().propagate(ALL);
      if (done.events() + done.dependencies() == 0) {
        return;
      }
    }
    throw new AssertionError("there is still something to propagate");
  }

  /** Decides about some of the tasks; about half of the decisions are written later. */
  private void decide() {
    propagate();
    for (UUID id : model.dependencies().propagate(ALL).undecided()) {
      TaskChange decision = inputs.decide(model.reader().find(id).orElseThrow());
      if (random.nextBoolean()) {
        apply(decision);
      } else {
        pending.add(decision);
      }
    }
  }

  private void writePending() {
    List.copyOf(pending).forEach(this::apply);
    pending.clear();
  }

  private void advance() {
    lastAction = "advance";
    clock.advance(Duration.ofMillis(random.nextInt(90_000)));
  }

  /** A store may count a batch as active while something is propagated, so nothing must be left. */
  private void purge() {
    for (int rounds = 0; rounds < ALL; rounds++) {
      propagate();
      List<UUID> undecided = model.dependencies().propagate(ALL).undecided();
      if (undecided.isEmpty()) {
        break;
      }
      undecided.forEach(id -> apply(inputs.decide(model.reader().find(id).orElseThrow())));
    }
    Duration age = Duration.ofMinutes(random.nextInt(1, 10));
    onBoth("purge " + age, target -> purgeAll(target, age));
    tasks.removeIf(id -> model.reader().find(id).isEmpty());
    pending.clear();
  }

  private static int purgeAll(TaskStore target, Duration age) {
    int all = 0;
    for (int purged = target.maintenance().purge(age, ALL); purged > 0; ) {
      all += purged;
      purged = target.maintenance().purge(age, ALL);
    }
    return all;
  }

  void compare() {
    String action = lastAction;
    onBoth(
        action, target -> target.reader().list(TaskFilter.all(), PageRequest.first(ALL)).tasks());
    onBoth(action, target -> target.batches().list(BatchFilter.ALL, PageRequest.first(ALL)));
    lastAction = action;
  }

  /** Compares what is too expensive after every step. */
  void compareParents() {
    propagate();
    for (UUID id : tasks) {
      onBoth("parents", target -> target.batches().parents(id, null, ALL, ALL));
      onBoth("history", target -> target.reader().attempts(id, ALL));
    }
  }
}
