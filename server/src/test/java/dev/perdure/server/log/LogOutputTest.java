// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.config.LogFormat;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.KeyValuePair;
import org.slf4j.event.Level;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Isolated
class LogOutputTest {

  private static final List<KeyValuePair> KEYS =
      List.of(
          new KeyValuePair("node", "tester"),
          new KeyValuePair("task", "0198"),
          new KeyValuePair("attempt", 2));

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  private LogOutput output(LogFormat format) {
    PrintStream stream = new PrintStream(bytes, false, StandardCharsets.US_ASCII);
    return new LogOutput(
        format, Level.INFO, () -> stream, () -> Instant.parse("2026-01-31T12:00:00.120Z"));
  }

  private String written() {
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private String written(LogFormat format, String message) {
    output(format).write(Level.INFO, "dev.perdure.engine", message, KEYS, null);
    return written();
  }

  @Test
  void slf4j_writes_here() {
    assertThat(LoggerFactory.getLogger("anybody")).isInstanceOf(Slf4jLogger.class);
  }

  @Test
  void libraries_tell_only_of_trouble() {
    assertThat(LoggerFactory.getLogger("org.eclipse.jetty.server.Server").isInfoEnabled())
        .isFalse();
    assertThat(LoggerFactory.getLogger("org.eclipse.jetty.server.Server").isWarnEnabled()).isTrue();
    assertThat(LoggerFactory.getLogger("dev.perdure.engine").isInfoEnabled()).isTrue();
    assertThat(LoggerFactory.getLogger("dev.perdure.engine").isDebugEnabled()).isFalse();
  }

  @Test
  void nonsense_of_clients_does_not_fill_the_log() {
    assertThat(LoggerFactory.getLogger("org.eclipse.jetty.http.HttpParser").isWarnEnabled())
        .isFalse();
    assertThat(LoggerFactory.getLogger("org.eclipse.jetty.http.HttpParser").isErrorEnabled())
        .isTrue();
  }

  @Nested
  class Chosen {

    @AfterEach
    void as_usual() {
      LogOutput.use(LogFormat.TEXT, Level.INFO);
    }

    @ParameterizedTest
    @CsvSource({
      "ERROR, true, false, false, false",
      "WARN,  true, true,  false, false",
      "INFO,  true, true,  true,  false",
      "DEBUG, true, true,  true,  true"
    })
    void levels_hold_at_once_also_for_loggers_that_are_there(
        Level least, boolean error, boolean warn, boolean info, boolean debug) {
      Logger ours = LoggerFactory.getLogger("dev.perdure.engine");
      LogOutput.use(LogFormat.TEXT, least);

      assertThat(ours.isErrorEnabled()).isEqualTo(error);
      assertThat(ours.isWarnEnabled()).isEqualTo(warn);
      assertThat(ours.isInfoEnabled()).isEqualTo(info);
      assertThat(ours.isDebugEnabled()).isEqualTo(debug);
      assertThat(ours.isTraceEnabled()).isFalse();
    }

    @Test
    void details_are_ours_and_not_those_of_libraries() {
      LogOutput.use(LogFormat.TEXT, Level.DEBUG);

      assertThat(LoggerFactory.getLogger("org.eclipse.jetty.server.Server").isInfoEnabled())
          .isFalse();
      assertThat(LoggerFactory.getLogger("anybody").isDebugEnabled()).isFalse();
    }
  }

  @Test
  void the_trace_is_for_programs() {
    List<KeyValuePair> trace = List.of(new KeyValuePair("trace_id", "4bf9"));
    output(LogFormat.TEXT).write(Level.INFO, "dev.perdure.engine", "lost", trace, null);
    assertThat(written()).endsWith("lost\n").doesNotContain("4bf9");

    output(LogFormat.JSON).write(Level.INFO, "dev.perdure.engine", "lost", trace, null);
    assertThat(written()).contains("\"trace_id\":\"4bf9\"");
  }

  @Nested
  class Text {

    @Test
    void is_a_line_with_the_keys_at_its_end() {
      assertThat(written(LogFormat.TEXT, "task retry scheduled … in 4.0 s"))
          .isEqualTo(
              "2026-01-31T12:00:00.120Z INFO  engine: task retry scheduled … in 4.0 s"
                  + " node=tester task=0198 attempt=2\n");
    }

    @Test
    void is_one_line_whatever_somebody_else_wrote() {
      assertThat(written(LogFormat.TEXT, "boom\n2026-01-31 ERROR all is lost\u2028\u001b[2J"))
          .contains("boom\\u000a2026-01-31 ERROR all is lost\\u2028\\u001b[2J node=")
          .hasLineCount(1);
    }

    @Test
    void tells_where_a_fault_was_thrown() {
      output(LogFormat.TEXT)
          .write(Level.ERROR, "x", "fault 7", List.of(), new IllegalStateException("broken"));

      assertThat(written())
          .startsWith(
              "2026-01-31T12:00:00.120Z ERROR x: fault 7\n  java.lang.IllegalStateException: broken\n"
                  + "  \tat ");
    }
  }

  @Nested
  class AStack {

    private static final String FORGED = "2026-01-31T12:00:00.120Z ERROR engine: all is lost";

    private List<String> lines(String message) {
      output(LogFormat.TEXT)
          .write(Level.ERROR, "x", "fault 7", List.of(), new IllegalStateException(message));
      return written().lines().toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"\n", "\r", "\r\n"})
    void cannot_look_like_a_line_of_ours(String end) {
      assertThat(lines("boom" + end + FORGED).stream().skip(1))
          .allMatch(line -> line.startsWith("  "))
          .contains("  " + FORGED);
    }

    @Test
    void cannot_do_anything_to_a_terminal() {
      assertThat(lines("boom\u001b[2J\u0007\u2028" + FORGED))
          .anyMatch(line -> line.endsWith("boom\\u001b[2J\\u0007\\u2028" + FORGED));
      assertThat(written()).doesNotContain("\u001b", "\u0007", "\u2028");
    }
  }

