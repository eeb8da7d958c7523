// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.http.RawHttpClient.RawResponse;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A client that submits, claims and settles tasks over HTTP. */
public final class TestApiClient {

  public static final String UNKNOWN_ID = "00000000-0000-7000-8000-000000000000";
  public static final String AT_ONCE =
      "{\"max_retries\": 3, \"backoff\": {\"type\": \"immediate\"}}";
  public static final String LATER =
      """
      {"max_retries": 3, "backoff": {"type": "fixed", "delay": "1h"}, "jitter": "none"}""";

  private static final Executor THREADS = work -> Thread.ofVirtual().start(work);

  private final TestServer server;

  public TestApiClient(TestServer server) {
    this.server = server;
  }

  /** Submits one task and returns its id. */
  public String submit(String task) throws IOException {
    RawResponse response = server.post("/task", task);
    assertThat(response.status()).as(response.body()).isEqualTo(201);
    return response.json().get(0).get("id").stringValue();
  }

  /** Submits a task of the kind {@code job} with this policy. */
  public String submitJob(String policy) throws IOException {
    return submit("{\"kind\": \"job\", \"retry\": %s}".formatted(policy));
  }

  /** Claims tasks of the kind {@code job}; {@code more} is appended to the request. */
  public JsonNode claim(String more) throws IOException {
    RawResponse response = tryClaim(more);
    assertThat(response.status()).as(response.body()).isEqualTo(200);
    return response.json();
  }

  public RawResponse tryClaim(String more) throws IOException {
    return server.post("/task/claim", "{\"worker\": \"ada\", \"kinds\": [\"job\"]" + more + "}");
  }

  /**
   * Claims the one waiting task. This may take a while: for ten seconds after its start, a server
   * declares no worker lost.
   */
  public JsonNode claimOne() throws IOException {
    JsonNode leases = claim(", \"wait\": \"18s\"");
    assertThat(leases).hasSize(1);
    return leases.get(0);
  }

  /**
   * Claims the one waiting task and ends it.
   *
   * @param outcome the fields of the PATCH, such as {@code "status": "Success"}
   */
  public void settleOne(String outcome) throws IOException {
    settle(claimOne(), outcome);
  }

  /** Settles a claimed task. */
  public void settle(JsonNode lease, String outcome) throws IOException {
    RawResponse settled =
        patch(
            lease.get("id").stringValue(),
            "{\"epoch\": %s, %s}".formatted(lease.get("epoch"), outcome));
    assertThat(settled.status()).as(settled.body()).isEqualTo(200);
  }

  /** Claims in the background; repeats on 503. */
  public CompletableFuture<RawResponse> claimAsync(String more) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return Eventually.await(() -> tryClaim(more), response -> response.status() != 503);
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        },
        THREADS);
  }

  public RawResponse patch(String id, String body) throws IOException {
    return server.send("PATCH", "/task/" + id, body);
  }

  public RawResponse put(String id, String body) throws IOException {
    return server.send("PUT", "/task/" + id, body);
  }

  public RawResponse heartbeat(String id, String body) throws IOException {
    return server.post("/task/" + id + "/heartbeat", body);
  }

  /** The task without the time of the response, so that responses can be compared. */
  public JsonNode show(String id) throws IOException {
    ObjectNode task = (ObjectNode) server.get("/task/" + id).json();
    task.remove("now");
    return task;
  }

  public String status(String id) throws IOException {
    return show(id).get("status").stringValue();
  }
}
