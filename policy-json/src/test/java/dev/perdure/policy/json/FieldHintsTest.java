// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.json;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.policy.FieldError;
import dev.perdure.policy.InvalidPolicyException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** A hint for an unknown field can be followed: the field that it names is not refused there. */
class FieldHintsTest {

  private static final int SEEDS = 200;
  private static final Pattern HINT = Pattern.compile("did you mean '(\\w+)'\\?");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"max_retries": 3, "max_delay_secs": 9, "max_delays": 5} | max_delays
          {"max_retries": 3, "initial_delay_secs": 5, "backof": {}} | backof
          {"max_retries": 3, "max_retry": 5} | max_retry
          {"max_attemps": 3} | max_attemps
          {"delay_minute": 3} | delay_minute
          {"strategy": "immediate", "delay_second": 5} | delay_second
          {"strategy": "immediate", "retry_strateg": "immediate"} | retry_strateg
          {"preset": "http", "expires_after": "1d", "expire_at": "2030-01-01T00:00:00Z"} | expire_at
          {"backoff": {"type": "fixed", "delay": "1s", "dellay": "1s"}} | backoff.dellay
          {"strategy": "custom", "custom_schedule": {"attempts": \
          [{"attempt": 1, "delay_days": 1, "delay_hour": 2}]}} \
          | custom_schedule.attempts[0].delay_hour
          """)
  void names_no_field_that_is_refused(String text, String path) {
    assertThat(errorsOf(JsonMapper.shared().readTree(text)))
        .filteredOn(error -> error.path().equals(path))
        .singleElement()
        .satisfies(error -> assertThat(error.message()).doesNotContain("did you mean"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"max_retrys": 3} | max_retries
          {"strateg": "immediate", "max_attempts": 3} | strategy
          {"backof": {"type": "immediate"}, "max_retries": 3} | backoff
          {"max_retries": 3, "max_delay_sec": 5} | max_delay_secs
          {"strategy": "fixed_delay", "delay_second": 5} | delay_seconds
          {"preset": "http", "maxDelay": "5m"} | max_delay
          """)
  void names_a_field_that_is_allowed(String text, String field) {
    assertThat(errorsOf(JsonMapper.shared().readTree(text)))
        .anyMatch(error -> error.message().contains("did you mean '" + field + "'?"));
  }

  @Test
  void can_be_followed_in_every_misspelled_document() {
    int hints = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      JsonNode tree = JsonMapper.shared().readTree(document(seed));
      if (tree instanceof ObjectNode object) {
        for (String field : List.copyOf(object.propertyNames())) {
          for (String wrong : misspelled(field)) {
            ObjectNode document = renamed(object, field, wrong);
            for (FieldError error : errorsOf(document)) {
              hints += follow(document, error);
            }
          }
        }
      }
    }
    assertThat(hints).isGreaterThan(SEEDS);
  }

  private static String document(long seed) {
    return seed % 2 == 0
        ? RandomDialects.of(seed).text()
        : PolicyJson.write(RandomJsonPolicies.of(seed)).toString();
  }

  private static List<String> misspelled(String field) {
    return List.of(field + "s", field.substring(1), field.replace("delay", "delays"));
  }

  /** Returns 1 if the error has a hint, after checking that it can be followed. */
  private static int follow(ObjectNode document, FieldError error) {
    Matcher hint = HINT.matcher(error.message());
    if (!document.has(error.path()) || !hint.find()) {
      return 0;
    }
    String suggested = hint.group(1);
    ObjectNode followed = renamed(document, error.path(), suggested);
    assertThat(followed.size()).as("%s given twice", suggested).isEqualTo(document.size());
    assertThat(errorsOf(followed))
        .as("%s in %s", error, document)
        .noneMatch(
            next ->
                next.path().equals(suggested)
                    && next.message()
                        .matches(
                            "(unknown field|belongs to|two forms|is used by|is the same field).*"));
    return 1;
  }

  private static ObjectNode renamed(ObjectNode object, String from, String to) {
    ObjectNode renamed = JsonNodeFactory.instance.objectNode();
    object
        .propertyStream()
        .forEach(
            field ->
                renamed.set(field.getKey().equals(from) ? to : field.getKey(), field.getValue()));
    return renamed;
  }

  private static List<FieldError> errorsOf(JsonNode json) {
    try {
      PolicyJson.read(json);
      return new ArrayList<>();
    } catch (InvalidPolicyException e) {
      return e.errors();
    }
  }
}
