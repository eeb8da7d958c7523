// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.spi.LimitRules;
import dev.perdure.engine.task.DueTime;
import dev.perdure.engine.task.HoldReason;
import dev.perdure.engine.task.Limit;
import dev.perdure.engine.task.LimitType;
import dev.perdure.engine.task.Outcome;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskLimit;
import dev.perdure.engine.task.TaskState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tasks with several limits start when all of them allow it. */
abstract class LimitSeveralContract extends LimitContract {

  LimitSeveralContract(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
  }

  /** At most two per tenant and one per host. */
  private static TestTask call(String tenant, String host) {
    return limited(Limit.concurrency(2).per("tenant"), Limit.concurrency(1).per("host"))
        .withMetadata("{\"tenant\": \"" + tenant + "\", \"host\": \"" + host + "\"}");
  }

  @Test
  void no_limit_of_a_task_is_exceeded() {
    add(call("north", "x"));
    add(call("north", "y"));
    add(call("north", "z"));
    add(call("south", "x"));
    add(call("south", "w"));

    assertThat(claimAll("a")).hasSize(3);
  }

  @Test
  void a_task_that_waits_for_one_limit_does_not_block_those_behind_it_in_another() {
    add(call("other", "x"));
    UUID running = claimAll("a").getFirst();
    List<UUID> blocked = add(20, call("north", "x"));
    List<UUID> free = List.of(add(call("north", "y")), add(call("north", "z")));

    assertThat(claimAll("a")).containsExactlyInAnyOrderElementsOf(free);
    succeedRunning(running);
    assertThat(claimAll("a")).as("the tenant is full").isEmpty();
    free.forEach(this::succeedRunning);
    assertThat(claimAll("a")).hasSize(1).isSubsetOf(blocked);
  }

  @Test
  void a_task_that_is_blocked_waits_until_all_limits_have_room_in_whatever_order() {
    UUID host = add(call("south", "x"));
    UUID one = add(call("north", "y"));
    UUID two = add(call("north", "z"));
    assertThat(claimAll("a")).containsExactlyInAnyOrder(host, one, two);
    UUID waiting = add(call("north", "x"));

    assertThat(claimAll("a")).isEmpty();
    succeedRunning(one);
    assertThat(claimAll("a")).as("the host is busy").isEmpty();
    UUID other = add(call("north", "w"));
    assertThat(claimAll("a")).containsExactly(other);
    succeedRunning(host);
    assertThat(claimAll("a")).as("the tenant is full again").isEmpty();
    succeedRunning(two);
    assertThat(claimAll("a")).containsExactly(waiting);
  }

  @Test
  void an_end_frees_a_place_in_every_limit() {
    add(call("north", "x"));
    UUID running = claimAll("a").getFirst();
    UUID sameHost = add(call("south", "x"));
    UUID sameTenant = add(call("north", "y"));
    UUID full = add(call("north", "z"));
    assertThat(claimAll("a")).containsExactly(sameTenant);
    settle(find(running), FAILED);

    assertThat(claimAll("a")).containsExactlyInAnyOrder(sameHost, full);
  }

  @Test
  void a_blocked_task_does_not_use_up_a_rate() {
    Limit rate = Limit.rate(1, Duration.ofMinutes(1));
    add(limited(Limit.concurrency(1).per("host")).withMetadata("{\"host\": \"x\"}"));
    UUID running = claimAll("a").getFirst();
    TestTask task = limited(rate, Limit.concurrency(1).per("host"));
    UUID blocked = add(task.withMetadata("{\"host\": \"x\"}"));
    UUID free = add(task.withMetadata("{\"host\": \"y\"}"));

    assertThat(claimAll("a")).containsExactly(free);
    succeedRunning(running);
    assertThat(claimAll("a")).as("the minute is not over").isEmpty();
    clock.advance(Duration.ofMinutes(1));
    assertThat(claimAll("a")).containsExactly(blocked);
  }

  @Test
  void a_task_that_waits_for_a_rate_starts_when_it_is_time() {
    TestTask task = limited(Limit.concurrency(2), Limit.rate(1, Duration.ofMinutes(1)));
    UUID first = add(task);
    UUID second = add(task);
    assertThat(claimAll("a")).containsExactly(first);

    assertNextDue(Duration.ofMinutes(1));
    clock.advance(Duration.ofMinutes(1));
    assertThat(claimAll("a")).containsExactly(second);
  }

