// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.store.ClaimRequest;
import dev.perdure.engine.store.ClaimRequest.Room;
import dev.perdure.engine.store.Claimed;
import dev.perdure.engine.store.Holder;
import dev.perdure.engine.store.Lease;
import dev.perdure.engine.store.NodeBook.Node;
import dev.perdure.engine.store.Submission;
import dev.perdure.engine.store.Submission.NewRow;
import dev.perdure.engine.store.TaskStore;
import dev.perdure.engine.store.Verdict;
import dev.perdure.engine.task.Attempt;
import dev.perdure.engine.task.Change;
import dev.perdure.engine.task.Due;
import dev.perdure.engine.task.Lifecycle;
import dev.perdure.engine.task.LossLimit;
import dev.perdure.engine.task.Outcome;
import dev.perdure.engine.task.Task;
import dev.perdure.policy.Failure;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;

/** An empty store, a clock, a node that lives on, and the words the tests are written in. */
abstract class StoreContract {

  static final Duration FOR_EVER = Duration.ofDays(10_000);
  static final Duration MILLI = Duration.ofMillis(1);
  static final Outcome SUCCEEDED = new Outcome.Succeeded(null);
  static final Outcome FAILED = new Outcome.Failed(Failure.explicit("again"), null);

  private static final int ALL = 1_000;

  final int shards;
  final FakeClock clock = new FakeClock();
  final Ids ids = new Ids(clock);
  final Lifecycle lifecycle = new Lifecycle(LossLimit.DEFAULT);
  final StoreFixture fixture;
  final TaskStore store;
  final UUID node = ids.next(0);
  private int submissions;

  StoreContract(Supplier<StoreFixture> fixtures, int shards) {
    this.shards = shards;
    this.fixture = fixtures.get();
    this.store = fixture.create(clock, shards);
    store.nodes().join(new Node(node, "first", List.of("a", "b")), FOR_EVER);
  }

  @AfterEach
  void closes_what_it_opened() {
    fixture.close();
  }

  /** Everything that can be read of a task. */
  record Seen(Task task, List<Attempt> attempts) {}

  Seen see(UUID id) {
    return new Seen(find(id), attempts(id));
  }

  Task find(UUID id) {
    return store.reader().find(id).orElseThrow();
  }

  List<Attempt> attempts(UUID id) {
    return store.reader().attempts(id, ALL);
  }

  /** Each submission goes to another shard. */
  int nextShard() {
    return submissions++ % shards;
  }

  UUID submit(Given given) {
    return submit(given, Due.now());
  }

  UUID submit(Given given, Due due) {
    return submit(nextShard(), List.of(given), due).getFirst();
  }

  /** Submits all of them together. */
  List<UUID> submitAll(Given... given) {
    return submit(nextShard(), List.of(given), Due.now());
  }

  List<UUID> submit(int shard, List<Given> given, Due due) {
    List<NewRow> rows =
        given.stream().map(each -> new NewRow(ids.next(shard), each.definition(), due)).toList();
    store.submit(new Submission(ids.next(shard), rows));
    return rows.stream().map(NewRow::id).toList();
  }

  static List<Room> rooms(int free, String... kinds) {
    return Stream.of(kinds).map(kind -> new Room(kind, free)).toList();
  }

  /** Claims for the node, and starts. */
  Claimed claim(int limit, String... kinds) {
    return store.claim(new ClaimRequest(new Holder.OfNode(node), rooms(limit, kinds), limit, true));
  }

  static List<UUID> taken(Claimed claimed) {
    return claimed.leases().stream().map(Lease::task).map(Task::id).toList();
  }

  /** The one task of this kind that is due, claimed and not started. */
  Task claimed(String kind) {
    return only(store.claim(new ClaimRequest(new Holder.OfNode(node), rooms(1, kind), 1, false)));
  }

  /** The one task of this kind that is due, claimed and started. */
  Task running(String kind) {
    return only(claim(1, kind));
  }

  private static Task only(Claimed claimed) {
    assertThat(claimed.leases()).hasSize(1);
    return claimed.leases().getFirst().task();
  }

  Verdict apply(Change change) {
    List<Verdict> verdicts = store.apply(List.of(change));
    assertThat(verdicts).hasSize(1);
    return verdicts.getFirst();
  }

  /** Writes a change that must be accepted, and reads the task again. */
  Task write(Change change) {
    assertThat(apply(change)).isEqualTo(Verdict.done());
    return find(change.task());
  }

  Task settle(Task task, Outcome outcome) {
    return write(lifecycle.settle(task, outcome, clock.instant()));
  }

  /** Says that the change was refused, what was found instead, and that nothing was altered. */
  void assertRefused(Change change) {
    Seen before = see(change.task());
    assertThat(apply(change))
        .isEqualTo(Verdict.refused(before.task().state(), before.task().epoch()));
    assertThat(see(change.task())).isEqualTo(before);
  }
}
