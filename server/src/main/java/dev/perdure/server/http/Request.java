// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.Semaphore;
import tools.jackson.databind.JsonNode;

/**
 * One request.
 *
 * @param path decoded, beginning with a slash
 * @param variables what stands in the places of the route's pattern, by name
 */
public record Request(
    String method,
    String path,
    Map<String, String> variables,
    Query query,
    Headers headers,
    Body body,
    Caller caller,
    Place place) {

  private static final Caller NOBODY = new Caller("nobody", Set.of());

  public Request {
    variables = Map.copyOf(variables);
  }

  /** A request as it came, before anybody knows its route or who sent it. */
  public static Request of(String method, String path, Query query, Headers headers, Body body) {
    Place alone = new Place(new Semaphore(1));
    return new Request(method, path, Map.of(), query, headers, body, NOBODY, alone);
  }

  Request withVariables(Map<String, String> value) {
    return new Request(method, path, value, query, headers, body, caller, place);
  }

  /** The same request at a place among others. */
  public Request withPlace(Place value) {
    return new Request(method, path, variables, query, headers, body, caller, value);
  }

  Request withCaller(Caller value) {
    return new Request(method, path, variables, query, headers, body, value, place);
  }

  /** What stands in this place of the route's pattern. */
  public String variable(String name) {
    String value = variables.get(name);
    if (value == null) {
      throw new IllegalArgumentException("the route of " + path + " has no {" + name + "}");
    }
    return value;
  }

  /** True when something comes after the headers. */
  public boolean hasBody() {
    return headers.has("Transfer-Encoding")
        || !headers.first("Content-Length").orElse("0").strip().equals("0");
  }

  /** The body as JSON. */
  public JsonNode json() {
    return JsonBody.parse(body.read());
  }
}
