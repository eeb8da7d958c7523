// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.cli.graph.GraphLayout;
import dev.perdure.cli.graph.GraphNode;
import dev.perdure.cli.graph.GraphRow;
import dev.perdure.cli.graph.TaskGraph;
import dev.perdure.client.BatchGraph;
import dev.perdure.client.DependencyInfo;
import dev.perdure.client.TaskInfo;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Graphs that are large, deep or tangled. */
@Timeout(60)
class LargeGraphTextTest {

  private static final UUID NOBODY = new UUID(0, 0);

  private static String draw(TestGraph graph) {
    return graph.draw(80);
  }

  /** Layers that depend on each other like in a real pipeline, regular enough to be checked. */
  private static TestGraph layers(int... sizes) {
    List<String> stages = List.of("fetch", "parse", "clean", "join", "score", "report");
    TestGraph graph = new TestGraph();
    for (int layer = 0; layer < sizes.length; layer++) {
      for (int i = 0; i < sizes[layer]; i++) {
        Set<String> parents = new LinkedHashSet<>();
        if (layer > 0) {
          int before = sizes[layer - 1];
          parents.add(stages.get(layer - 1) + " " + (i * before / sizes[layer] + 1));
          if (i % 3 == 1) {
            parents.add(stages.get(layer - 1) + " " + ((i * 7 + layer) % before + 1));
          }
        }
        graph.task(
            stages.get(layer) + " " + (i + 1), status(layer, i), parents.toArray(String[]::new));
      }
    }
    return graph;
  }

  private static String status(int layer, int task) {
    if (layer == 2) {
      return task % 7 == 5 ? "Failure" : task % 2 == 0 ? "Success" : "Running";
    }
    return layer < 2 ? "Success" : "Waiting";
  }

  @Test
  void fifty_tasks_in_six_layers() {
    assertThat(draw(layers(6, 9, 10, 10, 9, 6)))
        .isEqualTo(
            """
            ✓ fetch 1                        Success  a1c2-f7e0-744b  2m ago
            ╰─✓ parse 1                      Success  a1c2-f7e0-7e04  2m ago
              ├─✓ clean 1                    Success  a1c2-f7e0-7c1a  2m ago
              │ ╰─· join 1                   Waiting  a1c2-f7e0-7ebb
              │   ╰─· score 1                Waiting  a1c2-f7e0-7623
              │     ╰─· report 1             Waiting  a1c2-f7e0-7c45
              ╰─● clean 2                    Running  a1c2-f7e0-7c1b  for 5s
                ╰─· join 2  + clean 1        Waiting  a1c2-f7e0-7ebc
                  ╰─· score 2                Waiting  a1c2-f7e0-7624
            ✓ fetch 2                        Success  a1c2-f7e0-744c  2m ago
            ╰─✓ parse 3                      Success  a1c2-f7e0-7e06  2m ago
              ╰─● clean 4                    Running  a1c2-f7e0-7c1d  for 5s
                ╰─· join 4                   Waiting  a1c2-f7e0-7ebe
                  ╰─· score 4                Waiting  a1c2-f7e0-7626
                    ├─· report 2  + score 2  Waiting  a1c2-f7e0-7c46
                    ╰─· report 3             Waiting  a1c2-f7e0-7c47
            ✓ fetch 3                        Success  a1c2-f7e0-744d  2m ago
            ├─✓ parse 2  + fetch 1           Success  a1c2-f7e0-7e05  2m ago
            │ ╰─✓ clean 3                    Success  a1c2-f7e0-7c1c  2m ago
            │   ╰─· join 3                   Waiting  a1c2-f7e0-7ebd
            │     ╰─· score 3                Waiting  a1c2-f7e0-7625
            ╰─✓ parse 4                      Success  a1c2-f7e0-7e07  2m ago
              ╰─✓ clean 5                    Success  a1c2-f7e0-7c1e  2m ago
                ╰─· join 5  + clean 2        Waiting  a1c2-f7e0-7ebf
                  ╰─· score 5  + join 3      Waiting  a1c2-f7e0-7627
                    ╰─· report 4             Waiting  a1c2-f7e0-7c48
            ✓ fetch 4                        Success  a1c2-f7e0-744e  2m ago
            ╰─✓ parse 6                      Success  a1c2-f7e0-7e09  2m ago
              ╰─✓ clean 7                    Success  a1c2-f7e0-7c20  2m ago
                ╰─· join 7                   Waiting  a1c2-f7e0-7ec1
                  ╰─· score 7                Waiting  a1c2-f7e0-7629
                    ╰─· report 5             Waiting  a1c2-f7e0-7c49
            ✓ fetch 5                        Success  a1c2-f7e0-744f  2m ago
            ├─✓ parse 7                      Success  a1c2-f7e0-7e0a  2m ago
            │ ╰─● clean 8                    Running  a1c2-f7e0-7c21  for 5s
            │   ╰─· join 8  + clean 3        Waiting  a1c2-f7e0-7ec2
            │     ╰─· score 8  + join 4      Waiting  a1c2-f7e0-762a
            │       ╰─· report 6             Waiting  a1c2-f7e0-7c4a
            ╰─✓ parse 8  + fetch 3           Success  a1c2-f7e0-7e0b  2m ago
              ╰─✓ clean 9                    Success  a1c2-f7e0-7c22  2m ago
                ╰─· join 9                   Waiting  a1c2-f7e0-7ec3
                  ╰─· score 9                Waiting  a1c2-f7e0-762b
            ✓ fetch 6                        Success  a1c2-f7e0-7450  2m ago
            ├─✓ parse 5  + fetch 3           Success  a1c2-f7e0-7e08  2m ago
            │ ╰─✗ clean 6                    Failure  a1c2-f7e0-7c1f  2m ago
            │   ╰─· join 6                   Waiting  a1c2-f7e0-7ec0
            │     ╰─· score 6                Waiting  a1c2-f7e0-7628
            ╰─✓ parse 9                      Success  a1c2-f7e0-7e0c  2m ago
              ╰─● clean 10                   Running  a1c2-f7e0-7756  for 5s
                ╰─· join 10                  Waiting  a1c2-f7e0-78d5

            + also depends on these tasks
            """);
  }

