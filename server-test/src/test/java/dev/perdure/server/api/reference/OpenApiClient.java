// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api.reference;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.TestServer;
import dev.perdure.server.http.RawHttpClient;
import dev.perdure.server.http.RawHttpClient.RawResponse;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A client that knows only the OpenAPI document: it calls operations by id and validates each
 * request and response against the schemas.
 */
final class OpenApiClient {

  private static final JsonMapper MAPPER = JsonMapper.shared();

  /** Response headers that the document must describe. */
  private static final Set<String> HEADERS =
      Set.of(
          "x-total-count",
          "x-total-exact",
          "x-looked-at",
          "x-reached",
          "link",
          "x-batch-id",
          "idempotency-replayed",
          "set-cookie");

  private static final int NO_CONTENT = 204;

  private static final Pattern INSTANT = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:");
  private static final int MILLISECONDS_LENGTH = "2026-03-01T12:00:00.000Z".length();

  private final OpenApi api;
  private final TestServer server;
  private final Set<String> called = new TreeSet<>();
  private String key = "";

  OpenApiClient(OpenApi api, TestServer server) {
    this.api = api;
    this.server = server;
  }

  /** The operations that were called and succeeded. */
  Set<String> calledOperations() {
    return called;
  }

  void useKey(String key) {
    this.key = key;
  }

  JsonNode call(String operation, Map<String, String> parameters) throws IOException {
    return call(operation, parameters, "");
  }

  JsonNode call(String id, Map<String, String> parameters, String body) throws IOException {
    OpenApi.Operation operation =
        api.operations().stream().filter(each -> each.id().equals(id)).findFirst().orElseThrow();
    List<String> headers = headers(operation, parameters);
    RawResponse response = send(operation, target(operation, parameters), headers, body);
    JsonNode described = described(operation, response.status());
    assertThat(described.isMissingNode())
        .as("%s is not described: %s %s", id, response.status(), response.body())
        .isFalse();
    assertThat(describedHeaders(described))
        .as("headers of %s", id)
        .containsAll(response.headers().keySet().stream().filter(HEADERS::contains).toList());
    if (response.status() == NO_CONTENT) {
      assertThat(response.body()).as(id).isEmpty();
      called.add(id);
      return MAPPER.getNodeFactory().missingNode();
    }
    String type = response.header("Content-Type").replaceAll(";.*", "");
    JsonNode schema = described.path("content").path(type).path("schema");
    assertThat(schema.isMissingNode()).as("%s responds with %s", id, type).isFalse();
    if (response.status() < 300) {
      called.add(id);
    }
    if (!type.endsWith("json")) {
      return MAPPER.getNodeFactory().stringNode(response.body());
    }
    assertThat(SchemaValidator.problems(api, schema, response.json()))
        .as(response.body())
        .isEmpty();
    assertThat(texts(response.json()).filter(text -> INSTANT.matcher(text).lookingAt()))
        .as("instants in milliseconds")
        .allMatch(text -> text.endsWith("Z") && text.length() == MILLISECONDS_LENGTH);
    return response.json();
  }

  private static Stream<String> texts(JsonNode json) {
    return json.isString()
        ? Stream.of(json.stringValue())
        : json.valueStream().flatMap(OpenApiClient::texts);
  }

  /** The described response; only errors may use the default. */
  private JsonNode described(OpenApi.Operation operation, int status) {
    JsonNode responses = operation.json().path("responses");
    JsonNode own = responses.path(Integer.toString(status));
    return api.resolve(own.isMissingNode() && status >= 400 ? responses.path("default") : own);
  }

  private static List<String> describedHeaders(JsonNode described) {
    return described
        .path("headers")
        .propertyStream()
        .map(header -> header.getKey().toLowerCase(Locale.ROOT))
        .toList();
  }

  private List<String> headers(OpenApi.Operation operation, Map<String, String> given) {
    return Stream.concat(
            operation.parameters().stream()
                .filter(parameter -> parameter.path("in").asString().equals("header"))
                .map(parameter -> parameter.path("name").asString())
                .filter(given::containsKey)
                .map(name -> name + ": " + given.get(name)),
            Stream.of(key)
                .filter(secret -> !secret.isEmpty())
                .map("Authorization: Bearer "::concat))
        .toList();
  }

  private RawResponse send(
      OpenApi.Operation operation, String target, List<String> headers, String body)
      throws IOException {
    if (body.isEmpty()) {
      return RawHttpClient.request(server.port(), operation.method(), target, headers, "");
    }
    JsonNode schema =
        operation
            .json()
            .path("requestBody")
            .path("content")
            .path("application/json")
            .path("schema");
    assertThat(SchemaValidator.problems(api, schema, MAPPER.readTree(body))).as(body).isEmpty();
    return RawHttpClient.request(server.port(), operation.method(), target, headers, body);
  }

  private static String target(OpenApi.Operation operation, Map<String, String> parameters) {
    String path = operation.path();
    StringBuilder query = new StringBuilder();
    Set<String> left = new HashSet<>(parameters.keySet());
    for (JsonNode parameter : operation.parameters()) {
      String name = parameter.path("name").asString();
      if (!left.remove(name)) {
        continue;
      }
      if (parameter.path("in").asString().equals("path")) {
        path = path.replace("{" + name + "}", parameters.get(name));
      } else if (parameter.path("in").asString().equals("query")) {
        query
            .append(query.isEmpty() ? "?" : "&")
            .append(name)
            .append('=')
            .append(URLEncoder.encode(parameters.get(name), StandardCharsets.UTF_8));
      }
    }
    assertThat(left).as("unknown to " + operation.id()).isEmpty();
    return path + query;
  }
}
