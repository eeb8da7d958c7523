// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import dev.perdure.server.config.LogFormat;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.event.KeyValuePair;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class LogEncoderTest {

  private static final List<KeyValuePair> PAIRS =
      List.of(
          new KeyValuePair("node", "tester"),
          new KeyValuePair("task", "0198"),
          new KeyValuePair("attempt", 2));

  private static LoggingEvent event(
      Level level, String message, @Nullable Throwable thrown, Map<String, String> context) {
    LoggingEvent event =
        new LoggingEvent(
            "", new LoggerContext().getLogger("dev.perdure.engine"), level, message, thrown, null);
    event.setInstant(Instant.parse("2026-01-31T12:00:00.120Z"));
    event.setMDCPropertyMap(context);
    return event;
  }

  private static LoggingEvent error(String message, Throwable thrown) {
    return event(Level.ERROR, message, thrown, Map.of());
  }

  private static LoggingEvent event(String message, List<KeyValuePair> pairs) {
    LoggingEvent event = event(Level.INFO, message, null, Map.of());
    event.setKeyValuePairs(pairs);
    return event;
  }

  private static String encoded(LogFormat format, LoggingEvent event) {
    return new String(new LogEncoder(format).encode(event), StandardCharsets.UTF_8);
  }

  private static String encoded(LogFormat format, String message) {
    return encoded(format, event(message, PAIRS));
  }

  private static JsonNode json(LoggingEvent event) {
    String text = encoded(LogFormat.JSON, event);
    assertThat(text).endsWith("}\n").hasLineCount(1);
    return JsonMapper.shared().readTree(text);
  }

  @Test
  void only_json_lines_carry_the_trace_id() {
    LoggingEvent event = event("lost", List.of(new KeyValuePair("trace_id", "4bf9")));

    assertThat(encoded(LogFormat.TEXT, event)).endsWith("lost\n").doesNotContain("4bf9");
    assertThat(encoded(LogFormat.JSON, event)).contains("\"trace_id\":\"4bf9\"");
  }

  @Nested
  class Text {

    @Test
    void is_one_line_with_the_fields_at_its_end() {
      assertThat(encoded(LogFormat.TEXT, "task retry scheduled … in 4.0 s"))
          .isEqualTo(
              "2026-01-31T12:00:00.120Z INFO  engine: task retry scheduled … in 4.0 s"
                  + " node=tester task=0198 attempt=2\n");
    }

    @Test
    void stays_one_line_whatever_the_message_contains() {
      assertThat(encoded(LogFormat.TEXT, "boom\n2026-01-31 ERROR all is lost\u2028\u001b[2J"))
          .contains("boom\\u000a2026-01-31 ERROR all is lost\\u2028\\u001b[2J node=")
          .hasLineCount(1);
    }

    @Test
    void puts_the_stack_trace_below_the_line() {
      LoggingEvent event = error("error 7", new IllegalStateException("broken"));

      assertThat(encoded(LogFormat.TEXT, event))
          .startsWith("2026-01-31T12:00:00.120Z ERROR engine: error 7\n")
          .contains("\n  java.lang.IllegalStateException: broken\n  \tat ");
    }
  }

  @Nested
  class StackTrace {

    private static final String FORGED = "2026-01-31T12:00:00.120Z ERROR engine: all is lost";

    private List<String> lines(String message) {
      LoggingEvent event = error("error 7", new IllegalStateException(message));
      return encoded(LogFormat.TEXT, event).lines().toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"\n", "\r", "\r\n"})
    void cannot_look_like_another_log_line(String end) {
      assertThat(lines("boom" + end + FORGED).stream().skip(1))
          .allMatch(line -> line.startsWith("  "))
          .contains("  " + FORGED);
    }

    @Test
    void cannot_control_a_terminal() {
      List<String> lines = lines("boom\u001b[2J\u0007\u2028" + FORGED);

      assertThat(lines)
          .anyMatch(line -> line.endsWith("boom\\u001b[2J\\u0007\\u2028" + FORGED))
          .noneMatch(line -> line.matches(".*[\u001b\u0007\u2028].*"));
    }
  }

  @Nested
  class Json {

    @Test
    void is_an_object_with_the_fields_beside_the_message() {
      assertThat(json(event("task retry scheduled …", PAIRS)))
          .isEqualTo(
              JsonMapper.shared()
                  .readTree(
                      """
                      {"time":"2026-01-31T12:00:00.120Z","level":"info",
                       "logger":"dev.perdure.engine","message":"task retry scheduled …",
                       "node":"tester","task":"0198","attempt":2}"""));
    }

    @Test
    void is_one_line_even_with_a_stack_trace() {
      JsonNode line = json(error("a\nb", new IllegalStateException("broken")));

      assertThat(line.get("message").stringValue()).isEqualTo("a\nb");
      assertThat(line.get("stack").stringValue())
          .startsWith("java.lang.IllegalStateException: broken\n\tat ");
    }

    @Test
    void keeps_its_own_fields_when_a_key_has_the_same_name() {
      JsonNode line =
          json(
              event(
                  "said",
                  List.of(new KeyValuePair("level_", "low"), new KeyValuePair("level", "high"))));

      assertThat(line.get("level").stringValue()).isEqualTo("info");
      assertThat(line.get("level_").stringValue()).isEqualTo("low");
      assertThat(line.get("level__").stringValue()).isEqualTo("high");
    }

    @Test
    void writes_whole_numbers_as_numbers_and_everything_else_as_text() {
      List<KeyValuePair> pairs =
          List.of(
              new KeyValuePair("epoch", 9_007_199_254_740_993L),
              new KeyValuePair("ratio", Double.NaN),
              new KeyValuePair("nothing", null));

      assertThat(encoded(LogFormat.JSON, event("said", pairs)))
          .contains("\"epoch\":9007199254740993,\"ratio\":\"NaN\",\"nothing\":\"null\"");
    }

    @Test
    void has_a_maximum_length() {
      assertThat(encoded(LogFormat.JSON, "x".repeat(1_000_000))).hasSizeLessThan(11_000);
    }
  }

  @Nested
  class Mdc {

    private LoggingEvent event(List<KeyValuePair> pairs, Map<String, String> context) {
      LoggingEvent event = LogEncoderTest.event(Level.INFO, "sent", null, context);
      event.setKeyValuePairs(pairs);
      return event;
    }

    @Test
    void is_written_after_the_fields_of_the_line_in_a_fixed_order() {
      Map<String, String> context =
          Map.of("z", "1", "attempt", "2", "kind", "mail", "batch", "b", "task", "t", "node", "n");

      assertThat(encoded(LogFormat.TEXT, event(List.of(new KeyValuePair("to", "ann")), context)))
          .endsWith("sent to=ann node=n task=t batch=b kind=mail attempt=2 z=1\n");
    }

    @Test
    void does_not_replace_a_field_of_the_line() {
      LoggingEvent event =
          event(List.of(new KeyValuePair("task", "other")), Map.of("task", "own", "kind", "mail"));

      assertThat(encoded(LogFormat.TEXT, event)).endsWith("sent task=other kind=mail\n");
    }

    @Test
    void has_the_attempt_as_a_number_in_json() {
      JsonNode line = json(event(List.of(), Map.of("attempt", "2", "kind", "7")));

      assertThat(line.get("attempt").isInt()).isTrue();
      assertThat(line.get("kind").isString()).isTrue();
    }

    @Test
    void keeps_an_attempt_that_a_handler_changed_to_text() {
      assertThat(json(event(List.of(), Map.of("attempt", "last"))).get("attempt").stringValue())
          .isEqualTo("last");
    }

    @Test
    void is_redacted() {
      assertThat(encoded(LogFormat.JSON, event(List.of(), Map.of("url", "https://a:s3cret@b/"))))
          .contains("https://…@b/")
          .doesNotContain("s3cret");
    }
  }

  @Nested
  class Secrets {

    @Test
    void in_urls_are_redacted() {
      assertThat(encoded(LogFormat.TEXT, "to postgres://ann:s3cret@db/x?sslpassword=s4cret&a=b"))
          .contains("to postgres://…@db/x?sslpassword=…&a=b");
    }

    @Test
    void such_as_keys_and_handles_are_redacted() {
      String handle = "ph1.k1.7." + "A".repeat(43);
      assertThat(
              encoded(
                  LogFormat.JSON,
                  "Authorization: Bearer pk_0123456789abcdef, handle=" + handle + " api_key='abc'"))
          .contains("Bearer …", "handle=ph1.k1.7.…", "api_key='…")
          .doesNotContain("0123456789", "AAAA", "abc'");
    }

    @ParameterizedTest
    @CsvSource({
      "password=s3cret, password=…",
      "sslpassword: s3cret, sslpassword: …",
      "passwd=s3cret, passwd=…",
      "\"secret\": \"s3cret\", \"secret\": \"…\"",
      "API-KEY = s3cret, API-KEY = …",
      "Authorization: Basic czNjcmV0, Authorization: Basic …",
    })
    void are_recognised_by_their_name(String message, String redacted) {
      assertThat(encoded(LogFormat.TEXT, message))
          .contains(redacted)
          .doesNotContain("s3cret", "czNj");
    }

    @Test
    void in_stack_traces_and_fields_are_redacted() {
      LoggingEvent event = error("said", new IllegalStateException("postgres://ann:s3cret@db/x"));
      event.setKeyValuePairs(List.of(new KeyValuePair("url", "https://ann:s3cret@example.org/")));

      assertThat(encoded(LogFormat.JSON, event))
          .contains("https://…@example.org/", "postgres://…@db/x")
          .doesNotContain("s3cret");
    }
  }
}
