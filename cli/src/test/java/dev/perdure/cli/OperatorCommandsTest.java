// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.cli.TestCli.CliResult;
import dev.perdure.server.Eventually;
import dev.perdure.server.TestServer;
import dev.perdure.server.WebhookReceiver;
import dev.perdure.server.webhook.WebhookSettings;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Bulk actions, limits, deliveries, audit entries, nodes and statistics. */
@Timeout(60)
class OperatorCommandsTest extends ServerCommandFixture {

  private String submit(String task) {
    CliResult result = shell().stdin(task).run("submit", "-", "--json");
    assertThat(result.code()).as(result.err()).isZero();
    return result.json().getFirst().get("id").stringValue();
  }

  @Test
  void bulk_retries_the_tasks_that_match() {
    for (String kind : List.of("mail", "mail", "other")) {
      run("cancel", submit("{\"kind\": \"%s\"}".formatted(kind)));
    }

    assertThat(run("bulk", "retry", "--kind", "mail", "--dry-run").out())
        .isEqualTo("retry: 2 tasks would be changed, 0 skipped because of their state (dry run)\n");
    assertThat(run("tasks", "--status", "Canceled", "--json").json()).hasSize(3);
    assertThat(run("bulk", "retry", "--kind", "mail", "--json").json())
        .containsExactly(
            JsonMapper.shared()
                .readTree(
                    "{\"action\":\"retry\",\"dry_run\":false,\"matched\":2,\"changed\":2,\"skipped\":0}"));
    assertThat(run("tasks", "--status", "Canceled", "--json").json()).hasSize(1);
    assertThat(run("bulk", "pause", "--status", "Pending", "--kind", "mail").out())
        .startsWith("pause: 2 tasks changed");
  }

  @Test
  void bulk_needs_an_action_and_a_filter() {
    assertRefused(run("bulk", "retry"), 2, "give at least one filter, such as --status or --kind");
    assertRefused(
        run("bulk", "delete", "--kind", "a"), 2, "ACTION: must be cancel, pause, resume or retry");
    assertRefused(run("bulk", "retry", "--status", "Lost"), 2, "status");
  }

  @Test
  void deliveries_are_listed_and_sent_again() throws Exception {
    stop();
    server = TestServer.in(folder, Map.of(WebhookSettings.WEBHOOK_ALLOW, WebhookReceiver.ALLOWED));
    try (WebhookReceiver receiver = WebhookReceiver.replyingOk()) {
      String task =
          submit("{\"kind\": \"mail\", \"on_cancel\": [%s]}".formatted(receiver.action("/gone")));
      run("cancel", task);
      String[] sent = {"deliveries", "--state", "sent", "--task", task, "--json"};
      JsonNode delivery =
          Eventually.await(() -> run(sent).json(), found -> !found.isEmpty()).getFirst();
      String id = delivery.get("id").stringValue();
      String shortTask = task.substring(4, 18);
      String shortId = id.substring(4, 18);

      assertThat(shell().terminal(80).run("deliveries", "--color=never").lines().get(1))
          .startsWith(shortId)
          .contains("sent", "on_cancel", shortTask);
      assertThat(run("deliveries", "--task", shortTask).out()).contains(id, task);
      assertThat(run("redeliver", shortId).out()).startsWith("delivery " + id + " ");
      Eventually.await(receiver::count, calls -> calls == 2);
    }
    assertRefused(run("redeliver", "0000-0000-7000"), 1, "there is no delivery 0000-0000-7000");
    assertRefused(run("deliveries", "--state", "lost"), 2, "state");
    assertThat(run("deliveries", "--trigger", "on_failure").out()).isEqualTo("No deliveries.\n");
  }

  private static String limited(String tenant, String rules) {
    return "{\"kind\": \"sync\", \"metadata\": {\"tenant\": \"%s\"}, \"expected_count\": 1200, \"rules\": [%s]}"
        .formatted(tenant, rules);
  }

  private void claim(String kind) throws IOException {
    server.post("/task/claim", "{\"worker\": \"w\", \"kinds\": [\"%s\"]}".formatted(kind));
  }