  @Test
  void a_task_that_waits_for_capacity_starts_when_items_are_done() {
    TestTask task = limited(Limit.concurrency(3), Limit.capacity(10));
    UUID first = addWithItems(task, 8);
    UUID second = addWithItems(task, 5);
    assertThat(claimAll("a")).containsExactly(first);
    progress(first, 2, 1);
    clock.advance(SECOND);

    assertThat(claimAll("a")).containsExactly(second);
    addWithItems(task, 1);
    assertThat(claimAll("a")).as("the capacity is used up").isEmpty();
  }

  /** The second limit is quiet when the task begins to wait for it. */
  @Test
  void a_task_that_goes_from_a_full_limit_to_a_full_capacity_starts_when_items_are_done() {
    UUID host = add(limited(Limit.concurrency(1).per("host")));
    assertThat(claimAll("a")).containsExactly(host);
    UUID waiting = addWithItems(limited(Limit.concurrency(1).per("host"), Limit.capacity(10)), 5);
    assertThat(claimAll("a")).isEmpty();
    UUID large = addWithItems(limited(Limit.capacity(10)), 10);
    assertThat(claimAll("a")).containsExactly(large);
    succeedRunning(host);
    assertThat(claimAll("a")).isEmpty();
    progress(large, 5, 0);
    clock.advance(SECOND);

    assertThat(claimAll("a")).containsExactly(waiting);
  }

  /** The second limit is quiet when the task begins to wait for it. */
  @Test
  void a_task_that_goes_from_a_full_limit_to_a_rate_starts_when_it_is_time() {
    Limit rate = Limit.rate(1, Duration.ofMinutes(1));
    UUID host = add(limited(Limit.concurrency(1).per("host")));
    assertThat(claimAll("a")).containsExactly(host);
    UUID waiting = add(limited(Limit.concurrency(1).per("host"), rate));
    assertThat(claimAll("a")).isEmpty();
    UUID other = add(limited(rate));
    assertThat(claimAll("a")).containsExactly(other);
    succeedRunning(host);

    assertThat(claimAll("a")).isEmpty();
    assertNextDue(Duration.ofMinutes(1));
    clock.advance(Duration.ofMinutes(1));
    assertThat(claimAll("a")).containsExactly(waiting);
  }

  @Test
  void of_two_limits_with_the_same_key_the_last_one_counts() {
    add(5, limited(Limit.concurrency(1), Limit.concurrency(3)));

    assertThat(claimAll("a")).hasSize(3);
  }

  @Test
  void a_task_can_have_ten_limits() {
    Limit[] limits =
        IntStream.range(0, Limit.MAX_PER_TASK)
            .mapToObj(i -> Limit.concurrency(10 - i).per("field" + i))
            .toArray(Limit[]::new);
    List<UUID> tasks = add(3, limited(limits));
    for (int i = 0; i < tasks.size(); i++) {
      List<UUID> claimed = claimAll("a");
      assertThat(claimed).as("the last limit is one task").hasSize(1);
      succeedRunning(claimed.getFirst());
    }
  }

