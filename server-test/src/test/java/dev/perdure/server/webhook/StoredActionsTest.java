// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.webhook.action.ActionTrigger;
import dev.perdure.server.webhook.encryption.EncryptionKeys;
import dev.perdure.server.webhook.encryption.SecretEncryptor;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

class StoredActionsTest {

  private static final String KEY = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";
  private static final ObjectNode GIVEN =
      (ObjectNode)
          JsonMapper.shared()
              .readTree(
                  """
                  {"on_start": {"params": {"url": "http://a.b/", "body": "psst"}},
                   "on_success": [{"params": {"url": "http://c.d/", "body": "%s"}},
                                  {"params": {"url": "http://e.f/", "body": "hush"}}]}"""
                      .formatted("x".repeat(100_000)));

  private static StoredActions with(String keys) {
    return new StoredActions(
        new SecretEncryptor(EncryptionKeys.parse(keys), new SplittableRandom(3)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", KEY})
  void actions_are_read_as_they_were_submitted(String keys) {
    StoredActions actions = with(keys);
    JsonNode stored = StoredActions.parse(actions.serialize(GIVEN));

    assertThat(stored.toString().contains("psst")).isEqualTo(keys.isEmpty());
    assertThat(actions.action(stored, ActionTrigger.START, 0)).isEqualTo(GIVEN.get("on_start"));
    assertThat(StoredActions.count(stored, ActionTrigger.SUCCESS)).isEqualTo(2);
    assertThat(StoredActions.count(stored, ActionTrigger.RETRY)).isZero();
    assertThat(actions.action(stored, ActionTrigger.SUCCESS, 1))
        .isEqualTo(GIVEN.get("on_success").get(1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", KEY})
  void a_selected_action_contains_nothing_of_the_others(String keys) {
    StoredActions actions = with(keys);
    JsonNode selected =
        StoredActions.select(
            StoredActions.parse(actions.serialize(GIVEN)), ActionTrigger.SUCCESS, 1);

    assertThat(selected.toString()).hasSizeLessThan(500);
    assertThat(actions.action(selected, ActionTrigger.SUCCESS, 0))
        .isEqualTo(GIVEN.get("on_success").get(1));
    assertThat(StoredActions.redacted(selected.toString()).get("on_success"))
        .hasToString("[{\"params\":{\"url\":\"http://e.f/\",\"body\":\"…\"}}]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", KEY})
  void whether_a_summary_is_sent_is_known_without_a_key(String keys) {
    assertThat(sendsSummary(keys, ActionTrigger.FAILURE, "\"verb\": \"Post\"")).isTrue();
    assertThat(sendsSummary(keys, ActionTrigger.RETRY, "\"verb\": \"put\", \"body\": null"))
        .isTrue();
    assertThat(sendsSummary(keys, ActionTrigger.FAILURE, "\"verb\": \"Post\", \"body\": {}"))
        .isFalse();
    assertThat(sendsSummary(keys, ActionTrigger.FAILURE, "\"verb\": \"get\"")).isFalse();
    assertThat(sendsSummary(keys, ActionTrigger.CANCEL, "\"verb\": \"Post\"")).isTrue();
    assertThat(sendsSummary(keys, ActionTrigger.CANCEL, "\"verb\": \"Delete\"")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", KEY})
  void notifications_are_read_without_a_key_and_apart_from_webhooks(String keys) {
    JsonNode notify = JsonMapper.shared().readTree("[{\"on\": [\"retry\"], \"channel\": \"ops\"}]");
    ObjectNode both = GIVEN.deepCopy();
    both.set("notify", notify);
    String stored = with(keys).serialize(both);

    assertThat(StoredActions.notifications(stored)).isEqualTo(notify);
    assertThat(StoredActions.redacted(stored).propertyNames())
        .containsExactly("on_start", "on_success");
    assertThat(StoredActions.notifications(with(keys).serialize(GIVEN))).isEmpty();
    assertThat(StoredActions.notifications(null)).isEmpty();
  }

  private static boolean sendsSummary(String keys, ActionTrigger trigger, String params) {
    String action = "{\"params\": {\"url\": \"http://a.b/\", %s}}".formatted(params);
    String stored = with(keys).serialize(trigger, JsonMapper.shared().readTree(action));
    return StoredActions.sendsSummary(StoredActions.parse(stored), trigger);
  }
}
