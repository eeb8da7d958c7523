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
 * @param path decoded, with a leading slash
 * @param clientAddress the IP address that the request came from, which may be that of a proxy
 * @param pathVariables the variables of the route's pattern, by name
 * @param callerLookup authenticates the caller, which may read the store; not every route needs it
 * @param auditSink records what the caller did
 */
public record Request(
    String method,
    String path,
    String clientAddress,
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

  /** A request as received: without caller, route and audit log. */
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
        "",
        Map.of(),
        queryParameters,
        headers,
        requestBody,
        () -> Caller.UNAUTHENTICATED,
        Request::refuseAudit,
        alone);
  }

  private static void refuseAudit(AuditEntry auditEntry) {
    throw new IllegalStateException("this request has no audit log for " + auditEntry);
  }

  Request withPathVariables(Map<String, String> value) {
    return new Request(
        method, path, clientAddress, value, query, headers, body, callerLookup, auditSink, permit);
  }

  /** A copy from this IP address. */
  public Request withClientAddress(String value) {
    return new Request(
        method, path, value, pathVariables, query, headers, body, callerLookup, auditSink, permit);
  }

  /** A copy that holds this permit. */
  public Request withPermit(RequestPermit value) {
    return new Request(
        method,
        path,
        clientAddress,
        pathVariables,
        query,
        headers,
        body,
        callerLookup,
        auditSink,
        value);
  }

  Request withCaller(Supplier<Caller> value) {
    return new Request(
        method, path, clientAddress, pathVariables, query, headers, body, value, auditSink, permit);
  }

  Request withAuditSink(Consumer<AuditEntry> value) {
    return new Request(
        method,
        path,
        clientAddress,
        pathVariables,
        query,
        headers,
        body,
        callerLookup,
        value,
        permit);
  }

  /** Records what the caller has just done. Call it before anything else can fail. */
  public void audit(AuditEntry entry) {
    auditSink.accept(entry);
  }

  /** The caller; throws {@link HttpProblemException} if its key is invalid. */
  public Caller caller() {
    return callerLookup.get();
  }

  /** Throws {@link HttpProblemException} unless the caller has this role. */
  public void require(Role role) {
    if (role == Role.NONE) {
      return;
    }
    Caller caller = caller();
    if (!caller.isAuthenticated()) {
      throw HttpProblemException.unauthorized(
          "this server requires an API key: send it as Authorization: Bearer pk_…", "");
    }
    if (!caller.may(role)) {
      throw HttpProblemException.of(
          HttpStatus.FORBIDDEN,
          "this request needs the role %s, which the key %s does not have"
              .formatted(role.text(), FieldError.sanitize(caller.name())));
    }
  }

  /** The value of this variable of the route's pattern. */
  public String pathVariable(String name) {
    String value = pathVariables.get(name);
    if (value == null) {
      throw new IllegalArgumentException(
          "the route of " + path + " has no variable {" + name + "}");
    }
    return value;
  }

  /** True if the request has a body. */
  public boolean hasBody() {
    return headers.has("Transfer-Encoding")
        || !headers.first("Content-Length").orElse("0").strip().equals("0");
  }

  /** The body as JSON. */
  public JsonNode json() {
    return JsonBody.parse(body.read());
  }
}
