// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.engine.NewTask;
import dev.perdure.engine.task.Limit;
import dev.perdure.engine.task.LimitRule;
import dev.perdure.engine.task.TaskLimit;
import dev.perdure.policy.FieldError;
import dev.perdure.policy.FieldErrors;
import dev.perdure.policy.json.JsonValueReader;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

class LimitRulesTest {

  private final FieldErrors errors = new FieldErrors();

  private List<Limit> read(String rules) {
    return LimitRules.read(
        new JsonValueReader("rules", JsonMapper.shared().readTree(rules), errors), "sync");
  }

  private Limit readOne(String rule) {
    List<Limit> limits = read("[" + rule + "]");
    assertThat(errors.list()).isEmpty();
    assertThat(limits).hasSize(1);
    return limits.getFirst();
  }

  @ParameterizedTest
  @CsvSource({
    "Concurency, max_concurency",
    "Concurrency, max_concurrency",
    "Concurency, max_concurrency",
    "Concurrency, max_concurency",
  })
  void reads_both_spellings_of_concurrency(String type, String max) {
    Limit limit =
        readOne(
            """
            {"type": "%s", "%s": 3,
             "matcher": {"kind": "sync", "status": "Running", "fields": ["tenant", "host"]}}"""
                .formatted(type, max));

    assertThat(limit.rule()).isEqualTo(LimitRule.concurrency(3));
    assertThat(limit.fields()).containsExactly("tenant", "host");
  }

  @Test
  void reads_a_capacity() {
    Limit limit = readOne("{\"type\": \"Capacity\", \"max_capacity\": 1000000}");

    assertThat(limit.rule()).isEqualTo(LimitRule.capacity(1_000_000));
    assertThat(limit.fields()).isEmpty();
  }

  @Test
  void reads_a_rate_with_and_without_a_burst() {
    assertThat(readOne("{\"type\": \"Rate\", \"max_starts\": 10, \"per\": \"1m\"}").rule())
        .isEqualTo(LimitRule.rate(10, Duration.ofMinutes(1), 1));
    assertThat(
            readOne("{\"type\": \"Rate\", \"max_starts\": 10, \"per\": \"5s\", \"burst\": 10}")
                .rule())
        .isEqualTo(LimitRule.rate(10, Duration.ofSeconds(5), 10));
  }

