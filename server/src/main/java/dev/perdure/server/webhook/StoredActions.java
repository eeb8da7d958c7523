// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook;

import dev.perdure.server.webhook.action.Trigger;
import dev.perdure.server.webhook.encryption.SecretEncryptor;
import dev.perdure.server.webhook.send.Verb;
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
 * Actions as a task keeps them: a JSON object with the fields {@code on_start}, {@code on_success}
 * and so on, as they were given. Where there is a key, each action is sealed, and what may be shown
 * stands beside them. Safe to share.
 */
public final class StoredActions {

  private static final String SEALED = "sealed";
  private static final String SHOWN = "shown";

  private static final JsonMapper MAPPER =
      JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();

  private final SecretEncryptor encryptor;

  public StoredActions(SecretEncryptor encryptor) {
    this.encryptor = encryptor;
  }

  /** The text to keep. */
  public String serialize(ObjectNode given) {
    if (!encryptor.isEnabled()) {
      return given.toString();
    }
    ObjectNode kept = JsonNodeFactory.instance.objectNode();
    kept.set(SHOWN, RedactedActions.of(given));
    ObjectNode sealed = kept.putObject(SEALED);
    for (Trigger trigger : Trigger.values()) {
      list(given, trigger)
          .forEach(
              action ->
                  sealed.withArray(trigger.field()).add(encryptor.encrypt(action.toString())));
    }
    return kept.toString();
  }

  /** The text of one action. */
  String serialize(Trigger trigger, JsonNode action) {
    ObjectNode given = JsonNodeFactory.instance.objectNode();
    given.putArray(trigger.field()).add(action);
    return serialize(given);
  }

  /**
   * What may be shown of the actions: no headers' values, no bodies, no queries of URLs, and of
   * their paths only words.
   */
  public static JsonNode redacted(@Nullable String kept) {
    if (kept == null) {
      return JsonNodeFactory.instance.nullNode();
    }
    JsonNode json = MAPPER.readTree(kept);
    return json.has(SEALED) ? json.get(SHOWN) : RedactedActions.of(json);
  }

  /** How many actions this trigger has; needs no key. */
  static int count(JsonNode kept, Trigger trigger) {
    return list(readable(kept), trigger).size();
  }

  /** True when the first action of this trigger sends a summary of the task; needs no key. */
  static boolean sendsSummary(JsonNode kept, Trigger trigger) {
    JsonNode params = list(readable(kept), trigger).getFirst().path("params");
    Optional<Verb> verb = Verb.of(params.path("verb").asString(""));
    boolean takesBody = verb.filter(Verb::takesBody).isPresent();
    return trigger.sendsSummary() && takesBody && !params.hasNonNull("body");
  }

  private static JsonNode readable(JsonNode kept) {
    return kept.has(SEALED) ? kept.get(SHOWN) : kept;
  }

  static JsonNode parse(String kept) {
    return MAPPER.readTree(kept);
  }

  /**
   * One action of this trigger as it was given.
   *
   * @throws IllegalStateException when it is sealed and no key opens it
   */
  JsonNode action(JsonNode kept, Trigger trigger, int index) {
    if (!kept.has(SEALED)) {
      return list(kept, trigger).get(index);
    }
    JsonNode sealed = list(kept.get(SEALED), trigger).get(index);
    return MAPPER.readTree(encryptor.decrypt(sealed.stringValue()));
  }

  /** This action alone, kept in the same way; needs no key. */
  static JsonNode select(JsonNode kept, Trigger trigger, int index) {
    if (!kept.has(SEALED)) {
      return only(kept, trigger, index);
    }
    ObjectNode one = JsonNodeFactory.instance.objectNode();
    one.set(SHOWN, only(kept.get(SHOWN), trigger, index));
    one.set(SEALED, only(kept.get(SEALED), trigger, index));
    return one;
  }

  private static ObjectNode only(JsonNode actions, Trigger trigger, int index) {
    ObjectNode one = JsonNodeFactory.instance.objectNode();
    one.putArray(trigger.field()).add(list(actions, trigger).get(index));
    return one;
  }

  private static List<JsonNode> list(JsonNode clear, Trigger trigger) {
    JsonNode found = clear.get(trigger.field());
    List<JsonNode> actions = new ArrayList<>();
    if (found instanceof ArrayNode array) {
      array.forEach(actions::add);
    } else if (found != null && found.isObject()) {
      actions.add(found);
    }
    return actions;
  }
}
