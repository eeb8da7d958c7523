// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.cli.TestCli.CliResult;
import dev.perdure.server.TestServer;
import dev.perdure.server.config.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Limits of kinds on the command line. */
@Timeout(60)
class LimitCommandTest extends ServerCommandFixture {

  @Test
  void limits_are_set_shown_and_removed() {
    CliResult set = run("limit", "set", "sync", "--max", "10");
    assertThat(set.code()).as(set.err()).isZero();
    assertThat(set.out()).isEqualTo("kind sync: at most 10 tasks at a time\n");

    assertThat(
            run("limit", "set", "sync", "--max=1", "--rate=5/1s", "--burst=3", "--per", "tenant")
                .out())
        .isEqualTo(
            "kind sync: at most 1 task at a time and at most 5 starts in 1s, up to 3 at once, per tenant\n");
    assertThat(run("limit", "show", "sync").out())
        .matches(
            """
            kind         sync
            at a time    at most 1 task
            starts       at most 5 starts in 1s, up to 3 at once
            per          tenant
            set by       an operator, (now|\\d+\\w+ ago)
            """);
    assertThat(run("limit", "rm", "sync").out())
        .startsWith("kind sync has no limits now; it had at most 1 task at a time and at most 5")
        .hasLineCount(1);
    assertRefused(run("limit", "rm", "sync"), 1, "the kind 'sync' has no limits");
    assertRefused(run("limit", "show", "sync"), 1, "the kind 'sync' has no limits");
  }

  @Test
  void programs_get_json() {
    CliResult set =
        run("limit", "set", "a/b %", "--rate", "5/1m", "--per", "x", "--per", "y", "--json");

    assertThat(set.json())
        .singleElement()
        .satisfies(
            limit ->
                assertThat(limit.toString())
                    .startsWith(
                        "{\"kind\":\"a/b %\",\"max_concurrency\":null,\"rate\":{\"max_starts\":5,"
                            + "\"per\":\"1m\",\"burst\":1},\"fields\":[\"x\",\"y\"],"
                            + "\"set_by\":\"operator\",\"updated_at\":"));
    assertThat(run("limit", "show", "a/b %", "--json").json()).isEqualTo(set.json());
    assertThat(run("limit", "rm", "a/b %", "--json").json()).isEqualTo(set.json());
    CliResult missing = run("limit", "rm", "a/b %", "--json");
    assertThat(missing.code()).isEqualTo(1);
    assertThat(missing.errors()).hasSize(1);
  }

  @Test
  void the_output_fits_a_terminal() {
    String kind = "k".repeat(60);
    String[] call = {
      "limit", "set", kind, "--max=1000000", "--rate=5/10m", "--per=tenant", "--per=customer"
    };
    assertThat(shell().terminal(80).run(call).lines())
        .hasSizeGreaterThan(1)
        .allMatch(line -> line.length() <= 80);
    assertThat(shell().terminal(80).run("limit", "show", kind, "--color=never").lines())
        .contains("at a time    at most 1,000,000 tasks")
        .allMatch(line -> line.length() <= 80);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "limit set sync | --max: give --max, --rate, or both",
        "limit set sync --burst 2 --max 5 | --burst: belongs to a rate: give --rate too",
        "limit set sync --max 0 | --max: must be a whole number between 1 and 1,000,000,000, not 0",
        "limit set sync --rate 5 | --rate: must be a number of starts and a time, such as 5/1s",
        "limit set sync --rate x/1s | --rate: 'x' is not a number",
        "limit set sync --rate 5/1 | --rate: '1' is not a duration",
        "limit set sync --rate 5/400d | rate.per: must be 1 ms to 366 days",
        "limit set sync --rate 5/1s --burst 6 | rate.burst: must be a whole number from 1 to 5",
        "limit set sync --max 1 --per a --per a | fields[1]: must be the name",
        "limit set --max 1 | missing required parameter: 'KIND'",
        "limit ste sync | unknown command 'ste'; did you mean 'set'?"
      })
  void wrong_use_is_refused(String call, String error) {
    assertRefused(run(call.split(" ", -1)), 2, error);
  }

  @Test
  void all_wrong_options_are_reported_at_once() {
    CliResult refused = run("limit", "set", "sync", "--max=x", "--rate=0/1x", "--burst=0");

    assertThat(refused.err().lines()).hasSize(4);
    assertRefused(run("limit", "show", ""), 2, "KIND: must not be empty");
  }

  @Test
  void the_list_says_which_limits_count_all_tasks() throws IOException {
    run("limit", "set", "sync", "--max", "5");
    run("limit", "set", "mail", "--rate", "5/1s");
    String rule = "{\"type\": \"Concurrency\", \"max_concurrency\": 2}";
    shell()
        .stdin("{\"kind\": \"sync\", \"rules\": [%s]}".formatted(rule))
        .run("submit", "-", "--json");
    server.post("/task/claim", "{\"worker\": \"w\", \"kinds\": [\"sync\"], \"wait\": \"20s\"}");

    assertThat(shell().terminal(80).run("limits", "--color=never").lines())
        .containsExactly(
            "key                      counts     used/max  waiting",
            "concurrency:kind:sync[]  all tasks       1/5        0",
            "concurrency:sync[]       with rule       1/2        0",
            "rate:kind:mail[]         all tasks    5 / 1s        0");
    assertThat(run("limits", "--kind", "sync", "--json").json())
        .extracting(limit -> limit.get("scope").stringValue())
        .containsExactly("kind", "task");
  }

  @Test
  void limits_of_the_configuration_come_back() throws IOException {
    stop();
    Path file = folder.resolve("perdure.yaml");
    Files.writeString(file, "limits:\n  sync: {max_concurrency: 10}\n");
    String limits =
        new TestCli()
            .run("config", "--config", file.toString(), "--json")
            .json()
            .getFirst()
            .get("limits")
            .get("value")
            .stringValue();
    server = TestServer.in(folder, Map.of(Settings.LIMITS, limits));

    assertThat(run("limit", "show", "sync").out()).contains("set by       the configuration, ");
    assertThat(run("limit", "rm", "sync").lines())
        .containsExactly(
            "kind sync has no limits now; it had at most 10 tasks at a time",
            "They were set by the configuration, which sets them again when a node starts: remove"
                + " them there too.");
  }
}
