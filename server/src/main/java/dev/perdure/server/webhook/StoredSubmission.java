// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook;

import dev.perdure.server.webhook.action.ActionTrigger;
import dev.perdure.server.webhook.encryption.SecretEncryptor;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Converts what a schedule submits to and from the text that the schedule stores: a JSON object
 * with {@code task} or {@code batch}, as it was sent. When there is an encryption key, it is
 * encrypted, and a copy without secrets is stored beside it. Safe to share.
 */
public final class StoredSubmission {

  private static final String ENCRYPTED = "encrypted";
  private static final String REDACTED = "redacted";

  private static final JsonMapper MAPPER =
      JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();

  private final SecretEncryptor encryptor;

  StoredSubmission(SecretEncryptor encryptor) {
    this.encryptor = encryptor;
  }

  /** The text to store. */
  public String serialize(ObjectNode given) {
    if (!encryptor.isEnabled()) {
      return given.toString();
    }
    ObjectNode stored = JsonNodeFactory.instance.objectNode();
    stored.set(REDACTED, withoutSecrets(given));
    return stored.put(ENCRYPTED, encryptor.encrypt(given.toString())).toString();
  }

  /**
   * What was sent.
   *
   * @throws IllegalStateException when it is encrypted and no key decrypts it
   */
  public ObjectNode parse(String stored) {
    ObjectNode json = object(stored);
    return json.has(ENCRYPTED)
        ? object(encryptor.decrypt(json.get(ENCRYPTED).stringValue()))
        : json;
  }

  /** What was sent, without anything in webhooks that may be secret. Needs no key. */
  public static ObjectNode redacted(String stored) {
    ObjectNode json = object(stored);
    return json.get(REDACTED) instanceof ObjectNode shown ? shown : withoutSecrets(json);
  }

  private static ObjectNode object(String json) {
    return (ObjectNode) MAPPER.readTree(json);
  }

  private static ObjectNode withoutSecrets(ObjectNode given) {
    ObjectNode shown = given.deepCopy();
    redactActions(shown.path("task"));
    redactActions(shown.path("batch"));
    JsonNode batch = shown.path("batch");
    JsonNode tasks = batch.isArray() ? batch : batch.path("tasks");
    if (tasks instanceof ArrayNode array) {
      array.forEach(StoredSubmission::redactActions);
    }
    return shown;
  }

  private static void redactActions(JsonNode taskOrBatch) {
    if (taskOrBatch instanceof ObjectNode fields) {
      ObjectNode actions = JsonNodeFactory.instance.objectNode();
      for (ActionTrigger trigger : ActionTrigger.values()) {
        if (fields.hasNonNull(trigger.field())) {
          actions.set(trigger.field(), fields.get(trigger.field()));
        }
      }
      fields.setAll(RedactedActions.of(actions));
    }
  }
}
