// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.policy.FieldError;
import dev.perdure.server.access.ApiKeyAuthenticator;
import dev.perdure.server.access.ApiKeys;
import dev.perdure.server.access.BufferedAuditLog;
import dev.perdure.server.access.IssuedApiKey;
import dev.perdure.server.access.Sessions;
import dev.perdure.server.config.Configuration;
import dev.perdure.server.http.AuditEntry;
import dev.perdure.server.http.HttpProblemException;
import dev.perdure.server.http.HttpStatus;
import dev.perdure.server.http.Request;
import dev.perdure.server.http.Response;
import dev.perdure.store.jdbc.access.ApiKeyStore;
import dev.perdure.store.jdbc.access.AuditStore;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Creates, lists and revokes API keys, and shows the audit log. */
public final class AccessRoutes {

  private final ApiKeys apiKeys;
  private final ApiKeyAuthenticator authenticator;
  private final Sessions sessions;
  private final BufferedAuditLog auditLog;
  private final ApiLimits limits;

  public AccessRoutes(
      ApiKeys apiKeys,
      ApiKeyAuthenticator authenticator,
      Sessions sessions,
      BufferedAuditLog auditLog,
      Configuration configuration) {
    this.apiKeys = apiKeys;
    this.authenticator = authenticator;
    this.sessions = sessions;
    this.auditLog = auditLog;
    this.limits = ApiLimits.of(configuration);
  }

  /** Creates a key. This is the only response that contains the secret. */
  Response create(Request request) {
    BodyReader body = BodyReader.of(request);
    String name = Objects.requireNonNullElse(body.text("name"), "");
    List<String> roles = body.texts("roles", ApiKeys.MAX_ROLES);
    Duration validity = body.duration("expires_after");
    body.alsoCheck(() -> apiKeys.check(name, roles, validity));
    body.requireValid();

    IssuedApiKey issued = apiKeys.create(name, roles, validity);
    authenticator.invalidate();
    ObjectNode json = AccessJson.of(issued.key());
    request.audit(
        new AuditEntry("key create", issued.key().id(), AccessJson.summary(issued.key())));
    return Response.json(HttpStatus.CREATED, json.put("key", issued.secret()));
  }

  Response list(Request request) {
    ArrayNode json = JsonNodeFactory.instance.arrayNode();
    apiKeys.list().forEach(key -> json.add(AccessJson.of(key)));
    return Response.ok(json);
  }

  /** Revokes a key. Revoking it again succeeds. */
  Response revoke(Request request) {
    String id = request.pathVariable("id");
    AuditEntry entry = new AuditEntry("key revoke", id, AccessJson.summary(key(id)));
    try {
      AuditedCommands.runAndRecord(request, entry, () -> apiKeys.revoke(id));
    } finally {
      authenticator.invalidate();
      sessions.forgetAll();
    }
    return Response.ok(AccessJson.of(key(id)));
  }

  private ApiKeyStore.ApiKey key(String id) {
    return apiKeys.list().stream()
        .filter(key -> key.id().equals(id))
        .findFirst()
        .orElseThrow(
            () ->
                HttpProblemException.notFound(
                    "there is no API key '%s'".formatted(FieldError.sanitize(id))));
  }

  Response audit(Request request) {
    AuditQuery query = AuditQuery.of(request.query(), limits);
    List<AuditStore.StoredAuditEntry> found =
        auditLog.list(query.before(), query.subject(), query.pageSize() + 1);
    boolean more = found.size() > query.pageSize();
    List<AuditStore.StoredAuditEntry> page = more ? found.subList(0, query.pageSize()) : found;
    ArrayNode json = JsonNodeFactory.instance.arrayNode();
    page.forEach(stored -> json.add(AccessJson.of(stored)));
    Response response = Response.ok(json);
    return more
        ? response.withHeader(
            "Link", LinkHeader.next(request, Long.toString(page.getLast().number())))
        : response;
  }
}
