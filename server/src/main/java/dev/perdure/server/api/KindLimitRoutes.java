// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.Engine;
import dev.perdure.engine.NewTask;
import dev.perdure.engine.spi.KindLimitJson;
import dev.perdure.engine.spi.LimitKeys;
import dev.perdure.engine.task.KindLimit;
import dev.perdure.engine.task.Limit;
import dev.perdure.engine.task.StoreException;
import dev.perdure.policy.FieldError;
import dev.perdure.policy.FieldErrors;
import dev.perdure.policy.InstantText;
import dev.perdure.policy.json.JsonValueReader;
import dev.perdure.server.http.AuditEntry;
import dev.perdure.server.http.HttpProblemException;
import dev.perdure.server.http.Request;
import dev.perdure.server.http.Response;
import java.util.List;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Shows, sets and removes the limits of all tasks of a kind. */
final class KindLimitRoutes {

  private final Engine engine;

  KindLimitRoutes(Engine engine) {
    this.engine = engine;
  }

  Response show(Request request) {
    return Response.ok(json(find(request.pathVariable("kind"))));
  }

  /** Replaces all limits of the kind, also those that the application or the configuration set. */
  Response set(Request request) {
    String kind = request.pathVariable("kind");
    FieldErrors errors = new FieldErrors();
    report(errors, () -> checkKind(kind));
    List<Limit> limits = KindLimitJson.read(new JsonValueReader("", request.json(), errors));
    errors.throwIfAny();
    runAndRecord(
        request,
        new AuditEntry("set limits", kind, KindLimitJson.write(limits)),
        () -> {
          report(errors, () -> engine.limits().set(kind, limits.toArray(Limit[]::new)));
          errors.throwIfAny();
        });
    return engine
        .limits()
        .find(kind)
        .map(stored -> Response.ok(json(stored)))
        .orElseThrow(
            () ->
                HttpProblemException.conflict(
                    "the limits of the kind '%s' were set, and removed at the same moment"
                        .formatted(FieldError.sanitize(kind))));
  }

  private static void checkKind(String kind) {
    NewTask.of(kind, null);
    LimitKeys.requireKind(kind);
  }

  /** The engine's own checks become field errors. */
  private static void report(FieldErrors errors, Runnable action) {
    try {
      action.run();
    } catch (IllegalArgumentException e) {
      RejectedArgument rejected = RejectedArgument.of(e);
      errors.add(rejected.field(), rejected.message());
    }
  }

  /** Removes all limits of the kind, also those that the application or the configuration set. */
  Response remove(Request request) {
    KindLimit removed = find(request.pathVariable("kind"));
    AuditEntry entry =
        new AuditEntry(
            "remove limits",
            removed.kind(),
            KindLimitJson.write(removed.limits()).put("set_by", removed.source().text()));
    runAndRecord(request, entry, () -> engine.limits().remove(removed.kind()));
    return Response.ok(json(removed));
  }

  /** Each shard is written by itself, so a part may be done when it fails. */
  private static void runAndRecord(Request request, AuditEntry entry, Runnable write) {
    try {
      write.run();
    } catch (StoreException e) {
      request.audit(entry.withUnknownOutcome());
      throw e;
    }
    request.audit(entry);
  }

  private KindLimit find(String kind) {
    return engine
        .limits()
        .find(kind)
        .orElseThrow(
            () ->
                HttpProblemException.notFound(
                    "the kind '%s' has no limits".formatted(FieldError.sanitize(kind))));
  }

  private static ObjectNode json(KindLimit limit) {
    ObjectNode json = JsonNodeFactory.instance.objectNode().put("kind", limit.kind());
    json.setAll(KindLimitJson.write(limit.limits()));
    return json.put("set_by", limit.source().text())
        .put("updated_at", InstantText.of(limit.updatedAt()));
  }
}
