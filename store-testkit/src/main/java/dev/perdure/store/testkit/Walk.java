// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.store.Addition;
import dev.perdure.engine.store.ClaimRequest;
import dev.perdure.engine.store.ClaimRequest.Room;
import dev.perdure.engine.store.Holder;
import dev.perdure.engine.store.Lease;
import dev.perdure.engine.store.NodeBook.Node;
import dev.perdure.engine.store.PageRequest;
import dev.perdure.engine.store.Reading;
import dev.perdure.engine.store.Revision;
import dev.perdure.engine.store.SignOfLife;
import dev.perdure.engine.store.Statistics;
import dev.perdure.engine.store.Submission;
import dev.perdure.engine.store.Submission.NewRow;
import dev.perdure.engine.store.TaskFilter;
import dev.perdure.engine.store.TaskStore;
import dev.perdure.engine.task.Change;
import dev.perdure.engine.task.LeaseKey;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskState;
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
import java.util.stream.Stream;

/**
 * Does the same to a store and to the model, at random, and says where their answers differ. A
 * claim takes all that is due of its kinds, since which of several come first is not all laid down.
 */
final class Walk {

  private static final int ALL = 1_000;
  private static final int MOST_MEMORIES = 60;
  private static final List<String> KINDS = List.of("a", "b", "c");

  private final TaskStore store;
  private final ModelStore model;
  private final FakeClock clock;
  private final RandomGenerator random;
  private final Ids ids;
  private final Choices choices;
  private final List<UUID> nodes = new ArrayList<>();
  private final Set<UUID> tasks = new HashSet<>();

  /** Tasks as they were read some time ago: what is decided on them may be stale. */
  private final List<Task> memories = new ArrayList<>();

  private String last = "nothing done";

  Walk(TaskStore store, FakeClock clock, Ids ids, long seed) {
    this.store = store;
    this.clock = clock;
    this.model = new ModelStore(clock, store.shards());
    this.random = new SplittableRandom(seed);
    this.ids = ids;
    this.choices = new Choices(random, clock);
  }

  String last() {
    return last;
  }

  void step() {
    switch (random.nextInt(17)) {
      case 0, 1 -> submit();
      case 2, 3, 4 -> claim();
      case 5, 6, 7, 8, 9 -> change();
      case 10 -> sign();
      case 11 -> figures();
      case 12 -> nodes();
      case 13 -> sweep();
      case 14, 15 -> advance();
      default -> purge();
    }
  }

  private <T> T both(String what, Function<TaskStore, T> act) {
    last = what;
    T expected = act.apply(model);
    assertThat(act.apply(store)).as(what).isEqualTo(expected);
    return expected;
  }

  private void submit() {
    int shard = random.nextInt(store.shards());
    List<NewRow> rows = new ArrayList<>();
    for (int i = 0; i <= random.nextInt(3); i++) {
      rows.add(
          new NewRow(
              ids.next(shard),
              choices.definition(choose(KINDS)),
              choices.due(),
              random.nextInt(3) == 0 ? choices.past() : null));
    }
    Submission submission = new Submission(ids.next(shard), rows);
    int times = 1 + random.nextInt(2);
    for (int i = 0; i < times; i++) {
      last = "submit " + submission;
      model.submit(submission);
      store.submit(submission);
    }
    rows.forEach(row -> tasks.add(row.id()));
  }

  private void claim() {
    List<Room> rooms =
        KINDS.stream()
            .filter(kind -> random.nextBoolean())
            .map(kind -> new Room(kind, ALL))
            .toList();
    Holder holder =
        nodes.isEmpty() || random.nextInt(3) == 0
            ? new Holder.OfWorker("remote", Duration.ofSeconds(1 + random.nextInt(60)))
            : new Holder.OfNode(choose(nodes));
    ClaimRequest request = new ClaimRequest(holder, rooms, ALL, random.nextBoolean());
    List<Lease> leases =
        both("claim " + request, each -> inOrder(each.claim(request).leases(), Lease::task));
    leases.forEach(lease -> remember(lease.task()));
  }

  private void change() {
    List<Change> changes = new ArrayList<>();
    Set<UUID> chosen = new HashSet<>();
    for (int i = 0; i <= random.nextInt(4); i++) {
      anyTask()
          .filter(task -> chosen.add(task.id()))
          .flatMap(choices::change)
          .ifPresent(changes::add);
    }
    both("apply " + changes, each -> each.apply(changes));
  }

  private void sign() {
    anyTask()
        .ifPresent(
            task -> {
              long epoch = task.epoch() + (random.nextInt(4) == 0 ? 1 : 0);
              SignOfLife sign =
                  new SignOfLife(
                      new LeaseKey(task.id(), epoch),
                      random.nextBoolean() ? null : random.nextLong(1_000),
                      random.nextBoolean() ? null : random.nextLong(1_000),
                      random.nextBoolean() ? null : Duration.ofSeconds(30));
              both("sign " + sign, each -> each.signs(List.of(sign)));
            });
  }

