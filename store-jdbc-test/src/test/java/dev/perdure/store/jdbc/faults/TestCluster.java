// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.faults;

import dev.perdure.engine.NewTask;
import dev.perdure.engine.TaskHandler;
import dev.perdure.engine.query.PageRequest;
import dev.perdure.engine.query.TaskFilter;
import dev.perdure.engine.spi.TaskSnapshot;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.AttemptOutcome;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskState;
import dev.perdure.store.testkit.StoreFixture;
import dev.perdure.testing.FakeClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;

/** A store with a fake clock, and the nodes that use it. */
final class TestCluster implements AutoCloseable {

  static final TaskHandler<String> SUCCEEDS = (payload, context) -> {};

  static final TaskHandler<String> FAILS =
      (payload, context) -> {
        throw new IllegalStateException("attempt " + context.attempt() + " failed");
      };

  final FakeClock clock = new FakeClock();
  private final StoreFixture fixture;
  private TaskStore store;
  private int nodes;

  TestCluster(TestStore testStore) {
    fixture = testStore.fixture();
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

  /** Opens a transaction on its own connection. */
  StoreFixture.OpenTransaction begin() {
    return fixture.begin();
  }

  /** Creates a node that has joined. */
  ManualNode node(TaskHandler<String> handler) {
    return node(100, handler);
  }

  ManualNode node(int slots, TaskHandler<String> handler) {
    nodes++;
    ManualNode node = new ManualNode(store, clock, nodes, slots, handler);
    node.loops.renew();
    return node;
  }

  /** Returns a new task of the kind that all nodes handle. */
  static NewTask task() {
    return NewTask.of(ManualNode.KIND, "payload");
  }

  /** Returns copies of a task. */
  static List<NewTask> tasks(int count, NewTask task) {
    return Collections.nCopies(count, task);
  }

  void advance(Duration time) {
    clock.advance(time);
  }

  /** Advances the clock second by second and lets each node act. */
  void advance(int seconds, ManualNode... alive) {
    for (int i = 0; i < seconds; i++) {
      advance(Duration.ofSeconds(1));
      for (ManualNode node : alive) {
        node.tick();
      }
    }
  }

  /** Advances the clock second by second and runs the action before each second. */
  void advance(int seconds, Runnable action, ManualNode... alive) {
    for (int i = 0; i < seconds; i++) {
      action.run();
      advance(1, alive);
    }
  }

  /** Returns the snapshot with this task in front. */
  TaskSnapshot prepend(Object snapshot, UUID id) {
    TaskSnapshot taskSnapshot = (TaskSnapshot) snapshot;
    List<Task> tasks = new ArrayList<>(List.of(find(id)));
    tasks.addAll(taskSnapshot.tasks());
    return new TaskSnapshot(tasks, taskSnapshot.now());
  }

  Task find(UUID id) {
    return store.reader().find(id).orElseThrow();
  }

  List<Attempt> attempts(UUID id) {
    return store.reader().attempts(id, 1_000);
  }

  List<AttemptOutcome> outcomes(UUID id) {
    return attempts(id).stream().map(attempt -> attempt.details().outcome()).toList();
  }

  long count(TaskState first, TaskState... others) {
    return store.reader().count(TaskFilter.in(first, others), 1_000_000);
  }

  /** Returns all tasks. */
  List<Task> all() {
    List<Task> tasks = new ArrayList<>();
    String after = null;
    do {
      var taskPage =
          store.reader().list(TaskFilter.all(), new PageRequest(PageRequest.MAX_SIZE, after));
      taskPage.tasks().forEach(row -> tasks.add(store.reader().find(row.id()).orElseThrow()));
      after = taskPage.nextCursor();
    } while (after != null);
    return tasks;
  }

  @Override
  public void close() {
    fixture.close();
  }
}
