// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.policy.Problem;
import dev.perdure.server.access.Auditor;
import dev.perdure.server.access.HandedOut;
import dev.perdure.server.access.Keyring;
import dev.perdure.server.access.Keys;
import dev.perdure.server.config.Configuration;
import dev.perdure.server.http.Deed;
import dev.perdure.server.http.RefusedException;
import dev.perdure.server.http.Request;
import dev.perdure.server.http.Response;
import dev.perdure.server.http.Status;
import dev.perdure.store.jdbc.access.AuditTrail;
import dev.perdure.store.jdbc.access.KeyBook;
import java.time.Duration;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Hands out keys, takes them back, and shows what operators did. */
public final class AccessRoutes {

  private final Keys keys;
  private final Keyring keyring;
  private final Auditor auditor;
  private final TaskLimits limits;

  public AccessRoutes(Keys keys, Keyring keyring, Auditor auditor, Configuration configuration) {
    this.keys = keys;
    this.keyring = keyring;
    this.auditor = auditor;
    this.limits = TaskLimits.of(configuration);
  }

  /** The only answer that ever holds the key itself. */
  Response create(Request request) {
    Form form = Form.of(request);
    String said = form.text("name");
    String name = said == null ? "" : said;
    List<String> roles = form.texts("roles", Keys.MOST_ROLES);
    Duration validity = form.length("expires_after");
    form.also(() -> keys.check(name, roles, validity));
    form.requireRight();

    HandedOut made = keys.create(name, roles, validity);
    keyring.forget();
    ObjectNode json = AccessJson.of(made.key());
    request.did(new Deed("key create", made.key().id(), AccessJson.summary(made.key())));
    return Response.json(Status.CREATED, json.put("key", made.text()));
  }

  Response list(Request request) {
    ArrayNode json = JsonNodeFactory.instance.arrayNode();
    keys.list().forEach(key -> json.add(AccessJson.of(key)));
    return Response.ok(json);
  }

  /** Repeating it is confirmed. */
  Response revoke(Request request) {
    String id = request.variable("id");
    Deed deed = new Deed("key revoke", id, AccessJson.summary(key(id)));
    try {
      Deeds.carryOut(request, deed, () -> keys.revoke(id));
    } finally {
      keyring.forget();
    }
    return Response.ok(AccessJson.of(key(id)));
  }

  private KeyBook.Key key(String id) {
    return keys.list().stream()
        .filter(key -> key.id().equals(id))
        .findFirst()
        .orElseThrow(
            () ->
                RefusedException.notFound("there is no key '%s'".formatted(Problem.quotable(id))));
  }

  Response audit(Request request) {
    AuditQuery query = AuditQuery.of(request.query(), limits);
    List<AuditTrail.Entry> entries =
        auditor.list(query.before(), query.subject(), query.size() + 1);
    boolean more = entries.size() > query.size();
    List<AuditTrail.Entry> page = more ? entries.subList(0, query.size()) : entries;
    ArrayNode json = JsonNodeFactory.instance.arrayNode();
    page.forEach(entry -> json.add(AccessJson.of(entry)));
    Response response = Response.ok(json);
    return more
        ? response.with("Link", Links.next(request, Long.toString(page.getLast().number())))
        : response;
  }
}
