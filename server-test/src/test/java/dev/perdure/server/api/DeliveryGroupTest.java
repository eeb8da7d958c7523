// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.Eventually;
import dev.perdure.server.TestDatabase;
import dev.perdure.server.TestServer;
import dev.perdure.server.WebhookReceiver;
import dev.perdure.server.http.RawHttpClient.RawResponse;
import dev.perdure.server.webhook.WebhookSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** Dead deliveries by host, and sending them again. */
@ParameterizedClass
@EnumSource
class DeliveryGroupTest {

  private final TestDatabase database;
  @TempDir private Path folder;
  private TestServer server;

  DeliveryGroupTest(TestDatabase database) {
    this.database = database;
  }

  @BeforeEach
  void start() throws Exception {
    server =
        database.server(
            folder,
            Map.of(
                WebhookSettings.WEBHOOK_ALLOW,
                WebhookReceiver.ALLOWED,
                WebhookSettings.DELIVERY_RETRY,
                "{\"max_retries\": 0}"));
    for (int port : new int[] {1, 2, 1}) {
      String task =
          """
          {"kind": "k", "on_cancel": [{"kind": "Webhook",
            "params": {"url": "http://127.0.0.1:%d/", "verb": "Post"}}]}"""
              .formatted(port);
      String id = server.post("/task", task).json().get(0).get("id").asString();
      server.request("DELETE", "/task/" + id);
    }
    Eventually.await(() -> dead(), found -> found == 3);
  }

  @AfterEach
  void stop() {
    if (server != null) {
      server.close();
    }
  }

  private int dead() throws IOException {
    return server.get("/delivery?state=dead").json().size();
  }

  private JsonNode bulk(String body) throws IOException {
    RawResponse response = server.post("/delivery/bulk", body.replace('\'', '"'));
    assertThat(response.status()).as(response.body()).isEqualTo(200);
    return response.json();
  }

  @Test
  void dead_deliveries_are_grouped_and_sent_again() throws Exception {
    JsonNode groups = server.get("/delivery/group?since=24h").json();
    assertThat(groups.findValuesAsString("host")).containsExactly("127.0.0.1:1", "127.0.0.1:2");
    JsonNode largest = groups.get(0);
    assertThat(largest.get("count").intValue()).isEqualTo(2);
    assertThat(largest.get("capped").booleanValue()).isFalse();
    assertThat(largest.get("status").isNull()).isTrue();
    assertThat(largest.get("sample").get("message").stringValue()).isNotBlank();
    assertThat(Instant.parse(largest.get("first_at").stringValue()))
        .isBeforeOrEqualTo(Instant.parse(largest.get("last_at").stringValue()));
    String kind = largest.get("failure_kind").stringValue();

    String filter =
        "'filter': {'host': '127.0.0.1:1', 'status': null, 'failure_kind': '%s', 'state': 'dead', 'since': '24h'}"
            .formatted(kind);
    JsonNode dry = bulk("{'action': 'redeliver', 'dry_run': true, %s}".formatted(filter));
    assertThat(dry.get("matched").intValue()).isEqualTo(2);
    assertThat(dry.get("example").get("state").stringValue()).isEqualTo("dead");
    assertThat(dead()).isEqualTo(3);

    JsonNode sent = bulk("{'action': 'redeliver', 'spread': '10m', %s}".formatted(filter));
    assertThat(sent.get("changed").intValue()).isEqualTo(2);
    assertThat(sent.get("next").isNull()).isTrue();
    JsonNode pending = server.get("/delivery?state=pending").json();
    // The first is due now, and has no due time while it is being sent.
    assertThat(pending.findValuesAsString("due_at"))
        .filteredOn(due -> !due.isEmpty())
        .anySatisfy(due -> assertThat(Instant.parse(due)).isAfter(Instant.now().plusSeconds(200)));
    JsonNode entry = server.get("/audit").json().get(0);
    assertThat(entry.get("action").stringValue()).isEqualTo("redeliver");
    assertThat(entry.get("detail").get("changed").intValue()).isEqualTo(2);
  }

  @Test
  void wrong_requests_are_refused() throws Exception {
    for (String body :
        new String[] {
          "{'action': 'redeliver', 'filter': {}}",
          "{'action': 'cancel', 'filter': {'host': 'a'}}",
          "{'action': 'redeliver', 'filter': {'state': 'sent'}}",
          "{'action': 'redeliver', 'filter': {'host': 'a'}, 'spread': '15d'}",
          "{'action': 'redeliver', 'filter': {'host': 'a'}, 'after': 'x'}",
          "{'action': 'redeliver', 'filter': {'url': 'a'}}",
        }) {
      assertThat(server.post("/delivery/bulk", body.replace('\'', '"')).status())
          .as(body)
          .isEqualTo(400);
    }
    assertThat(server.get("/delivery/group?since=0s").status()).isEqualTo(400);
  }
}