  @Test
  void limits_are_listed_and_a_task_says_what_it_waits_for() throws IOException {
    assertThat(run("limits").out()).isEqualTo("No limits.\n");
    String one =
        "{\"type\": \"Concurrency\", \"max_concurrency\": 1, \"matcher\": {\"fields\": [\"tenant\"]}}";
    submit(limited("acme", one));
    claim("sync");
    String next = submit(limited("acme", one));
    String last = submit(limited("acme", one));

    CliResult listed = shell().terminal(80).run("limits", "--color=never");
    assertThat(listed.lines())
        .containsExactly(
            "key                              used/max  waiting",
            "concurrency:sync[tenant=\"acme\"]       1/1        2");
    assertThat(run("limits", "--kind", "sync", "--json").json())
        .singleElement()
        .satisfies(limit -> assertThat(limit.get("waiting").intValue()).isEqualTo(2));
    assertThat(run("limits", "--kind", "other").out()).isEqualTo("No limits.\n");
    assertThat(run("show", next).lines())
        .contains("waits for    concurrency:sync[tenant=\"acme\"]: 1 of 1 in use, it is next");
    assertThat(run("show", last).lines())
        .contains("waits for    concurrency:sync[tenant=\"acme\"]: 1 of 1 in use, 1 task ahead")
        .anyMatch(line -> line.startsWith("rules        [{\"type\":\"Concurrency\""));
  }

  @Test
  void rates_and_capacities_are_shown_in_their_own_units() throws IOException {
    String rate = "{\"type\": \"Rate\", \"max_starts\": 5, \"per\": \"10h\"}";
    submit(limited("acme", rate));
    claim("sync");
    String later = submit(limited("acme", rate));
    String capacity = "{\"type\": \"Capacity\", \"max_capacity\": 2000}";
    submit(limited("acme", capacity));
    claim("sync");
    String large = submit(limited("acme", capacity));

    assertThat(shell().terminal(80).run("limits", "--color=never").lines())
        .satisfiesExactly(
            header ->
                assertThat(header).isEqualTo("key                 used/max  waiting  next start"),
            line -> assertThat(line).isEqualTo("capacity:sync[]  1,200/2,000        1"),
            line -> assertThat(line).matches("rate:sync\\[] +5 / 10h +1  in (1h .*|2h)"));
    assertThat(run("show", later).out())
        .containsPattern(
            "waits for    rate:sync\\[]: the next start is allowed in [12]h.*, it is next");
    assertThat(run("show", large).out())
        .contains("waits for    capacity:sync[]: 1,200 of 2,000 items in use, it is next");
  }

  @Test
  void audit_lists_what_operators_did() {
    String id = submit("{\"kind\": \"mail\"}");
    run("cancel", id);
    run("bulk", "retry", "--kind", "mail");

    assertThat(run("audit").out()).contains("anyone", "cancel", id, "bulk", "\"kind\":\"=mail\"");
    assertThat(shell().terminal(80).run("audit", "--color=never").out())
        .contains("cancel", id.substring(4, 18));
    assertThat(run("audit", "--subject", id.substring(4, 18), "--json").json())
        .singleElement()
        .satisfies(entry -> assertThat(entry.get("action").stringValue()).isEqualTo("cancel"));
    assertThat(run("audit", "--limit", "1").out())
        .endsWith("There are more; --limit shows them.\n");
    assertThat(run("audit", "--subject", "4n9q0a2kx71b").out()).isEqualTo("No entries.\n");
  }

  @Test
  void nodes_are_listed_by_name() throws Exception {
    String out = Eventually.await(() -> run("nodes").out(), text -> text.startsWith("name"));

    assertThat(out.lines().toList().get(1)).startsWith("tester ");
    assertThat(out).contains("tester answered; it runs version test since ");
    assertThat(run("nodes", "--json").json().getFirst().get("name").stringValue())
        .isEqualTo("tester");
  }

  @Test
  void stats_show_how_retries_went() throws Exception {
    String id = submit("{\"kind\": \"mail\", \"retry\": {\"preset\": \"queue\"}}");
    server.post("/task/claim", "{\"worker\": \"w\", \"kinds\": [\"mail\"]}");
    server.send("PATCH", "/task/" + id, "{\"status\": \"Failure\", \"epoch\": 1}");

    assertThat(run("stats").lines())
        .contains("waiting         1 retry, 0 due now", "by kind         mail 1")
        .contains("exhausted       0 tasks");
    assertThat(run("stats", "--json").json().getFirst().get("pending").intValue()).isOne();
  }
}