  @Test
  void two_hundred_tasks_are_summed_up_by_level() {
    assertThat(draw(layers(10, 50, 80, 40, 15, 5)))
        .isEqualTo(
            """
            level 1  ████████████████████  10 Success
            level 2  ████████████████████  50 Success
            level 3  ███████████▒▒▒▒▒▒▒▒▒  35 Success  11 Failure  34 Running
                                           ✗ clean 6, clean 13, clean 20 and 8 more
            level 4  ░░░░░░░░░░░░░░░░░░░░  40 Waiting
            level 5  ░░░░░░░░░░░░░░░░░░░░  15 Waiting
            level 6  ░░░░░░░░░░░░░░░░░░░░  5 Waiting
            """);
  }

  @Test
  void a_tangle_is_drawn_as_a_tree_with_notes() {
    TestGraph graph = new TestGraph();
    for (int i = 0; i < 8; i++) {
      graph.task("read " + i, "Success");
    }
    for (int i = 0; i < 8; i++) {
      graph.task(
          "write " + i, "Waiting", "read " + i, "read " + (i + 3) % 8 + "~", "read " + (i + 5) % 8);
    }

    assertThat(draw(graph))
        .isEqualTo(
            """
            ✓ read 0                                     Success  a1c2-f7e0-7026  2m ago
            ✓ read 1                                     Success  a1c2-f7e0-7027  2m ago
            ✓ read 2                                     Success  a1c2-f7e0-7028  2m ago
            ✓ read 3                                     Success  a1c2-f7e0-7029  2m ago
            ✓ read 4                                     Success  a1c2-f7e0-702a  2m ago
            ✓ read 5                                     Success  a1c2-f7e0-702b  2m ago
            ├─· write 0  + read 0, read 3 (any outcome)  Waiting  a1c2-f7e0-702f
            ╰─· write 5  + read 0 (any outcome), read 2  Waiting  a1c2-f7e0-7034
            ✓ read 6                                     Success  a1c2-f7e0-702c  2m ago
            ├─· write 1  + read 1, read 4 (any outcome)  Waiting  a1c2-f7e0-7030
            ├╌· write 3  + read 0, read 3                Waiting  a1c2-f7e0-7032
            ╰─· write 6  + read 1 (any outcome), read 3  Waiting  a1c2-f7e0-7035
            ✓ read 7                                     Success  a1c2-f7e0-702d  2m ago
            ├─· write 2  + read 2, read 5 (any outcome)  Waiting  a1c2-f7e0-7031
            ├╌· write 4  + read 1, read 4                Waiting  a1c2-f7e0-7033
            ╰─· write 7  + read 2 (any outcome), read 4  Waiting  a1c2-f7e0-7036

            ╌ starts even if the task before it fails
            + also depends on these tasks
            """);
  }

  @Test
  void a_long_chain_runs_straight_down() {
    TestGraph graph = new TestGraph().task("step 0", "Success");
    for (int i = 1; i < 40; i++) {
      graph.task("step " + i, "Waiting", "step " + (i - 1) + (i == 2 ? "~" : ""));
    }

    assertThat(draw(graph).lines().limit(4))
        .containsExactly(
            "✓ step 0     Success  a1c2-f7e0-77dc  2m ago",
            "↓ · step 1   Waiting  a1c2-f7e0-77dd",
            "⇣ · step 2   Waiting  a1c2-f7e0-77de",
            "↓ · step 3   Waiting  a1c2-f7e0-77df");
    assertThat(draw(graph).lines()).hasSize(42);
  }

  @Test
  void many_levels_share_lines() {
    TestGraph graph = new TestGraph().task("step 0", "Success");
    for (int i = 1; i < 10_000; i++) {
      graph.task("step " + i, i < 4_000 ? "Success" : "Waiting", "step " + (i - 1));
    }

    assertThat(draw(graph).lines())
        .hasSize(12)
        .contains(
            "levels 1–834       ████████████████████  834 Success",
            "levels 3337–4170   ███████████████░░░░░  664 Success  170 Waiting");
  }

