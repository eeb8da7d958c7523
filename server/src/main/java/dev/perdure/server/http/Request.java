// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

import dev.perdure.policy.FieldError;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;

/**
 * One request.
 *
 * @param path decoded, beginning with a slash
 * @param pathVariables what stands in the places of the route's pattern, by name
 * @param callerLookup finds out who asks, which may take a look into the store: some routes need
 *     not know
 * @param auditSink where it is written down what the caller did
 */
public record Request(
    String method,
    String path,
    Map<String, String> pathVariables,
    QueryParameters query,
    Headers headers,
    RequestBody body,
    Supplier<Caller> callerLookup,
    Consumer<AuditEntry> auditSink,
    RequestPermit permit) {

  public Request {
    pathVariables = Map.copyOf(pathVariables);
  }

  /** A request as it came, before anybody knows its route or who sent it. */
  public static Request of(
      String method,
      String path,
      QueryParameters queryParameters,
      Headers headers,
      RequestBody requestBody) {
    RequestPermit alone = new RequestPermit(new Semaphore(0), () -> false);
    return new Request(
        method,
        path,
        Map.of(),
        queryParameters,
        headers,
        requestBody,
        () -> Caller.UNAUTHENTICATED,
        Request::refuseAudit,
        alone);
  }

  private static void refuseAudit(AuditEntry auditEntry) {
    throw new IllegalStateException("nobody writes down " + auditEntry);
  }

  Request withPathVariables(Map<String, String> value) {
    return new Request(method, path, value, query, headers, body, callerLookup, auditSink, permit);
  }

  /** The same request at a place among others. */
  public Request withPermit(RequestPermit value) {
    return new Request(
        method, path, pathVariables, query, headers, body, callerLookup, auditSink, value);
  }

  Request withCaller(Supplier<Caller> value) {
    return new Request(method, path, pathVariables, query, headers, body, value, auditSink, permit);
  }

  Request withAuditSink(Consumer<AuditEntry> value) {
    return new Request(
        method, path, pathVariables, query, headers, body, callerLookup, value, permit);
  }

  /** Writes down what the caller has just done, before anything else can go wrong. */
  public void audit(AuditEntry auditEntry) {
    auditSink.accept(auditEntry);
  }

  /** Who asks; throws {@link HttpProblemException} when it may not come in. */
  public Caller caller() {
    return callerLookup.get();
  }

  /** Goes on only when the caller may do this; else throws {@link HttpProblemException}. */
  public void require(Role role) {
    if (role == Role.NONE) {
      return;
    }
    Caller caller = caller();
    if (!caller.isAuthenticated()) {
      throw HttpProblemException.unauthorized(
          "this server asks for a key: send it as Authorization: Bearer pk_…", "");
    }
    if (!caller.may(role)) {
      throw HttpProblemException.of(
          HttpStatus.FORBIDDEN,
          "this needs the role %s, which the key %s does not have"
              .formatted(role.text(), FieldError.sanitize(caller.name())));
    }
  }

  /** What stands in this place of the route's pattern. */
  public String pathVariable(String name) {
    String value = pathVariables.get(name);
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
