// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import dev.perdure.policy.DurationText;
import java.net.URI;
import java.time.Duration;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** A webhook of a task: immutable, each method returns a changed copy. */
public final class Webhook {

  private final ObjectNode params;

  private Webhook(ObjectNode params) {
    this.params = params;
  }

  /** A POST to this URL. */
  public static Webhook post(URI url) {
    return of("Post", url);
  }

  /**
   * A request to this URL.
   *
   * @param verb {@code Get}, {@code Post}, {@code Put}, {@code Patch} or {@code Delete}
   */
  public static Webhook of(String verb, URI url) {
    return new Webhook(
        JsonNodeFactory.instance.objectNode().put("url", url.toString()).put("verb", verb));
  }

  private Webhook with(String name, String value) {
    return new Webhook(params.deepCopy().put(name, value));
  }

  /** The body; may contain templates such as {@code {{task.id}}}. */
  public Webhook body(String template) {
    return with("body", template);
  }

  public Webhook header(String name, String value) {
    ObjectNode copy = params.deepCopy();
    copy.withObject("headers").put(name, value);
    return new Webhook(copy);
  }

  /** How long the whole call may take. */
  public Webhook timeout(Duration value) {
    return with("timeout", DurationText.format(value));
  }

  /**
   * For {@code on_start}: the response is the result of the attempt. Otherwise the callee reports
   * it later, through its handle.
   */
  public Webhook completesWithResponse() {
    return with("completion", "response");
  }

  static ArrayNode toJson(Webhook... webhooks) {
    ArrayNode array = JsonNodeFactory.instance.arrayNode();
    for (Webhook webhook : webhooks) {
      array.add(webhook.toJson());
    }
    return array;
  }

  ObjectNode toJson() {
    ObjectNode json = JsonNodeFactory.instance.objectNode().put("kind", "Webhook");
    json.set("params", params);
    return json;
  }
}
