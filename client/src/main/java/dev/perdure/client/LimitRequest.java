// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import dev.perdure.policy.DurationText;
import java.time.Duration;
import java.util.stream.Stream;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A limit on tasks that run at the same time or start within a period: immutable, each method
 * returns a changed copy.
 *
 * <pre>{@code
 * TaskRequest.of("sync").metadata(Map.of("tenant", "acme"))
 *     .limit(LimitRequest.concurrency(2).per("tenant"));
 * }</pre>
 */
public final class LimitRequest {

  private final ObjectNode json;

  private LimitRequest(ObjectNode json) {
    this.json = json;
  }

  private static LimitRequest of(String type, String field, long max) {
    return new LimitRequest(
        JsonNodeFactory.instance.objectNode().put("type", type).put(field, max));
  }

  /** At most this many tasks at the same time. */
  public static LimitRequest concurrency(int max) {
    return of("Concurrency", "max_concurrency", max);
  }

  /**
   * At most this many items in all tasks that run at the same time: the {@linkplain
   * TaskRequest#expectedCount expected count} of each, less what its attempt has done.
   */
  public static LimitRequest capacity(long maxItems) {
    return of("Capacity", "max_capacity", maxItems);
  }

  /** At most this many starts in any period of this length, evenly spread. */
  public static LimitRequest rate(int starts, Duration period) {
    LimitRequest rate = of("Rate", "max_starts", starts);
    rate.json.put("per", DurationText.format(period));
    return rate;
  }

  /** Counts tasks apart that differ in these metadata fields; a missing field is a value too. */
  public LimitRequest per(String... metadataFields) {
    ObjectNode copy = json.deepCopy();
    ArrayNode fields = copy.putObject("matcher").putArray("fields");
    Stream.of(metadataFields).forEach(fields::add);
    return new LimitRequest(copy);
  }

  /** Lets this many starts of a rate come at once after a quiet time. */
  public LimitRequest burst(int starts) {
    return new LimitRequest(json.deepCopy().put("burst", starts));
  }

  ObjectNode toJson() {
    return json.deepCopy();
  }
}
