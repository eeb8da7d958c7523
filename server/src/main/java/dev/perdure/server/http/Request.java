// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

import dev.perdure.policy.Problem;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;

/**
 * One request.
 *
 * @param path decoded, beginning with a slash
 * @param variables what stands in the places of the route's pattern, by name
 * @param who finds out who asks, which may take a look into the store: some routes need not know
 * @param ledger where it is written down what the caller did
 */
public record Request(
    String method,
    String path,
    Map<String, String> variables,
    Query query,
    Headers headers,
    Body body,
    Supplier<Caller> who,
    Consumer<Deed> ledger,
    Place place) {

  public Request {
    variables = Map.copyOf(variables);
  }

  /** A request as it came, before anybody knows its route or who sent it. */
  public static Request of(String method, String path, Query query, Headers headers, Body body) {
    Place alone = new Place(new Semaphore(0), () -> false);
    return new Request(
        method,
        path,
        Map.of(),
        query,
        headers,
        body,
        () -> Caller.STRANGER,
        Request::nobodys,
        alone);
  }

  private static void nobodys(Deed deed) {
    throw new IllegalStateException("nobody writes down " + deed);
  }

  Request withVariables(Map<String, String> value) {
    return new Request(method, path, value, query, headers, body, who, ledger, place);
  }

  /** The same request at a place among others. */
  public Request withPlace(Place value) {
    return new Request(method, path, variables, query, headers, body, who, ledger, value);
  }

  Request withCaller(Supplier<Caller> value) {
    return new Request(method, path, variables, query, headers, body, value, ledger, place);
  }

  Request withLedger(Consumer<Deed> value) {
    return new Request(method, path, variables, query, headers, body, who, value, place);
  }

  /** Writes down what the caller has just done, before anything else can go wrong. */
  public void did(Deed deed) {
    ledger.accept(deed);
  }

  /** Who asks; throws {@link RefusedException} when it may not come in. */
  public Caller caller() {
    return who.get();
  }

  /** Goes on only when the caller may do this; else throws {@link RefusedException}. */
  public void require(Role role) {
    if (role == Role.NONE) {
      return;
    }
    Caller caller = caller();
    if (!caller.isKnown()) {
      throw RefusedException.unauthorized(
          "this server asks for a key: send it as Authorization: Bearer pk_…", "");
    }
    if (!caller.may(role)) {
      throw RefusedException.of(
          Status.FORBIDDEN,
          "this needs the role %s, which the key %s does not have"
              .formatted(role.text(), Problem.quotable(caller.name())));
    }
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
