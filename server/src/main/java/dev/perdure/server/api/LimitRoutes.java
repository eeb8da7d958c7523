// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.Engine;
import dev.perdure.engine.NewTask;
import dev.perdure.engine.query.LimitReader;
import dev.perdure.engine.query.LimitReader.LimitUsage;
import dev.perdure.engine.spi.LimitKeys;
import dev.perdure.engine.spi.LimitRules;
import dev.perdure.engine.task.Limit;
import dev.perdure.engine.task.LimitType;
import dev.perdure.engine.task.StoreException;
import dev.perdure.policy.json.JsonValueReader;
import dev.perdure.server.http.AuditEntry;
import dev.perdure.server.http.Request;
import dev.perdure.server.http.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Lists limits, and changes those of tasks. */
final class LimitRoutes {

  private final Engine engine;
  private final ApiLimits limits;

  LimitRoutes(Engine engine, ApiLimits limits) {
    this.engine = engine;
    this.limits = limits;
  }

  /** A page of limits in the order of their keys. */
  Response list(Request request) {
    LimitQuery query = LimitQuery.of(request.query(), limits);
    int wanted = query.pageSize() + 1;
    String kind = query.kind();
    List<LimitUsage> found =
        kind == null
            ? engine.limits().list(query.after(), wanted)
            : ofKind(kind, query.after(), wanted);
    List<LimitUsage> page = LimitReader.page(found, query.pageSize());
    boolean more = found.size() > page.size();
    ArrayNode json = JsonNodeFactory.instance.arrayNode();
    page.forEach(limit -> json.add(LimitJson.of(limit)));
    Response response = Response.ok(json);
    return more
        ? response.withHeader("Link", LinkHeader.next(request, page.getLast().key()))
        : response;
  }

  /** Gives the live tasks of one kind in a batch other limits. */
  Response change(Request request) {
    UUID batch = BatchRoutes.id(request);
    BodyReader body = BodyReader.of(request);
    JsonValueReader kind = body.required("kind");
    String name = kind == null ? null : kindOf(kind);
    JsonValueReader rules = body.required("rules");
    List<Limit> read = rules == null || rules.isNull() ? List.of() : LimitRules.read(rules, name);
    body.requireValid();
    String ofKind = Objects.requireNonNull(name);
    JsonValueReader given = Objects.requireNonNull(rules);
    AuditEntry entry = AuditEntry.of("change rules", batch.toString());
    int changed;
    try {
      changed = engine.limits().change(batch, ofKind, read, given.json());
    } catch (NoSuchElementException missing) {
      throw BatchRoutes.unknown(batch);
    } catch (IllegalArgumentException e) {
      reportCapacity(given, read, e);
      throw e;
    } catch (StoreException e) {
      request.audit(entry.withUnknownOutcome()); // A part of the tasks may have changed.
      throw e;
    }
    request.audit(entry);
    return Response.ok(
        JsonNodeFactory.instance
            .objectNode()
            .put("batch_id", batch.toString())
            .put("kind", ofKind)
            .put("updated_count", changed));
  }

  /** A task has no expected count, so nothing was changed. */
  private static void reportCapacity(
      JsonValueReader rules, List<Limit> limits, IllegalArgumentException refused) {
    for (int i = 0; i < limits.size(); i++) {
      if (limits.get(i).rule().type() == LimitType.CAPACITY) {
        String path = "%s[%d]".formatted(rules.path(), i);
        rules.errors().add(path, RejectedArgument.of(refused).message());
      }
    }
    rules.errors().throwIfAny();
  }

  private static @Nullable String kindOf(JsonValueReader kind) {
    String name = kind.text();
    try {
      if (name != null) {
        NewTask.of(name, null); // Checks the kind.
      }
      return name;
    } catch (IllegalArgumentException e) {
      kind.addError(RejectedArgument.of(e).message());
      return null;
    }
  }

  /** The limits of a kind are next to each other, in two places for each type. */
  private List<LimitUsage> ofKind(String kind, String after, int wanted) {
    List<LimitUsage> found = new ArrayList<>();
    Stream.of(LimitType.values())
        .flatMap(
            type -> Stream.of(LimitKeys.prefix(type, kind), LimitKeys.prefixOfKind(type, kind)))
        .sorted(LimitReader.KEY_ORDER)
        .filter(prefix -> found.size() < wanted)
        .forEachOrdered(prefix -> found.addAll(startingWith(prefix, after, wanted - found.size())));
    return found;
  }

  private List<LimitUsage> startingWith(String prefix, String after, int wanted) {
    boolean passed = LimitReader.KEY_ORDER.compare(after, prefix) > 0 && !after.startsWith(prefix);
    return passed
        ? List.of()
        : engine.limits().list(after.startsWith(prefix) ? after : prefix, wanted).stream()
            .filter(limit -> limit.key().startsWith(prefix))
            .toList();
  }
}