  private void figures() {
    anyTask()
        .ifPresent(
            task -> {
              Addition addition =
                  new Addition(
                      new LeaseKey(task.id(), task.epoch() + (random.nextInt(4) == 0 ? 1 : 0)),
                      random.nextInt(4) == 0 ? Long.MAX_VALUE - 1 : random.nextLong(10),
                      random.nextLong(10),
                      random.nextBoolean() ? null : Duration.ofSeconds(30));
              both("add " + addition, each -> each.figures().add(List.of(addition)));
              Revision revision =
                  new Revision(
                      task.id(),
                      random.nextBoolean() ? null : task.epoch(),
                      random.nextBoolean() ? null : random.nextInt(-5, 5),
                      random.nextBoolean() ? null : random.nextLong(1_000),
                      random.nextBoolean() ? null : "{\"n\":" + random.nextInt(9) + "}");
              both("revise " + revision, each -> each.figures().revise(revision));
            });
  }

  private void nodes() {
    if (nodes.size() < 3) {
      Node node = new Node(ids.next(0), "n" + nodes.size(), KINDS);
      nodes.add(node.id());
      last = "join " + node;
      model.nodes().join(node, Duration.ofMinutes(10));
      store.nodes().join(node, Duration.ofMinutes(10));
      return;
    }
    UUID node = choose(nodes);
    switch (random.nextInt(4)) {
      case 0 -> {
        last = "leave " + node;
        nodes.remove(node);
        model.nodes().leave(node);
        store.nodes().leave(node);
      }
      case 1 -> both("bury", each -> new HashSet<>(each.nodes().buryLapsed(ALL)));
      default ->
          both(
              "renew " + node,
              each -> each.nodes().renew(node, Duration.ofMinutes(10)).map(HashSet::new));
    }
    both("alive", each -> new HashSet<>(each.nodes().alive()));
  }

  private void sweep() {
    both("orphans", each -> found(each.sweeps().orphans(ALL))).forEach(this::remember);
    both("silent", each -> found(each.sweeps().silent(ALL))).forEach(this::remember);
    both("deadlines", each -> found(each.sweeps().pastDeadline(ALL))).forEach(this::remember);
  }

  private static List<Task> found(Reading reading) {
    return inOrder(reading.tasks(), task -> task);
  }

  private void advance() {
    last = "advance";
    clock.advance(Duration.ofMillis(random.nextInt(90_000)));
  }

  /** Until nothing is left to purge: how much goes at once with many shards is not laid down. */
  private void purge() {
    Duration age = Duration.ofMinutes(random.nextInt(1, 30));
    both("purge " + age, each -> purged(each, age));
    tasks.removeIf(id -> model.reader().find(id).isEmpty());
  }

  private static int purged(TaskStore each, Duration age) {
    int all = 0;
    int some = each.sweeps().purge(age, ALL);
    while (some > 0) {
      all += some;
      some = each.sweeps().purge(age, ALL);
    }
    return all;
  }

  void compare() {
    both(last, each -> each.reader().list(TaskFilter.all(), PageRequest.first(ALL)).tasks());
    both(last, each -> each.reader().backlog());
    Statistics expected = both(last, each -> withoutAverage(each.reader().statistics()));
    assertThat(expected.byState().values().stream().mapToLong(Long::longValue).sum())
        .isEqualTo(tasks.size());
  }

  /** What is too much to compare after every step. */
  void compareHistories() {
    for (UUID id : tasks) {
      both("history", each -> each.reader().find(id));
      both("history", each -> each.reader().attempts(id, ALL));
    }
    for (TaskState state : TaskState.values()) {
      both("count", each -> each.reader().count(TaskFilter.in(state), ALL));
    }
  }

  /** An average may be rounded either way. */
  private static Statistics withoutAverage(Statistics all) {
    return new Statistics(
        all.byState(),
        all.due(),
        all.waiting(),
        all.exhausted(),
        all.pendingByKind(),
        all.retriesByKind(),
        all.retriesByStrategy(),
        all.successRate(),
        null);
  }

  private Optional<Task> anyTask() {
    if (!memories.isEmpty() && random.nextInt(3) > 0) {
      return Optional.of(choose(memories));
    }
    return tasks.isEmpty()
        ? Optional.empty()
        : model.reader().find(choose(tasks.stream().sorted(Row.ID_ORDER).toList()));
  }

  private void remember(Task task) {
    memories.add(task);
    if (memories.size() > MOST_MEMORIES) {
      memories.removeFirst();
    }
  }

  private <T> T choose(List<T> from) {
    return from.get(random.nextInt(from.size()));
  }

  private static <T> List<T> inOrder(List<T> some, Function<T, Task> task) {
    Stream<T> sorted =
        some.stream().sorted(Comparator.comparing((T each) -> task.apply(each).id(), Row.ID_ORDER));
    return sorted.toList();
  }
}