  @ParameterizedTest
  @ValueSource(strings = {"Running", "Claimed", "running", "claimed"})
  void accepts_the_states_that_count(String status) {
    readOne(concurrency("\"matcher\": {\"status\": \"" + status + "\"}"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"matcher\": {}",
        "\"matcher\": null",
        "\"matcher\": {\"kind\": null, \"status\": null, \"fields\": null}",
        "\"matcher\": {\"fields\": []}",
      })
  void a_matcher_is_optional(String matcher) {
    assertThat(readOne(concurrency(matcher)).fields()).isEmpty();
  }

  private static String concurrency(String more) {
    return "{\"type\": \"Concurrency\", \"max_concurrency\": 1, " + more + "}";
  }

  @Test
  void reads_no_rules_and_as_many_as_are_allowed() {
    assertThat(read("[]")).isEmpty();
    assertThat(read(rules(Limit.MAX_PER_TASK))).hasSize(Limit.MAX_PER_TASK);
    assertThat(errors.list()).isEmpty();
  }

  private static String rules(int count) {
    return Collections.nCopies(count, concurrency("\"matcher\": {}")).toString();
  }

  @Test
  void refuses_more_rules_than_are_allowed() {
    assertThat(read(rules(Limit.MAX_PER_TASK + 1))).isEmpty();
    assertErrors("rules: has 11 entries, at most 10 are allowed");
  }

  private void assertErrors(String... expected) {
    assertThat(errors.list()).extracting(FieldError::toString).containsExactly(expected);
  }

  private void assertRefused(String rule, String... expected) {
    read("[" + concurrency("\"matcher\": {}") + ", " + rule + "]");
    assertThat(errors.list()).hasSize(expected.length);
    for (int i = 0; i < expected.length; i++) {
      assertThat(errors.list().get(i).toString()).startsWith(expected[i]);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"null", "{}", "7", "\"Rate\""})
  void refuses_rules_that_are_not_an_array(String rules) {
    assertThat(read(rules)).isEmpty();
    assertThat(errors.list()).singleElement().matches(error -> error.path().equals("rules"));
  }

  @Test
  void refuses_a_rule_that_is_not_an_object() {
    assertRefused("7", "rules[1]: must be an object, not 7");
  }

  @Test
  void refuses_a_missing_or_unknown_type() {
    assertRefused("{\"max_concurrency\": 1}", "rules[1].type: is required");
  }

  @Test
  void names_the_known_types_when_the_type_is_unknown() {
    assertRefused(
        "{\"type\": \"Concurrenzy\", \"max_concurrency\": 1}",
        "rules[1].type: unknown type 'Concurrenzy'");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"type\": \"Concurrency\"} | rules[1].max_concurrency: is required",
        "{\"type\": \"Capacity\"} | rules[1].max_capacity: is required",
        "{\"type\": \"Rate\", \"per\": \"1s\"} | rules[1].max_starts: is required",
        "{\"type\": \"Rate\", \"max_starts\": 1} | rules[1].per: is required",
        "{\"type\": \"Concurency\", \"max_concurency\": 0} | rules[1].max_concurency: must be a whole",
        "{\"type\": \"Concurrency\", \"max_concurrency\": 1.5} | rules[1].max_concurrency: must be",
        "{\"type\": \"Capacity\", \"max_capacity\": 0} | rules[1].max_capacity: must be a whole",
        "{\"type\": \"Capacity\", \"max_capacity\": 1000000001} | rules[1].max_capacity: must be",
        "{\"type\": \"Capacity\", \"max_capacity\": null} | rules[1].max_capacity: must be a whole",
        "{\"type\": \"Rate\", \"max_starts\": 0, \"per\": \"1s\"} | rules[1].max_starts: must be",
        "{\"type\": \"Rate\", \"max_starts\": 1, \"per\": \"1\"} | rules[1].per: 1 has no unit",
        "{\"type\": \"Rate\", \"max_starts\": 1, \"per\": \"0s\"} | rules[1].per: must be",
        "{\"type\": \"Rate\", \"max_starts\": 1, \"per\": \"367d\"} | rules[1].per: must be",
        "{\"type\": \"Rate\", \"max_starts\": 1, \"per\": 60} | rules[1].per: 60 has no unit",
      })
  void refuses_numbers_and_periods_that_are_missing_or_out_of_range(String rule, String error) {
    assertRefused(rule, error);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 6})
  void refuses_a_burst_that_is_not_within_the_rate(int burst) {
    assertRefused(
        "{\"type\": \"Rate\", \"max_starts\": 5, \"per\": \"1s\", \"burst\": " + burst + "}",
        "rules[1].burst: must be a whole number from 1 to 5");
  }

  @Test
  void a_wrong_rate_is_reported_once() {
    assertRefused(
        "{\"type\": \"Rate\", \"max_starts\": 0, \"per\": \"1s\", \"burst\": 5}",
        "rules[1].max_starts: must be a whole number from 1");
  }

  @Test
  void refuses_another_kind_than_the_task_has() {
    assertRefused(
        concurrency("\"matcher\": {\"kind\": \"other\"}"),
        "rules[1].matcher.kind: must be the kind of the task, 'sync'");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"matcher\": 7 | rules[1].matcher: must be an object",
        "\"matcher\": {\"kind\": 7} | rules[1].matcher.kind: must be a string",
        "\"matcher\": {\"status\": \"Pending\"} | rules[1].matcher.status: unknown status 'Pending'",
        "\"matcher\": {\"fields\": \"a\"} | rules[1].matcher.fields: must be an array",
        "\"matcher\": {\"fields\": [7]} | rules[1].matcher.fields[0]: must be a string",
        "\"matcher\": {\"fields\": [\" \"]} | rules[1].matcher.fields[0]: must be the name",
        "\"matcher\": {\"fields\": [\"a\", \"a\"]} | rules[1].matcher.fields[1]: must be the name",
        "\"matcher\": {\"field\": []} | rules[1].matcher.field: unknown field",
        "\"max_capacity\": 3 | rules[1].max_capacity: unknown field",
        "\"max_concurency\": 3 | rules[1].max_concurrency: unknown field",
        "\"burst\": 3 | rules[1].burst: unknown field",
        "\"per\": \"1s\" | rules[1].per: unknown field",
      })
  void refuses_wrong_matchers_and_unknown_fields(String more, String error) {
    assertRefused(concurrency(more), error);
  }

  @Test
  void refuses_too_many_fields_and_names_that_are_too_long() {
    List<String> eleven = IntStream.range(0, 11).mapToObj(i -> "\"f" + i + "\"").toList();
    assertRefused(
        concurrency("\"matcher\": {\"fields\": " + eleven + "}"),
        "rules[1].matcher.fields: has 11 entries, at most 10 are allowed");
  }

  @ParameterizedTest
  @ValueSource(strings = {"long", "\\u0000"})
  void refuses_names_that_are_too_long_or_contain_nul(String name) {
    String field = name.equals("long") ? "x".repeat(256) : "x" + name;
    assertRefused(
        concurrency("\"matcher\": {\"fields\": [\"" + field + "\"]}"),
        "rules[1].matcher.fields[0]: must");
  }

  @Test
  void reports_the_errors_of_all_rules_at_once() {
    read("[{\"type\": \"Rate\"}, {\"type\": \"x\"}, {\"type\": \"Capacity\", \"more\": 1}]");

    assertThat(errors.list())
        .extracting(FieldError::path)
        .containsExactlyInAnyOrder(
            "rules[0].max_starts",
            "rules[0].per",
            "rules[1].type",
            "rules[2].max_capacity",
            "rules[2].more");
  }

  @Test
  void what_is_written_can_be_read() {
    List<Limit> limits =
        List.of(
            Limit.concurrency(2).per("tenant", "größe"),
            Limit.capacity(LimitRule.MAX),
            Limit.rate(3, Duration.ofMillis(1)),
            Limit.rate(100, Duration.ofDays(366)).burst(7).per("host"));
    String json = LimitRules.write(limits, "sync");

    assertThat(read(String.valueOf(json)))
        .usingRecursiveFieldByFieldElementComparator()
        .containsExactlyElementsOf(limits);
    assertThat(errors.list()).isEmpty();
    assertThat(LimitRules.write(List.of(), "sync")).isNull();
  }

  @Test
  void of_two_limits_with_the_same_key_the_last_one_counts() {
    List<TaskLimit> limits =
        LimitRules.of(
            List.of(
                Limit.concurrency(1).per("a", "b"),
                Limit.rate(1, Duration.ofHours(1)),
                Limit.concurrency(5).per("b", "a")),
            "sync",
            "{\"a\": 1}");

    assertThat(limits)
        .extracting(TaskLimit::rule)
        .containsExactly(LimitRule.concurrency(5), LimitRule.rate(1, Duration.ofHours(1), 1));
  }

  @Test
  void limits_check_what_they_are_given() {
    NewTask task = NewTask.of("sync", "x");
    assertThatThrownBy(() -> Limit.concurrency(0)).hasMessageContaining("must be 1 to");
    assertThatThrownBy(() -> Limit.capacity(LimitRule.MAX + 1)).hasMessageContaining("must be 1");
    assertThatThrownBy(() -> Limit.rate(1, Duration.ZERO)).hasMessageContaining("per: must be");
    assertThatThrownBy(() -> Limit.rate(2, Duration.ofDays(367))).hasMessageContaining("per: must");
    assertThatThrownBy(() -> Limit.rate(2, Duration.ofDays(1)).burst(3))
        .hasMessageContaining("1 to");
    assertThatThrownBy(() -> Limit.concurrency(2).burst(2)).hasMessageContaining("burst: must be");
    assertThatThrownBy(() -> Limit.concurrency(2).per("a", "a")).hasMessageContaining("different");
    assertThatThrownBy(() -> Limit.concurrency(2).per(" ")).hasMessageContaining("fields: must");
    assertThatThrownBy(() -> task.limits(Collections.nCopies(11, Limit.concurrency(1)), null))
        .hasMessageContaining("limits: must be at most 10, not 11");
  }
}
