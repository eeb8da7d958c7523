// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.spi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.task.LimitRule;
import dev.perdure.engine.task.LimitType;
import dev.perdure.engine.task.TaskLimit;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LimitKeysTest {

  private static String key(List<String> fields, @Nullable String metadata) {
    return LimitKeys.of(LimitType.CONCURRENCY, "sync", fields, metadata);
  }

  /** The key of one field with this value. */
  private static String key(String value) {
    return key(List.of("x"), "{\"x\": " + value + "}");
  }

  @Test
  void a_key_shows_the_type_the_kind_and_the_values() {
    assertThat(key(List.of("tenant"), "{\"tenant\": \"acme\", \"other\": 1}"))
        .isEqualTo("concurrency:sync[tenant=\"acme\"]");
    assertThat(LimitKeys.of(LimitType.RATE, "sync", List.of(), null)).isEqualTo("rate:sync[]");
  }

  @ParameterizedTest
  @CsvSource({
    "10, 10",
    "42000, 42000",
    "-100.0, -100",
    "0.5, 0.5",
    "1e400, 1E+400",
    "1e-999999, 1E-999999"
  })
  void a_key_shows_numbers_as_people_write_them(String value, String shown) {
    assertThat(key(value)).isEqualTo("concurrency:sync[x=" + shown + "]");
  }

  @Test
  void without_fields_metadata_makes_no_difference() {
    assertThat(key(List.of(), null)).isEqualTo(key(List.of(), "{\"x\": 1}"));
  }

  @Test
  void the_order_of_the_fields_makes_no_difference() {
    String metadata = "{\"a\": 1, \"b\": 2}";

    assertThat(key(List.of("a", "b"), metadata)).isEqualTo(key(List.of("b", "a"), metadata));
  }

  @Test
  void types_and_kinds_have_different_keys() {
    assertThat(
            Stream.of(LimitType.values())
                .flatMap(
                    type ->
                        Stream.of("a", "b").map(kind -> LimitKeys.of(type, kind, List.of(), null))))
        .doesNotHaveDuplicates();
  }

  @Test
  void an_absent_field_is_equal_to_itself_and_to_nothing_else() {
    List<String> fields = List.of("x");

    assertThat(key(fields, null)).isEqualTo(key(fields, "{}")).isEqualTo(key(fields, "{\"y\": 1}"));
    assertThat(
            Stream.of(key(fields, null), key("null"), key("\"-\""), key("\"null\""), key("\"\"")))
        .doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1 | 1.0",
        "1 | 10e-1",
        "100 | 1e2",
        "0 | -0.0",
        "0 | 0e5",
        "0.1 | 0.10",
        "12345678901234567890 | 12345678901234567890.0",
        "[1, 2] | [1.0,2.00]",
        "{\"a\": 1, \"b\": {\"c\": 2, \"d\": 3}} | {\"b\": {\"d\": 3.0, \"c\": 2}, \"a\": 1}",
        "\"\\u00e4\" | \"ä\"",
      })
  void the_same_value_has_the_same_key_however_it_is_written(String one, String other) {
    assertThat(key(one)).isEqualTo(key(other));
  }

  @Test
  void different_values_have_different_keys() {
    assertThat(
            Stream.of(
                    "1",
                    "\"1\"",
                    "1.00000000000000000001",
                    "12345678901234567891",
                    "12345678901234567892",
                    "true",
                    "\"true\"",
                    "null",
                    "[]",
                    "{}",
                    "[1,2]",
                    "[2,1]",
                    "[[1],2]",
                    "[\"1,2\"]",
                    "{\"a\":1}",
                    "{\"a\":1,\"b\":null}",
                    "\"{\\\"a\\\":1}\"",
                    "\"a\"",
                    "\"A\"")
                .map(LimitKeysTest::key))
        .doesNotHaveDuplicates();
  }

  @Test
  void no_value_can_pass_for_another_field() {
    assertThat(key(List.of("a"), "{\"a\": \"1\\\",b=\\\"2\"}"))
        .isNotEqualTo(key(List.of("a", "b"), "{\"a\": \"1\", \"b\": \"2\"}"));
    assertThat(key(List.of("a=1,b"), "{}")).isNotEqualTo(key(List.of("a", "b"), "{\"a\": 1}"));
  }

  @Test
  void no_kind_can_pass_for_a_field() {
    assertThat(LimitKeys.of(LimitType.RATE, "a[x=1]", List.of(), null))
        .isNotEqualTo(LimitKeys.of(LimitType.RATE, "a", List.of("x"), "{\"x\": 1}"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\nb", "a\rb", "a\"b", "a:b", "a[b]", "läuft 💶", " a ", "a=b,c", "\\"})
  void odd_kinds_and_fields_have_keys_of_their_own_on_one_line(String odd) {
    String kind = LimitKeys.of(LimitType.RATE, odd, List.of(), null);
    String field = key(List.of(odd), null);

    assertThat(List.of(kind, field)).noneMatch(key -> key.contains("\n"));
    assertThat(kind).isNotEqualTo(LimitKeys.of(LimitType.RATE, odd + odd, List.of(), null));
    assertThat(field).isNotEqualTo(key(List.of(odd + odd), null));
  }

  @Test
  void keys_never_contain_what_separates_them() {
    String one = key("\"line\\nline\"");
    String other = key("{\"a\\nb\": \"\\n\"}");
    LimitRule rule = LimitRule.concurrency(1);
    List<TaskLimit> limits = List.of(new TaskLimit(one, rule), new TaskLimit(other, rule));

    assertThat(TaskLimit.keys(TaskLimit.keys(limits))).containsExactly(one, other);
    assertThat(TaskLimit.keys(List.of())).isNull();
    assertThat(TaskLimit.keys((String) null)).isEmpty();
  }

  @Test
  void long_keys_are_shortened_and_still_differ() {
    List<String> keys =
        IntStream.range(0, 100)
            .mapToObj(i -> key("\"" + "x".repeat(1_000 + i % 10) + i + "\""))
            .toList();

    assertThat(keys)
        .doesNotHaveDuplicates()
        .allMatch(key -> key.length() <= 200)
        .allMatch(key -> key.startsWith("concurrency:sync[x=\"xxx"));
    assertThat(key("\"" + "x".repeat(1_000) + "\""))
        .isEqualTo(key("\"" + "x".repeat(1_000) + "\""));
  }

  /** A database stores half a character as something else, and would not find the key again. */
  @Test
  void a_long_key_is_never_cut_within_a_character() {
    for (int length = 100; length < 110; length++) {
      String key = key("\"" + "x".repeat(length) + "💶".repeat(300) + "\"");

      assertThat(new String(key.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8))
          .isEqualTo(key);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"sync", "send email", "a:b", "a[b]=c,d", "say \"hi\"", "back\\slash", "é😀"})
  void a_key_tells_its_type_and_kind(String kind) {
    String key = LimitKeys.of(LimitType.RATE, kind, List.of("tenant"), "{\"tenant\": \"]\\\"[\"}");

    assertThat(LimitKeys.type(key)).isEqualTo(LimitType.RATE);
    assertThat(LimitKeys.kind(key)).isEqualTo(kind);
    assertThat(key).startsWith(LimitKeys.prefix(LimitType.RATE, kind));
  }

  @Test
  void keys_of_other_kinds_have_another_prefix() {
    String key = LimitKeys.of(LimitType.CONCURRENCY, "sync", List.of(), null);

    assertThat(key)
        .isEqualTo("concurrency:sync[]")
        .doesNotStartWith(LimitKeys.prefix(LimitType.CONCURRENCY, "sy"))
        .doesNotStartWith(LimitKeys.prefix(LimitType.RATE, "sync"));
  }

  @Test
  void a_long_key_is_cut_but_tells_its_kind() {
    String kind = "k".repeat(100);
    String key =
        LimitKeys.of(
            LimitType.CAPACITY, kind, List.of("f"), "{\"f\": \"%s\"}".formatted("v".repeat(99)));

    assertThat(key).hasSizeLessThanOrEqualTo(200).contains("#");
    assertThat(LimitKeys.kind(key)).isEqualTo(kind);
  }

  @Test
  void a_kind_that_fills_a_long_key_is_cut() {
    String kind = "\"".repeat(100);
    String key = LimitKeys.of(LimitType.CAPACITY, kind, List.of(), null);

    assertThat(LimitKeys.kind(key)).isNotEmpty();
    assertThat(key).startsWith(LimitKeys.prefix(LimitType.CAPACITY, kind));
  }
}
