// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.task.Dependency;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TaskGraphTest {

  private static final int SHARDS = 8;
  private static final int MANY = 1_000_000;

  /** A task with this id, after the others. */
  private static NewTask task(String id, String... after) {
    return NewTask.of("a", "x").id(id).after(after);
  }

  private static TaskGraph graph(NewTask... tasks) {
    return new TaskGraph(List.of(tasks), SHARDS);
  }

  private static UUID stored(int shard, int number) {
    return new UUID(7L << 12, (1L << 63) | ((long) number << 12) | shard);
  }

  private static List<String> problems(NewTask... tasks) {
    return graph(tasks).problems().stream()
        .map(
            problem ->
                "%d.%d %s".formatted(problem.task(), problem.dependency(), problem.message()))
        .toList();
  }

  @Test
  void parents_may_come_in_any_order() {
    TaskGraph graph = graph(task("c", "b"), task("b", "a"), task("a"));

    assertThat(graph.problems()).isEmpty();
    assertThat(graph.order()).containsExactly(2, 1, 0);
  }

  @Test
  void tasks_that_are_in_order_keep_it() {
    TaskGraph graph =
        graph(task("x"), task("a"), task("b"), task("d", "b", "a"), task("y", "x"), task("c", "a"));

    assertThat(graph.order()).containsExactly(0, 1, 2, 3, 4, 5);
  }

  @Test
  void the_same_tasks_always_get_the_same_order() {
    NewTask[] tasks = {task("d", "b", "c"), task("b", "a"), task("c", "a"), task("a")};

    assertThat(graph(tasks).order()).containsExactly(3, 1, 2, 0).isEqualTo(graph(tasks).order());
  }

  @Test
  void each_dependency_names_the_ids_of_both_tasks() {
    UUID parent = stored(3, 1);
    List<NewTask> tasks =
        List.of(
            NewTask.of("a", "x").after("b").afterEvenIfFailed(parent),
            NewTask.of("a", "x").id("b"));
    TaskGraph graph = new TaskGraph(tasks, SHARDS);
    UUID first = stored(3, 2);
    UUID second = stored(3, 3);

    assertThat(graph.shard()).isEqualTo(3);
    assertThat(graph.dependencies(List.of(first, second)))
        .containsExactly(new Dependency(second, first, true), new Dependency(parent, first, false));
  }

  @Test
  void without_stored_parents_any_shard_will_do() {
    assertThat(graph(task("a"), task("b", "a")).shard()).isNull();
  }

  @Test
  void an_unknown_id_is_a_problem() {
    assertThat(problems(task("a"), task("b", "a", "x")))
        .containsExactly(
            "1.1 'x' is neither the id of a task in this batch nor the UUID of a stored task");
  }

  @Test
  void a_uuid_must_be_written_in_full() {
    assertThat(problems(task("a", "1-2-3-4-5"))).hasSize(1);
    assertThat(problems(task("a", stored(0, 1).toString().toUpperCase(Locale.ROOT)))).isEmpty();
  }

  @Test
  void a_task_cannot_depend_on_itself() {
    assertThat(problems(task("a", "a"))).containsExactly("0.0 names the task itself");
  }

  @Test
  void a_task_cannot_name_a_parent_twice_even_with_different_conditions() {
    String id = stored(0, 10).toString();
    assertThat(problems(task("a"), task("b", "a", "a"), task("c", "a").afterEvenIfFailed("a")))
        .containsExactly(
            "1.1 names the task 'a' twice: remove one", "2.1 names the task 'a' twice: remove one");
    assertThat(problems(task("b", id, id.toUpperCase(Locale.ROOT)))).hasSize(1);
  }

  @Test
  void a_local_id_that_two_tasks_have_is_a_problem_only_where_it_is_named() {
    assertThat(problems(task("a"), task("a"), task("b", "a")))
        .containsExactly("2.0 is unclear: two tasks have the id 'a'");
    assertThat(problems(task("a"), task("a"), task("b"))).isEmpty();
  }

  @Test
  void a_local_id_that_looks_like_a_uuid_wins() {
    String id = stored(9, 1).toString();

    assertThat(graph(task("b", id), task(id)).order()).containsExactly(1, 0);
  }

  @Test
  void stored_parents_must_be_in_one_shard() {
    UUID first = stored(1, 1);
    UUID other = stored(2, 1);

    assertThat(problems(task("a", "" + first), task("b", "" + stored(1, 2), "" + other)))
        .containsExactly(
            "1.1 task %s is in another shard than %s: submit what belongs together with the same shard_key"
                .formatted(other, first));
  }

  /** Such as a random UUID: its digits do not name a shard. */
  @Test
  void a_uuid_of_a_shard_that_the_store_does_not_have_is_no_task() {
    UUID foreign = stored(SHARDS, 1);

    assertThat(problems(task("a", "" + stored(1, 1), "" + foreign)))
        .containsExactly("0.1 there is no task " + foreign);
  }

  @Test
  void a_cycle_is_spelled_out_in_the_order_in_which_the_tasks_would_run() {
    assertThat(problems(task("x"), task("a", "x", "c"), task("b", "a"), task("c", "b")))
        .containsExactly("2.0 is part of a cycle: a → b → c → a; each runs before the next");
    assertThat(problems(task("a", "b"), NewTask.of("n", "x").id("b").after("a")))
        .containsExactly("1.0 is part of a cycle: a → b → a; each runs before the next");
  }

  @Test
  void a_task_beside_the_cycle_is_not_part_of_it() {
    assertThat(problems(task("last", "a"), task("a", "first", "b"), task("b", "a"), task("first")))
        .containsExactly("2.0 is part of a cycle: a → b → a; each runs before the next");
  }

  @Test
  void a_long_cycle_is_cut() {
    NewTask[] tasks =
        IntStream.range(0, 50)
            .mapToObj(i -> task("" + i, "" + (i + 1) % 50))
            .toArray(NewTask[]::new);

    assertThat(problems(tasks))
        .singleElement()
        .asString()
        .startsWith("49.0 is part of a cycle: 0 → 49 → 48 → ")
        .endsWith(" → 31 → … (31 more); each runs before the next");
  }

  @Test
  void problems_of_all_tasks_are_reported_at_once() {
    assertThat(problems(task("a", "a", "x"), task("b", "y"))).hasSize(3);
  }

  @Test
  void a_diamond_visits_the_shared_parent_once() {
    assertThat(graph(task("d", "b", "c"), task("c", "a"), task("b", "a"), task("a")).order())
        .containsExactly(3, 2, 1, 0);
  }

  @Test
  void a_chain_of_a_million_tasks_is_sorted_whatever_its_order() {
    List<NewTask> chain =
        IntStream.range(0, MANY)
            .mapToObj(i -> i == 0 ? task("0") : task("" + i, "" + (i - 1)))
            .toList();

    assertThat(new TaskGraph(chain, 1).order())
        .isEqualTo(IntStream.range(0, MANY).boxed().toList());
    assertThat(new TaskGraph(chain.reversed(), 1).order())
        .isEqualTo(IntStream.range(0, MANY).boxed().toList().reversed());
  }

  @Test
  void a_cycle_of_a_million_tasks_is_found() {
    List<NewTask> cycle =
        IntStream.range(0, MANY).mapToObj(i -> task("" + i, "" + (i + 1) % MANY)).toList();

    assertThat(new TaskGraph(cycle, 1).problems())
        .singleElement()
        .satisfies(
            problem -> assertThat(problem.message()).contains("(%d more)".formatted(MANY - 19)));
  }

  @Test
  void random_graphs_are_ordered_parents_first() {
    for (long seed = 0; seed < 200; seed++) {
      List<NewTask> tasks = randomTasks(seed);
      TaskGraph graph = new TaskGraph(tasks, 1);

      assertThat(graph.problems()).as("seed %d", seed).isEmpty();
      assertThat(graph.order()).as("seed %d", seed).doesNotHaveDuplicates().hasSize(tasks.size());
      for (int task : graph.order()) {
        for (NewTask.DependencyOn on : tasks.get(task).dependencies) {
          int parent =
              IntStream.range(0, tasks.size())
                  .filter(i -> on.id().equals(tasks.get(i).localId))
                  .findFirst()
                  .orElseThrow();
          assertThat(graph.order().indexOf(parent))
              .as("seed %d", seed)
              .isLessThan(graph.order().indexOf(task));
        }
      }
    }
  }

  /** A graph without cycles, its tasks shuffled. */
  private static List<NewTask> randomTasks(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<NewTask> tasks = new ArrayList<>();
    int size = 1 + random.nextInt(30);
    for (int i = 0; i < size; i++) {
      String[] parents =
          IntStream.range(0, i)
              .filter(parent -> random.nextInt(5) == 0)
              .mapToObj(Integer::toString)
              .toArray(String[]::new);
      tasks.add(task("" + i, parents));
    }
    Collections.shuffle(tasks, Random.from(random));
    return tasks;
  }
}