  /** Which limits a task has in a random run. */
  private static TestTask random(SplittableRandom random) {
    List<Limit> all =
        List.of(
            Limit.concurrency(2).per("tenant"),
            Limit.concurrency(2).per("host"),
            Limit.concurrency(4),
            Limit.concurrency(1).per("tenant", "host"),
            Limit.rate(5, Duration.ofSeconds(10)).burst(5).per("host"),
            Limit.capacity(10).per("tenant"));
    Limit[] limits = all.stream().filter(limit -> random.nextInt(3) > 0).toArray(Limit[]::new);
    return limited(limits)
        .withPriority(random.nextInt(3))
        .withMetadata(
            "{\"tenant\": %d, \"host\": %d}".formatted(random.nextInt(3), random.nextInt(3)));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void random_runs_exceed_no_limit_and_leave_nobody_behind_who_could_start(int seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<UUID> tasks = new ArrayList<>();
    for (int step = 0; step < 60; step++) {
      tasks.add(
          random.nextInt(4) == 0
              ? add(random(random), DueTime.in(SECOND.multipliedBy(random.nextInt(1, 30))))
              : addWithItems(random(random), random.nextInt(1, 8)));
      if (random.nextInt(3) == 0) {
        claimOnce(random.nextInt(1, 5), "a");
        assertNoneExceeded(tasks);
      }
      change(find(tasks.get(random.nextInt(tasks.size()))), random);
      if (random.nextInt(5) == 0) {
        clock.advance(SECOND.multipliedBy(random.nextInt(1, 20)));
        claimAll("a");
        assertNoneExceeded(tasks);
        assertNobodyCouldStart(tasks);
      }
    }
    finish(tasks);
  }

  private void change(Task task, SplittableRandom random) {
    if (task.state().isLeased()) {
      switch (random.nextInt(5)) {
        case 0 -> settle(task, FAILED);
        case 1 -> settle(task, new Outcome.HandedBack());
        case 2 -> settle(task, new Outcome.Snoozed(SECOND));
        case 3 -> write(lifecycle.cancel(task));
        default -> settle(task, SUCCEEDED);
      }
    } else if (!task.state().isTerminal() && random.nextInt(3) == 0) {
      write(
          task.hold().contains(HoldReason.PAUSED) ? lifecycle.resume(task) : lifecycle.pause(task));
    }
  }

  /** Lets all tasks run until they have succeeded. */
  private void finish(List<UUID> tasks) {
    for (int rounds = 0; rounds < tasks.size(); rounds++) {
      for (Task task : store.reader().findAll(tasks)) {
        if (task.state().isLeased()) {
          settle(task, SUCCEEDED);
        } else if (!task.state().isTerminal()) {
          write(lifecycle.resume(task));
        }
      }
      clock.advance(TestTask.DELAY);
      claimAll("a");
    }
    assertThat(store.reader().findAll(tasks)).allMatch(task -> task.state().isTerminal());
  }

  private void assertNoneExceeded(List<UUID> tasks) {
    Map<String, Long> used = used(tasks);
    for (Task task : store.reader().findAll(tasks)) {
      for (TaskLimit limit : LimitRules.of(task.definition())) {
        assertThat(used.getOrDefault(limit.key(), 0L))
            .as(limit.key())
            .isLessThanOrEqualTo(limit.rule().max());
      }
    }
  }

  private void assertNobodyCouldStart(List<UUID> tasks) {
    Map<String, Long> used = used(tasks);
    for (Task task : store.reader().findAll(tasks)) {
      boolean due = !task.times().dueAt().isAfter(clock.instant());
      boolean waits = task.state() == TaskState.PENDING || task.state() == TaskState.RETRY_PENDING;
      List<TaskLimit> limits = LimitRules.of(task.definition());
      if (due && waits && !task.hold().contains(HoldReason.PAUSED)) {
        assertThat(limits)
            .as("limits that hold back %s", task)
            .anyMatch(
                limit ->
                    limit.rule().type() != LimitType.CONCURRENCY
                        || used.getOrDefault(limit.key(), 0L) >= limit.rule().max());
      }
    }
  }

  /** What the claimed and running tasks use of each limit, apart from rates. */
  private Map<String, Long> used(List<UUID> tasks) {
    Map<String, Long> used = new HashMap<>();
    for (Task task : store.reader().findAll(tasks)) {
      if (task.state().isLeased()) {
        LimitRules.of(task.definition())
            .forEach(limit -> used.merge(limit.key(), used(task, limit.rule().type()), Long::sum));
      }
    }
    return used;
  }

  private static long used(Task task, LimitType type) {
    Long items = task.progress().expected();
    return switch (type) {
      case CONCURRENCY -> 1;
      case CAPACITY -> items == null ? 0 : items;
      case RATE -> 0;
    };
  }

  /** One waits for its tenant, the next ones for the kind, which is full by then. */
  @Test
  void a_task_that_comes_from_another_limit_does_not_overtake() {
    Limit[] limits = {Limit.concurrency(3), Limit.concurrency(1).per("tenant")};
    TestTask north = limited(limits).withMetadata(tenant("north"));
    UUID running = add(north);
    add(limited(limits).withMetadata(tenant("south")));
    assertThat(claimAll("a")).hasSize(2);
    UUID first = add(north);
    assertThat(claimAll("a")).as("waits for the tenant").isEmpty();
    add(limited(limits).withMetadata(tenant("west")));
    assertThat(claimAll("a")).hasSize(1);
    UUID second = add(north);
    assertThat(claimAll("a")).as("waits for the kind").isEmpty();

    succeedRunning(running);
    assertThat(claimAll("a")).containsExactly(first);
    succeedRunning(first);
    assertThat(claimAll("a")).containsExactly(second);
  }
}