  @Nested
  class Json {

    private JsonNode json(String text) {
      assertThat(text).endsWith("}\n").hasLineCount(1);
      return JsonMapper.shared().readTree(text);
    }

    @Test
    void is_an_object_with_the_keys_beside_the_message() {
      assertThat(json(written(LogFormat.JSON, "task retry scheduled …")))
          .isEqualTo(
              JsonMapper.shared()
                  .readTree(
                      """
                      {"time":"2026-01-31T12:00:00.120Z","level":"info",
                       "logger":"dev.perdure.engine","message":"task retry scheduled …",
                       "node":"tester","task":"0198","attempt":2}"""));
    }

    @Test
    void is_one_line_with_a_stack_too() {
      output(LogFormat.JSON)
          .write(Level.ERROR, "x", "a\nb", List.of(), new IllegalStateException("broken"));

      JsonNode line = json(written());
      assertThat(line.get("message").stringValue()).isEqualTo("a\nb");
      assertThat(line.get("stack").stringValue())
          .startsWith("java.lang.IllegalStateException: broken\n\tat ");
    }

    @Test
    void keeps_its_own_fields_from_keys_of_the_same_name() {
      output(LogFormat.JSON)
          .write(
              Level.INFO,
              "x",
              "said",
              List.of(new KeyValuePair("level_", "low"), new KeyValuePair("level", "high")),
              null);

      JsonNode line = json(written());
      assertThat(line.get("level").stringValue()).isEqualTo("info");
      assertThat(line.get("level_").stringValue()).isEqualTo("low");
      assertThat(line.get("level__").stringValue()).isEqualTo("high");
    }

    @Test
    void keeps_numbers_and_nothing_else() {
      List<KeyValuePair> pairs =
          List.of(
              new KeyValuePair("epoch", 9_007_199_254_740_993L),
              new KeyValuePair("ratio", Double.NaN),
              new KeyValuePair("nothing", null));
      output(LogFormat.JSON).write(Level.INFO, "x", "said", pairs, null);

      assertThat(written())
          .contains("\"epoch\":9007199254740993,\"ratio\":\"NaN\",\"nothing\":\"null\"");
    }

    @Test
    void is_bounded() {
      written(LogFormat.JSON, "x".repeat(1_000_000));
      assertThat(bytes.size()).isLessThan(11_000);
    }
  }

  @Nested
  class Secret {

    @Test
    void passwords_in_urls_are_not_written() {
      assertThat(written(LogFormat.TEXT, "to postgres://ann:s3cret@db/x?sslpassword=s4cret&a=b"))
          .contains("to postgres://…@db/x?sslpassword=…&a=b");
    }

    @Test
    void keys_and_handles_are_not_written() {
      String handle = "ph1.k1.7." + "A".repeat(43);
      assertThat(
              written(
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
    void what_is_named_so_is_not_written(String said, String shown) {
      assertThat(written(LogFormat.TEXT, said)).contains(shown).doesNotContain("s3cret", "czNj");
    }

    @Test
    void neither_are_they_in_stacks_and_keys() {
      output(LogFormat.JSON)
          .write(
              Level.ERROR,
              "x",
              "said",
              List.of(new KeyValuePair("url", "https://ann:s3cret@example.org/")),
              new IllegalStateException("postgres://ann:s3cret@db/x"));

      assertThat(written()).doesNotContain("s3cret").contains("https://…@example.org/");
    }
  }
}
