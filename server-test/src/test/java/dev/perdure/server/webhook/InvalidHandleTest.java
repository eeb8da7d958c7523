// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.TestApiClient;
import dev.perdure.server.TestDatabase;
import dev.perdure.server.TestServer;
import dev.perdure.server.WebhookReceiver;
import dev.perdure.server.http.RawHttpClient.RawResponse;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/**
 * A credential that is empty or malformed is refused. It must not count as none: then the request
 * would be an operator action, which a server without keys allows to everyone.
 */
class InvalidHandleTest {

  private static final String SUCCESS = "{\"status\": \"Success\"}";

  @TempDir private Path folder;
  private WebhookReceiver receiver;
  private TestServer server;
  private TestApiClient client;
  private String id;
  private String handle;

  @BeforeEach
  void startTask() throws Exception {
    receiver = WebhookReceiver.replyingOk();
    server =
        TestDatabase.SQLITE.server(
            folder, Map.of(WebhookSettings.WEBHOOK_ALLOW, WebhookReceiver.ALLOWED));
    client = new TestApiClient(server);
    id = client.submit("{\"kind\": \"etl\", \"on_start\": %s}".formatted(receiver.action("/")));
    handle = receiver.next().target();
  }

  @AfterEach
  void close() {
    server.close();
    receiver.close();
  }

  private void assertUntouched() throws IOException {
    JsonNode task = client.show(id);
    assertThat(task.get("status").stringValue()).isEqualTo("Running");
    assertThat(task.get("success").longValue()).isZero();
    assertThat(server.get("/audit").json()).as("no operator action").isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"handle=", "handle", "handle=%20", "handle=null", "handle=ph1"})
  void an_empty_or_malformed_handle_is_refused(String query) throws IOException {
    String target = "/task/" + id + "?" + query;
    RawResponse settled = server.send("PATCH", target, SUCCESS);

    assertThat(settled.status()).as(settled.body()).isEqualTo(403);
    assertThat(settled.json().get("detail").stringValue()).contains("the whole callback URL");
    assertThat(server.send("PUT", target, "{\"new_success\": 1}").status()).isEqualTo(403);
    assertUntouched();
  }

  @Test
  void an_empty_handle_is_refused_even_with_the_key_of_an_operator() throws IOException {
    String admin =
        server
            .post("/key", "{\"name\": \"ops\", \"roles\": [\"admin\"]}")
            .json()
            .get("key")
            .stringValue();

    assertThat(server.request(admin, "PATCH", "/task/" + id + "?handle=", SUCCESS).status())
        .isEqualTo(403);
    assertThat(server.request("", "PATCH", "/task/" + id, SUCCESS).status())
        .as("an empty API key")
        .isEqualTo(401);
  }

  @ParameterizedTest
  @ValueSource(strings = {"Handle=", "handel=ph1", "token=x"})
  void a_misspelled_parameter_is_an_error(String query) throws IOException {
    RawResponse settled = server.send("PATCH", "/task/" + id + "?" + query, SUCCESS);

    assertThat(settled.status()).as(settled.body()).isEqualTo(400);
    assertThat(settled.body()).contains("unknown parameter", "handle");
    assertUntouched();
  }

  @ParameterizedTest
  @CsvSource({"DELETE, ''", "POST, /retry", "POST, /heartbeat"})
  void a_handle_allows_no_other_change(String method, String path) throws IOException {
    String target = handle.replace("?", path + "?");
    RawResponse response = server.send(method, target, "{\"epoch\": 1}");

    assertThat(response.status()).as(response.body()).isEqualTo(403);
    assertUntouched();
  }

  @ParameterizedTest
  @CsvSource({"PATCH, ''", "PUT, ''", "POST, /heartbeat"})
  void an_epoch_of_null_is_an_error(String method, String path) throws IOException {
    String more = method.equals("PATCH") ? ", \"status\": \"Success\"" : "";
    RawResponse response =
        server.send(method, "/task/" + id + path, "{\"epoch\": null%s}".formatted(more));

    assertThat(response.status()).as(response.body()).isEqualTo(400);
    assertThat(response.json().get("errors").get(0).get("path").stringValue()).isEqualTo("epoch");
    assertUntouched();
  }
}
