// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Drawings at 80 columns. */
class GraphTextTest {

  private static String draw(TestGraph graph) {
    return graph.draw(80);
  }

  @Test
  void chain() {
    TestGraph graph =
        new TestGraph()
            .task("extract", "Success")
            .task("transform", "Success", "extract")
            .task("load", "Running", "transform")
            .task("report", "Waiting", "load")
            .task("mail", "Waiting", "report");

    assertThat(draw(graph))
        .isEqualTo(
            """
            ✓ extract       Success  a1c2-f7e0-7c81  2m ago
            ╰─✓ transform   Success  a1c2-f7e0-7b6c  2m ago
              ╰─● load      Running  a1c2-f7e0-74e6  for 5s
                ╰─· report  Waiting  a1c2-f7e0-7534
                  ╰─· mail  Waiting  a1c2-f7e0-75b7
            """);
  }

  @Test
  void diamond() {
    TestGraph graph =
        new TestGraph()
            .task("import", "Success")
            .task("clean", "Success", "import")
            .task("check", "Failure", "import")
            .task("report", "Waiting", "clean", "check");

    assertThat(draw(graph))
        .isEqualTo(
            """
            ✓ import        Success  a1c2-f7e0-73a5  2m ago
            ├─✓ clean       Success  a1c2-f7e0-7649  2m ago
            ╰─│─✗ check     Failure  a1c2-f7e0-7508  2m ago
              ╰─┴─· report  Waiting  a1c2-f7e0-7534
            """);
  }

  @Test
  void fan_out_and_fan_in() {
    TestGraph graph =
        new TestGraph()
            .task("split", "Success")
            .task("part 1", "Success", "split")
            .task("part 2", "Running", "split")
            .task("part 3", "RetryPending", "split")
            .task("merge", "Waiting", "part 1", "part 2", "part 3");

    assertThat(draw(graph))
        .isEqualTo(
            """
            ✓ split          Success       a1c2-f7e0-7b1a  2m ago
            ├─✓ part 1       Success       a1c2-f7e0-7744  2m ago
            ├─│─● part 2     Running       a1c2-f7e0-7745  for 5s
            ╰─│─│─↻ part 3   RetryPending  a1c2-f7e0-7746  in 30s
              ╰─┴─┴─· merge  Waiting       a1c2-f7e0-7438
            """);
  }

  @Test
  void fan_out_of_five_tasks_in_any_status() {
    TestGraph graph =
        new TestGraph()
            .task("import", "Success")
            .task("users", "Success", "import")
            .task("orders", "Running", "import")
            .task("stock", "Pending", "import")
            .task("prices", "RetryPending", "import")
            .task("returns", "Paused", "import")
            .task("report", "Waiting", "users", "orders", "stock", "prices", "returns")
            .task("mail", "Waiting", "report~");

    assertThat(Path.of("../docs/guides/graphs.md")).content().contains(draw(graph));
    assertThat(draw(graph))
        .isEqualTo(
            """
            ✓ import              Success       a1c2-f7e0-73a5  2m ago
            ├─✓ users             Success       a1c2-f7e0-7e08  2m ago
            ├─│─● orders          Running       a1c2-f7e0-72e5  for 5s
            ├─│─│─○ stock         Pending       a1c2-f7e0-7716  now
            ├─│─│─│─↻ prices      RetryPending  a1c2-f7e0-784a  in 30s
            ╰─│─│─│─│─‖ returns   Paused        a1c2-f7e0-7943
              ╰─┴─┴─┴─┴─· report  Waiting       a1c2-f7e0-7534
                        ╰╌· mail  Waiting       a1c2-f7e0-75b7

            ╌ starts even if the task before it fails
            """);
  }

  @Test
  void two_joins_of_twelve_tasks() {
    TestGraph graph = new TestGraph();
    for (String table : List.of("users", "orders", "stock", "prices")) {
      graph
          .task("extract " + table, "Success")
          .task(
              "clean " + table,
              table.equals("stock") ? "RetryPending" : "Success",
              "extract " + table);
    }
    graph
        .task("join sales", "Running", "clean users", "clean orders")
        .task("join stock", "Waiting", "clean stock", "clean prices")
        .task("load warehouse", "Waiting", "join sales", "join stock")
        .task("clean up", "Waiting", "load warehouse~");

    assertThat(Path.of("../docs/guides/command-line.md")).content().contains(draw(graph));
    assertThat(draw(graph))
        .isEqualTo(
            """
            ✓ extract users                       Success       a1c2-f7e0-79a9  2m ago
            ╰─✓ clean users                       Success       a1c2-f7e0-7d71  2m ago
              │ ✓ extract orders                  Success       a1c2-f7e0-7b64  2m ago
              │ ╰─✓ clean orders                  Success       a1c2-f7e0-709c  2m ago
              ╰───┴─● join sales                  Running       a1c2-f7e0-7296  for 5s
                    │ ✓ extract stock             Success       a1c2-f7e0-72b7  2m ago
                    │ ╰─↻ clean stock             RetryPending  a1c2-f7e0-767f  in 30s
                    │   │ ✓ extract prices        Success       a1c2-f7e0-70c9  2m ago
                    │   │ ╰─✓ clean prices        Success       a1c2-f7e0-7601  2m ago
                    │   ╰───┴─· join stock        Waiting       a1c2-f7e0-70a0
                    ╰─────────┴─· load warehouse  Waiting       a1c2-f7e0-7c09
                                ╰╌· clean up      Waiting       a1c2-f7e0-7fd2

            ╌ starts even if the task before it fails
            """);
  }

