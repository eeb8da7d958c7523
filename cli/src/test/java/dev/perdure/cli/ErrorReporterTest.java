// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.task.StoreException;
import dev.perdure.engine.task.StoreException.ErrorKind;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class ErrorReporterTest {

  private static String about(Exception exception) {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    CliContext context =
        new CliContext(
            InputStream.nullInputStream(),
            new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            Map.of(),
            OptionalInt::empty,
            () -> false,
            TestCli.NOW);
    assertThat(new ErrorReporter(context, false).report(exception, false))
        .isEqualTo(Perdure.EXIT_USAGE);
    return err.toString(StandardCharsets.UTF_8);
  }

  @Test
  void environment_errors_are_not_reported_as_bugs() {
    assertThat(about(new NoSuchFileException("/gone/perdure-demo1")))
        .startsWith("perdure: cannot use a temporary file or directory: no such directory: /gone/")
        .doesNotContain("report");
    assertThat(about(new StoreException("broken", null, ErrorKind.UNAVAILABLE)))
        .isEqualTo("perdure: the database is unreachable or too busy: try again later\n");
    assertThat(about(new StoreException("broken", null, ErrorKind.UNKNOWN)))
        .contains("check before you repeat it")
        .doesNotContain("report");
  }

  @Test
  void unexpected_errors_are_reported_as_bugs() {
    assertThat(about(new IllegalStateException("odd"))).contains("please report it", "odd");
    assertThat(about(new StoreException("odd", null, ErrorKind.REFUSED)))
        .contains("please report it");
  }
}
