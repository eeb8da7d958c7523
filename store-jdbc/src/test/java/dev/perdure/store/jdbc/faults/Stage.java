// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.faults;

import dev.perdure.engine.NewTask;
import dev.perdure.engine.TaskHandler;
import dev.perdure.engine.store.PageRequest;
import dev.perdure.engine.store.Reading;
import dev.perdure.engine.store.TaskFilter;
import dev.perdure.engine.store.TaskStore;
import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.AttemptOutcome;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskState;
import dev.perdure.store.testkit.FakeClock;
import dev.perdure.store.testkit.StoreFixture;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;

/** A store under a clock that stands still, and the nodes on it. */
final class Stage implements AutoCloseable {

  static final TaskHandler<String> DOES_IT = (payload, context) -> {};

  static final TaskHandler<String> FAILS =
      (payload, context) -> {
        throw new IllegalStateException("attempt " + context.attempt() + " broke");
      };

  final FakeClock clock = new FakeClock();
  private final StoreFixture fixture;
  private TaskStore store;
  private int nodes;

  Stage(Stores stores) {
    fixture = stores.fixture();
    store = fixture.create(clock, 1);
  }

  TaskStore store() {
    return store;
  }

  /** Closes the store and opens it again, as another process would. */
  void reopen() {
    store.close();
    store = fixture.reopen();
  }

  /** A transaction on a connection of its own. */
  StoreFixture.Begun begin() {
    return fixture.begin();
  }

  /** A node that has joined. */
  StepNode node(TaskHandler<String> handler) {
    return node(100, handler);
  }

  StepNode node(int slots, TaskHandler<String> handler) {
    nodes++;
    StepNode node = new StepNode(store, clock, nodes, slots, handler);
    node.does.renew();
    return node;
  }

  /** A task of the one kind. */
  static NewTask task() {
    return NewTask.of(StepNode.KIND, "payload");
  }

  /** That many of them. */
  static List<NewTask> tasks(int count, NewTask task) {
    return Collections.nCopies(count, task);
  }

  void pass(Duration time) {
    clock.advance(time);
  }

  /** Second by second, each node doing in each what it would. */
  void pass(int seconds, StepNode... alive) {
    for (int i = 0; i < seconds; i++) {
      pass(Duration.ofSeconds(1));
      for (StepNode node : alive) {
        node.second();
      }
    }
  }

  /** The same, with something that happens at the beginning of each second. */
  void pass(int seconds, Runnable happens, StepNode... alive) {
    for (int i = 0; i < seconds; i++) {
      happens.run();
      pass(1, alive);
    }
  }

  /** What was read, and this task before it. */
  Reading with(Object found, UUID id) {
    Reading reading = (Reading) found;
    List<Task> tasks = new ArrayList<>(List.of(find(id)));
    tasks.addAll(reading.tasks());
    return new Reading(tasks, reading.now());
  }

  Task find(UUID id) {
    return store.reader().find(id).orElseThrow();
  }

  List<Attempt> attempts(UUID id) {
    return store.reader().attempts(id, 1_000);
  }

  List<AttemptOutcome> outcomes(UUID id) {
    return attempts(id).stream().map(attempt -> attempt.note().outcome()).toList();
  }

  long count(TaskState first, TaskState... others) {
    return store.reader().count(TaskFilter.in(first, others), 1_000_000);
  }

  /** Every task there is. */
  List<Task> all() {
    List<Task> tasks = new ArrayList<>();
    String after = null;
    do {
      var page = store.reader().list(TaskFilter.all(), new PageRequest(PageRequest.MOST, after));
      page.tasks().forEach(row -> tasks.add(store.reader().find(row.id()).orElseThrow()));
      after = page.next();
    } while (after != null);
    return tasks;
  }

  @Override
  public void close() {
    fixture.close();
  }
}
