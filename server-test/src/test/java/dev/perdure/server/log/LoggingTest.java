// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.server.config.LogFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

@Isolated
class LoggingTest {

  @AfterEach
  void restoreDefaults() {
    Logging.configure(LogFormat.TEXT, Level.INFO);
    Logging.toStandardError();
  }

  @Test
  void libraries_log_warnings_only() {
    Logger jetty = LoggerFactory.getLogger("org.eclipse.jetty.server.Server");
    assertThat(jetty.isInfoEnabled()).isFalse();
    assertThat(jetty.isWarnEnabled()).isTrue();

    Logger perdure = LoggerFactory.getLogger("dev.perdure.engine");
    assertThat(perdure.isInfoEnabled()).isTrue();
    assertThat(perdure.isDebugEnabled()).isFalse();
  }

  @Test
  void malformed_requests_do_not_fill_the_log() {
    Logger parser = LoggerFactory.getLogger("org.eclipse.jetty.http.HttpParser");
    assertThat(parser.isWarnEnabled()).isFalse();
    assertThat(parser.isErrorEnabled()).isTrue();
    assertThat(LoggerFactory.getLogger("org.eclipse.jetty.util.HostPort").isWarnEnabled())
        .isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "ERROR, true, false, false, false",
    "WARN,  true, true,  false, false",
    "INFO,  true, true,  true,  false",
    "DEBUG, true, true,  true,  true"
  })
  void a_level_applies_at_once_to_loggers_that_already_exist(
      Level level, boolean error, boolean warn, boolean info, boolean debug) {
    Logger perdure = LoggerFactory.getLogger("dev.perdure.engine");

    Logging.configure(LogFormat.TEXT, level);

    assertThat(perdure.isErrorEnabled()).isEqualTo(error);
    assertThat(perdure.isWarnEnabled()).isEqualTo(warn);
    assertThat(perdure.isInfoEnabled()).isEqualTo(info);
    assertThat(perdure.isDebugEnabled()).isEqualTo(debug);
    assertThat(perdure.isTraceEnabled()).isFalse();
  }

  @Test
  void the_level_debug_applies_to_our_loggers_only() {
    Logging.configure(LogFormat.TEXT, Level.DEBUG);

    assertThat(LoggerFactory.getLogger("org.eclipse.jetty.server.Server").isInfoEnabled())
        .isFalse();
    assertThat(LoggerFactory.getLogger("com.example").isInfoEnabled()).isTrue();
    assertThat(LoggerFactory.getLogger("com.example").isDebugEnabled()).isFalse();
  }

  @Test
  void the_level_error_applies_to_libraries_too() {
    Logging.configure(LogFormat.TEXT, Level.ERROR);

    assertThat(LoggerFactory.getLogger("com.zaxxer.hikari").isWarnEnabled()).isFalse();
    assertThat(LoggerFactory.getLogger("com.example").isWarnEnabled()).isFalse();
  }

  @Test
  void a_format_applies_at_once() {
    PrintStream before = System.err;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    // An encoding that cannot write the ellipsis: lines are UTF-8 all the same.
    System.setErr(new PrintStream(bytes, true, StandardCharsets.US_ASCII));
    try {
      LoggerFactory.getLogger("dev.perdure.x").info("first …");
      Logging.configure(LogFormat.JSON, Level.INFO);
      LoggerFactory.getLogger("dev.perdure.x").atInfo().addKeyValue("n", 1).log("second");
    } finally {
      System.setErr(before);
    }

    assertThat(bytes.toString(StandardCharsets.UTF_8).lines())
        .satisfiesExactly(
            line -> assertThat(line).endsWith(" INFO  x: first …"),
            line -> assertThat(line).startsWith("{\"time\":").endsWith("\"second\",\"n\":1}"));
  }

  @Test
  void the_log_can_go_to_a_file(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("perdure.log");

    Logging.toFile(file);
    LoggerFactory.getLogger("dev.perdure.x").info("to the file …");
    Logging.toStandardError();
    LoggerFactory.getLogger("dev.perdure.x").info("elsewhere");

    assertThat(Files.readString(file)).endsWith(" INFO  x: to the file …\n").hasLineCount(1);
  }

  @Test
  void a_file_that_cannot_be_written_leaves_the_log_where_it_is(@TempDir Path folder)
      throws IOException {
    Path file = folder.resolve("perdure.log");
    Logging.toFile(file);

    assertThatThrownBy(() -> Logging.toFile(folder))
        .hasMessage("the log cannot be written to " + folder);

    LoggerFactory.getLogger("dev.perdure.x").info("still here");
    Logging.toStandardError();
    assertThat(Files.readString(file)).contains("still here");
  }
}
