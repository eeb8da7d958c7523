// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.Eventually;
import dev.perdure.server.TestServer;
import dev.perdure.server.WebhookReceiver;
import dev.perdure.server.config.Setting;
import dev.perdure.server.http.RawHttpClient.RawResponse;
import dev.perdure.server.http.Route;
import dev.perdure.server.notify.ChannelSettings;
import dev.perdure.server.webhook.WebhookSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * The data on a server before it is fuzzed: some of everything, and a secret task that no request
 * asks for.
 */
final class FuzzFixture {

  /** Occurs in the secret task and in the address of a channel, and nowhere else. */
  static final String SECRET = "not-for-you";

  private static final String ENCRYPTION_KEY = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";

  private final TestServer server;
  private final String admin;
  private final String submitter;
  private final String otherKey;
  private final String delivery;
  private final String batch;
  private final List<String> tasks = new ArrayList<>();
  private int failures;

  private FuzzFixture(TestServer server) throws Exception {
    this.server = server;
    this.admin =
        server
            .post("/key", "{\"name\": \"ops\", \"roles\": [\"admin\"]}")
            .json()
            .get("key")
            .stringValue();
    this.submitter = key("submit").get("key").stringValue();
    this.otherKey = key("read").get("id").stringValue();
    submit(
        "{\"kind\": \"hidden\", \"name\": \"%1$s\", \"payload\": \"%1$s\", \"metadata\": {\"h\": \"%1$s\"}}"
            .formatted(SECRET));
    for (int i = 0; i < 4; i++) {
      tasks.add(submit("{\"kind\": \"mail\"}"));
    }
    tasks.addAll(List.of(running(), retrying(), paused(), canceled("")));
    this.batch = batchOf(tasks.getLast());
    this.delivery = deadDelivery();
    schedule();
  }

  /** Deliveries are not retried, so that they are dead at once and can be redelivered. */
  static Map<Setting<?>, String> settings(boolean encrypted) {
    return Map.of(
        WebhookSettings.WEBHOOK_ALLOW,
        WebhookReceiver.ALLOWED,
        WebhookSettings.DELIVERY_RETRY,
        "{\"max_retries\": 0}",
        WebhookSettings.SECRETS_KEY,
        encrypted ? ENCRYPTION_KEY : "",
        ChannelSettings.CHANNELS,
        "{\"ops\": {\"type\": \"slack\", \"url\": \"http://127.0.0.1:1/%s\"}}".formatted(SECRET));
  }

  static FuzzFixture on(TestServer server) throws Exception {
    return new FuzzFixture(server);
  }

  String admin() {
    return admin;
  }

  /** A key with the role submit only. */
  String submitter() {
    return submitter;
  }

  /** Ids that fit the route. */
  List<String> ids(Route route) {
    if (route.pattern().startsWith("/delivery")) {
      return List.of(delivery);
    }
    if (route.pattern().startsWith("/batch/") || route.pattern().startsWith("/dag")) {
      return List.of(batch);
    }
    if (route.pattern().startsWith("/channel/")) {
      return List.of("ops");
    }
    if (route.pattern().startsWith("/schedule/")) {
      return List.of("scheduled");
    }
    if (route.pattern().startsWith("/limit/")) {
      return List.of("limited");
    }
    return route.pattern().startsWith("/key") ? List.of(otherKey) : tasks;
  }

  /** Creates a task or delivery to which the route's example applies. */
  String createFor(Route route) throws Exception {
    return switch (route.method() + " " + route.pattern()) {
      case "PATCH /task/{id}", "PUT /task/{id}", "POST /task/{id}/heartbeat" -> running();
      case "POST /task/{id}/retry" -> retrying();
      case "POST /task/{id}/resolve", "GET /task/{id}/attempt/{epoch}" -> failed();
      case "POST /batch/{id}/retry" -> batchOf(failed());
      case "PATCH /task/resume/{id}" -> paused();
      case "DELETE /task/{id}", "PATCH /task/pause/{id}" -> submit("{\"kind\": \"mail\"}");
      case "GET /limit/{kind}", "DELETE /limit/{kind}" -> limitedKind();
      default -> route.pattern().startsWith("/schedule/{id}") ? schedule() : ids(route).getFirst();
    };
  }

  /** Another request may have deleted it. */
  private String schedule() throws Exception {
    if (server.request(admin, "GET", "/schedule/scheduled", "").status() == 404) {
      request(
          "POST",
          "/schedule",
          "{\"name\": \"scheduled\", \"trigger\": {\"every\": \"1h\"}, \"task\": {\"kind\": \"mail\"}}");
    }
    return "scheduled";
  }

  RawResponse request(String method, String target, String body) throws Exception {
    RawResponse response = server.request(admin, method, target, body);
    assertThat(response.status()).as("%s %s: %s", method, target, response.body()).isLessThan(300);
    return response;
  }

  private JsonNode key(String role) throws Exception {
    return request("POST", "/key", "{\"name\": \"a\", \"roles\": [\"%s\"]}".formatted(role)).json();
  }

  private String submit(String task) throws Exception {
    return request("POST", "/task", task).json().get(0).get("id").stringValue();
  }

  private String running() throws Exception {
    String id = submit("{\"kind\": \"work\", \"retry\": {\"preset\": \"queue\"}}");
    request("POST", "/task/claim", "{\"worker\": \"w\", \"kinds\": [\"work\"], \"lease\": \"1d\"}");
    return id;
  }

  private String retrying() throws Exception {
    String id = running();
    request(
        "PATCH", "/task/" + id, "{\"status\": \"Failure\", \"retry_after\": \"1h\", \"epoch\": 1}");
    return id;
  }

  /** Of a kind of its own, so that no one else claims it after it is revived. */
  private String failed() throws Exception {
    String kind = "failing-" + failures++;
    String id = submit("{\"kind\": \"%s\"}".formatted(kind));
    request("POST", "/task/claim", "{\"worker\": \"w\", \"kinds\": [\"%s\"]}".formatted(kind));
    request("PATCH", "/task/" + id, "{\"status\": \"Failure\", \"epoch\": 1}");
    return id;
  }

  private String limitedKind() throws Exception {
    request("PUT", "/limit/limited", "{\"max_concurrency\": 5}");
    return "limited";
  }

  private String batchOf(String task) throws Exception {
    return request("GET", "/task/" + task, "").json().get("batch_id").stringValue();
  }

  private String paused() throws Exception {
    String id = submit("{\"kind\": \"mail\"}");
    request("PATCH", "/task/pause/" + id, "");
    return id;
  }

  private String canceled(String more) throws Exception {
    String id = submit("{\"kind\": \"mail\"%s}".formatted(more));
    request("DELETE", "/task/" + id, "");
    return id;
  }

  /** Creates a delivery to a closed port. */
  private String deadDelivery() throws Exception {
    String id =
        canceled(
            ", \"on_cancel\": [{\"kind\": \"Webhook\", \"params\": {\"url\": \"http://127.0.0.1:1/\", \"verb\": \"Post\"}}]");
    String dead = "/delivery?state=dead&task=" + id;
    return Eventually.await(() -> request("GET", dead, "").json(), found -> !found.isEmpty())
        .get(0)
        .get("id")
        .stringValue();
  }
}