  @ParameterizedTest
  @ValueSource(ints = {30, 60, 80, 100, 160})
  void no_line_exceeds_the_width(int width) {
    Random random = new Random(width);
    for (int round = 0; round < 200; round++) {
      TestGraph graph = random(random, 1 + random.nextInt(50), 4);
      assertThat(graph.draw(width).lines()).allMatch(line -> DisplayWidth.of(line) <= width);
    }
  }

  private static TestGraph random(Random random, int tasks, int maxParents) {
    TestGraph graph = new TestGraph();
    List<String> names = new ArrayList<>();
    for (int i = 0; i < tasks; i++) {
      Set<String> parents = new LinkedHashSet<>();
      for (int j = random.nextInt(maxParents + 1); j > 0 && i > 0; j--) {
        parents.add(names.get(random.nextInt(i)) + (random.nextInt(4) == 0 ? "~" : ""));
      }
      names.add("task 漢 " + i);
      String status = List.of("Success", "Failure", "Waiting").get(random.nextInt(3));
      graph.task(names.getLast(), status, parents.toArray(String[]::new));
    }
    return graph;
  }

  /** Reads random drawings back, as a person would. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void every_dependency_can_be_read_from_the_drawing(int maxParents) {
    Random random = new Random(maxParents);
    int drawn = 0;
    for (int round = 0; round < 500; round++) {
      TestGraph graph = random(random, 1 + random.nextInt(14), maxParents);
      List<GraphNode> nodes = TaskGraph.of(graph.build()).merged();
      List<GraphRow> rows = GraphLayout.rows(nodes).orElse(List.of());
      if (!rows.isEmpty() && rows.stream().allMatch(row -> row.note().isEmpty())) {
        drawn++;
        assertThat(dependencies(rows)).as(graph.draw(80)).isEqualTo(dependencies(nodes, rows));
      }
    }
    assertThat(drawn).isGreaterThan(50);
  }

  private record Read(UUID parent, UUID child, boolean required) {}

  private static Set<Read> dependencies(List<GraphNode> nodes, List<GraphRow> rows) {
    assertThat(rows).extracting(GraphRow::node).containsExactlyInAnyOrderElementsOf(nodes);
    Set<Read> dependencies = new HashSet<>();
    for (GraphNode node : nodes) {
      node.parents()
          .forEach(
              (parent, required) ->
                  dependencies.add(new Read(nodes.get(parent).id(), node.id(), required)));
    }
    return dependencies;
  }

  /** Follows the rails: each begins below its node and ends at a corner. */
  private static Set<Read> dependencies(List<GraphRow> rows) {
    Set<Read> dependencies = new HashSet<>();
    Map<Integer, UUID> above = new HashMap<>();
    Set<Integer> live = new HashSet<>();
    UUID previous = NOBODY;
    for (GraphRow row : rows) {
      UUID id = row.node().id();
      String rails = row.rails();
      for (int i = 0; i < rails.length(); i += 2) {
        char sign = rails.charAt(i);
        if ("├╰┼┴".indexOf(sign) >= 0) {
          dependencies.add(new Read(above.getOrDefault(i, NOBODY), id, rails.charAt(i + 1) == '─'));
        } else if ("↓⇣".indexOf(sign) >= 0) {
          dependencies.add(new Read(previous, id, sign == '↓'));
        }
        boolean goesOn = "├┼│".indexOf(sign) >= 0;
        assertThat(live.contains(i) || !goesOn).as("a rail that comes from nowhere").isTrue();
        if (!goesOn) {
          live.remove(i);
        }
      }
      live.removeIf(column -> column >= rails.length());
      above.put(rails.length(), id);
      live.add(rails.length());
      previous = id;
    }
    return dependencies;
  }

  @Test
  void a_hundred_thousand_tasks_and_a_million_dependencies_are_summed_up() {
    TaskInfo task = TaskInfo.of(TestGraph.json(TestGraph.id("a"), "a", "Waiting"));
    List<TaskInfo> tasks =
        IntStream.range(0, 100_000).mapToObj(i -> withId(task, new UUID(7, i))).toList();
    List<DependencyInfo> links = new ArrayList<>();
    for (int child = 100; child < tasks.size(); child++) {
      for (int j = 0; j < 10; j++) {
        int parent = (child / 100 - 1) * 100 + (child * 31 + j * 7) % 100;
        links.add(new DependencyInfo(new UUID(7, parent), new UUID(7, child), true));
      }
    }

    assertThat(
            GraphText.lines(
                TaskGraph.of(new BatchGraph(tasks, links, false)),
                GraphText.MAX_ROWS,
                80,
                TestGraph.NOW))
        .hasSize(12);
  }

  private static TaskInfo withId(TaskInfo task, UUID id) {
    return TaskInfo.of(
        TestGraph.json(id, "task " + id.getLeastSignificantBits(), task.statusText()));
  }
}
