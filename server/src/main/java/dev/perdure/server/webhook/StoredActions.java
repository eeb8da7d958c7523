// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook;

import dev.perdure.server.webhook.action.ActionTrigger;
import dev.perdure.server.webhook.encryption.SecretEncryptor;
import dev.perdure.server.webhook.send.HttpMethod;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Converts a task's actions to and from the text that the task stores: a JSON object with the
 * fields {@code on_start}, {@code on_success} and so on, as they were submitted. When there is an
 * encryption key, each action is encrypted, and a redacted copy is stored beside it. Safe to share.
 */
public final class StoredActions {

  /** The field with the notifications, and the trigger of their deliveries. */
  public static final String NOTIFY = "notify";

  private static final String ENCRYPTED = "encrypted";
  private static final String REDACTED = "redacted";

  private static final JsonMapper MAPPER =
      JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();

  private final SecretEncryptor encryptor;

  public StoredActions(SecretEncryptor encryptor) {
    this.encryptor = encryptor;
  }

  /** The text to store. */
  public String serialize(ObjectNode given) {
    if (!encryptor.isEnabled()) {
      return given.toString();
    }
    ObjectNode stored = JsonNodeFactory.instance.objectNode();
    stored.set(REDACTED, RedactedActions.of(given));
    ObjectNode encrypted = stored.putObject(ENCRYPTED);
    for (ActionTrigger trigger : ActionTrigger.values()) {
      list(given, trigger)
          .forEach(
              action ->
                  encrypted.withArray(trigger.field()).add(encryptor.encrypt(action.toString())));
    }
    return stored.toString();
  }

  /** The text to store for a single action. */
  String serialize(ActionTrigger trigger, JsonNode action) {
    ObjectNode given = JsonNodeFactory.instance.objectNode();
    given.putArray(trigger.field()).add(action);
    return serialize(given);
  }

  /**
   * The actions without anything that may be secret: no header values, no bodies, no query strings,
   * and only plain words of URL paths.
   */
  public static JsonNode redacted(@Nullable String stored) {
    if (stored == null) {
      return JsonNodeFactory.instance.nullNode();
    }
    JsonNode json = MAPPER.readTree(stored);
    ObjectNode actions =
        json.has(ENCRYPTED) ? (ObjectNode) json.get(REDACTED) : RedactedActions.of(json);
    actions.remove(NOTIFY);
    return actions.isEmpty() ? JsonNodeFactory.instance.nullNode() : actions;
  }

  /** The notifications as they were submitted; an empty array when there are none. */
  public static ArrayNode notifications(@Nullable String stored) {
    JsonNode found = stored == null ? null : readable(MAPPER.readTree(stored)).get(NOTIFY);
    return found instanceof ArrayNode array ? array : JsonNodeFactory.instance.arrayNode();
  }

  /** The number of actions of this trigger. Needs no key. */
  static int count(JsonNode stored, ActionTrigger trigger) {
    return list(readable(stored), trigger).size();
  }

  /** True when the first action of this trigger sends a summary of the task. Needs no key. */
  static boolean sendsSummary(JsonNode stored, ActionTrigger trigger) {
    JsonNode params = list(readable(stored), trigger).getFirst().path("params");
    Optional<HttpMethod> verb = HttpMethod.of(params.path("verb").asString(""));
    return verb.filter(trigger::sendsSummary).isPresent() && !params.hasNonNull("body");
  }

  private static JsonNode readable(JsonNode stored) {
    return stored.has(ENCRYPTED) ? stored.get(REDACTED) : stored;
  }

  static JsonNode parse(String stored) {
    return MAPPER.readTree(stored);
  }

  /**
   * One action of this trigger, as it was submitted.
   *
   * @throws IllegalStateException when it is encrypted and no key decrypts it
   */
  JsonNode action(JsonNode stored, ActionTrigger trigger, int index) {
    if (!stored.has(ENCRYPTED)) {
      return list(stored, trigger).get(index);
    }
    JsonNode encrypted = list(stored.get(ENCRYPTED), trigger).get(index);
    return MAPPER.readTree(encryptor.decrypt(encrypted.stringValue()));
  }

  /** A single action in the same stored form. Needs no key. */
  static JsonNode select(JsonNode stored, ActionTrigger trigger, int index) {
    if (!stored.has(ENCRYPTED)) {
      return only(stored, trigger, index);
    }
    ObjectNode one = JsonNodeFactory.instance.objectNode();
    one.set(REDACTED, only(stored.get(REDACTED), trigger, index));
    one.set(ENCRYPTED, only(stored.get(ENCRYPTED), trigger, index));
    return one;
  }

  private static ObjectNode only(JsonNode actions, ActionTrigger trigger, int index) {
    ObjectNode one = JsonNodeFactory.instance.objectNode();
    one.putArray(trigger.field()).add(list(actions, trigger).get(index));
    return one;
  }

  private static List<JsonNode> list(JsonNode actions, ActionTrigger trigger) {
    JsonNode found = actions.get(trigger.field());
    List<JsonNode> list = new ArrayList<>();
    if (found instanceof ArrayNode array) {
      array.forEach(list::add);
    } else if (found != null && found.isObject()) {
      list.add(found);
    }
    return list;
  }
}