  @Test
  void dependencies_that_do_not_require_success() {
    TestGraph graph =
        new TestGraph()
            .task("import", "Failure")
            .task("check", "Success")
            .task("report", "Running", "import~", "check")
            .task("mail", "Pending", "import~", "check~")
            .task("archive", "Waiting", "report");

    assertThat(draw(graph))
        .isEqualTo(
            """
            ✗ import         Failure  a1c2-f7e0-73a5  2m ago
            │ ✓ check        Success  a1c2-f7e0-7508  2m ago
            ├╌┼─● report     Running  a1c2-f7e0-7534  for 5s
            │ │ ╰─· archive  Waiting  a1c2-f7e0-70c2
            ╰╌┴╌○ mail       Pending  a1c2-f7e0-75b7  now

            ╌ starts even if the task before it fails
            """);
  }

  @Nested
  class SimilarSiblings {

    private static TestGraph fanOut(int ended) {
      TestGraph graph = new TestGraph().task("split", "Success");
      String[] parts =
          IntStream.rangeClosed(1, 20).mapToObj(i -> "resize " + i).toArray(String[]::new);
      for (int i = 0; i < parts.length; i++) {
        graph.task(parts[i], i < ended ? "Success" : "Running", "split");
      }
      return graph.task("merge", "Waiting", parts);
    }

    @Test
    void are_merged() {
      assertThat(draw(fanOut(20)))
          .isEqualTo(
              """
              ✓ split              Success  a1c2-f7e0-7b1a  2m ago
              ├─✓ resize 1         Success  a1c2-f7e0-73c5  2m ago
              ├─│─✓ resize 2       Success  a1c2-f7e0-73c6  2m ago
              ├─│─│─✓ resize 3     Success  a1c2-f7e0-73c7  2m ago
              ╰─│─│─│─✓ … 17 more  Success
                ╰─┴─┴─┴─· merge    Waiting  a1c2-f7e0-7438
              """);
    }

    @Test
    void are_merged_by_status() {
      assertThat(draw(fanOut(12)))
          .isEqualTo(
              """
              ✓ split                     Success  a1c2-f7e0-7b1a  2m ago
              ├─✓ resize 1                Success  a1c2-f7e0-73c5  2m ago
              ├─│─✓ resize 2              Success  a1c2-f7e0-73c6  2m ago
              ├─│─│─✓ resize 3            Success  a1c2-f7e0-73c7  2m ago
              ├─│─│─│─✓ … 9 more          Success
              ├─│─│─│─│─● resize 13       Running  a1c2-f7e0-750e  for 5s
              ├─│─│─│─│─│─● resize 14     Running  a1c2-f7e0-750f  for 5s
              ├─│─│─│─│─│─│─● resize 15   Running  a1c2-f7e0-7510  for 5s
              ╰─│─│─│─│─│─│─│─● … 5 more  Running
                ╰─┴─┴─┴─┴─┴─┴─┴─· merge   Waiting  a1c2-f7e0-7438
              """);
    }

    @Test
    void are_merged_without_any_dependency() {
      TestGraph graph = new TestGraph();
      IntStream.range(0, 2_000)
          .forEach(i -> graph.task("mail " + i, i == 7 ? "Failure" : "Success"));

      assertThat(draw(graph))
          .isEqualTo(
              """
              ✓ mail 0        Success  a1c2-f7e0-7807  2m ago
              ✓ mail 1        Success  a1c2-f7e0-7808  2m ago
              ✓ mail 2        Success  a1c2-f7e0-7809  2m ago
              ✓ … 1,996 more  Success
              ✗ mail 7        Failure  a1c2-f7e0-780e  2m ago
              """);
    }
  }

  @Nested
  class Names {

    @Test
    void of_tasks_elsewhere_are_unknown() {
      TestGraph graph =
          new TestGraph()
              .task("report", "Waiting", "elsewhere", "import")
              .task("import", "Running")
              .task("mail", "Waiting", "report");

      assertThat(draw(graph))
          .isEqualTo(
              """
              ◇ outside              a1c2-f7e0-7b4e
              │ ● import    Running  a1c2-f7e0-73a5  for 5s
              ╰─┴─· report  Waiting  a1c2-f7e0-7534
                  ╰─· mail  Waiting  a1c2-f7e0-75b7
              """);
    }

    @Test
    void are_cut_by_their_width_and_never_control_the_terminal() {
      TestGraph graph =
          new TestGraph()
              .task("odd \u001b[31m \n\t e\u0301 \u202e", "Success")
              .task("漢字".repeat(30), "Running", "odd \u001b[31m \n\t e\u0301 \u202e")
              .task(
                  "a name that says in great detail what the task does " + "x".repeat(99),
                  "Pending");

      assertThat(draw(graph))
          .isEqualTo(
              """
              ✓ odd ?[31m ?? é ?                                       Success  a1c2-f7e0-7069
              ╰─● 漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢…  Running  a1c2-f7e0-75f6
              ○ a name that says in great detail what the task does …  Pending  a1c2-f7e0-7b57
              """);
    }
  }

  @Test
  void a_cycle_is_cut() {
    TestGraph graph =
        new TestGraph()
            .task("a", "Waiting", "c", "a")
            .task("b", "Waiting", "a")
            .task("c", "Waiting", "b")
            .task("d", "Waiting", "c");

    assertThat(draw(graph).lines().map(line -> line.replaceAll("  +Waiting.*", "")))
        .containsExactly("· a", "╰─· b", "  ╰─· c", "    ╰─· d");
  }

  @Test
  void no_tasks_are_no_lines() {
    assertThat(draw(new TestGraph())).isEqualTo("\n");
  }
}
