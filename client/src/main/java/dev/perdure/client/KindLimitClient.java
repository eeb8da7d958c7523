// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Limits all tasks of a kind, whatever their own limits are; see {@link PerdureClient#kindLimits}.
 * Thread-safe.
 */
public final class KindLimitClient {

  private final PerdureClient client;

  KindLimitClient(PerdureClient client) {
    this.client = client;
  }

  /**
   * Replaces the limits of a kind. Tasks that run already count. The limits hold when this method
   * returns. Repeating it is safe.
   *
   * @param limits a limit on concurrency, a rate, or both, for the same metadata fields
   * @return the limits as the server has stored them
   */
  public KindLimitInfo set(String kind, LimitRequest... limits) {
    return client.send("PUT", path(kind), body(limits)).read(KindLimitInfo::of);
  }

  /** The limits of this kind. */
  public KindLimitInfo get(String kind) {
    return client.get(path(kind), Map.of()).read(KindLimitInfo::of);
  }

  /** The same; empty when the kind has none. */
  public Optional<KindLimitInfo> find(String kind) {
    return PerdureClient.find(() -> get(kind));
  }

  /**
   * Removes all limits of a kind, however they were set. Repeating it is safe.
   *
   * @return what was removed; empty when the kind had none
   */
  public Optional<KindLimitInfo> remove(String kind) {
    return PerdureClient.find(
        () -> client.send("DELETE", path(kind), null).read(KindLimitInfo::of));
  }

  private static String path(String kind) {
    return "/limit/" + PerdureClient.encode(kind);
  }

  private static ObjectNode body(LimitRequest... limits) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    for (LimitRequest limit : limits) {
      ObjectNode json = limit.toJson();
      String field =
          switch (json.path("type").asString()) {
            case "Concurrency" -> "max_concurrency";
            case "Rate" -> "rate";
            default ->
                throw new IllegalArgumentException(
                    "limits: a kind can have a limit on concurrency and a rate, but not on"
                        + " capacity: only tasks know how many items they have");
          };
      if (body.has(field)) {
        throw new IllegalArgumentException("limits: a kind can have one limit of each type");
      }
      body.set(field, json.has(field) ? json.get(field) : json.without("type").without("matcher"));
    }
    body.set("fields", fields(limits));
    return body;
  }

  /** The metadata fields, which are the same for all limits of a kind. */
  private static JsonNode fields(LimitRequest... limits) {
    return Stream.of(limits)
        .map(limit -> limit.toJson().path("matcher").path("fields"))
        .map(fields -> fields.isArray() ? fields : JsonNodeFactory.instance.arrayNode())
        .reduce(
            (one, other) -> {
              if (!one.equals(other)) {
                throw new IllegalArgumentException(
                    "limits: all limits of a kind must count by the same metadata fields");
              }
              return one;
            })
        .orElseThrow(
            () -> new IllegalArgumentException("limits: must have a limit; use remove for none"));
  }
}
