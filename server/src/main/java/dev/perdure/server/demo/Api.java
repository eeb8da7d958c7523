// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.demo;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Talks to the server as any other program would. */
final class Api implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final HttpClient client = HttpClient.newBuilder().connectTimeout(PATIENCE).build();
  private final URI server;

  Api(URI server) {
    this.server = server;
  }

  JsonNode get(String path) throws IOException, InterruptedException {
    return send(server.resolve(path), "GET", "");
  }

  JsonNode post(String path, String body) throws IOException, InterruptedException {
    return send(server.resolve(path), "POST", body);
  }

  JsonNode patch(String path, String body) throws IOException, InterruptedException {
    return send(server.resolve(path), "PATCH", body);
  }

  /** To a place that a call named. */
  JsonNode send(URI place, String method, String body) throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(place)
            .timeout(PATIENCE)
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (!body.isEmpty()) {
      request.header("Content-Type", "application/json");
    }
    HttpResponse<String> answer = client.send(request.build(), BodyHandlers.ofString());
    if (answer.statusCode() >= 300) {
      throw new IOException(
          "%s %s: %d %s".formatted(method, place.getPath(), answer.statusCode(), answer.body()));
    }
    return JsonMapper.shared().readTree(answer.body());
  }

  @Override
  public void close() {
    client.shutdownNow();
  }
}
