// SPDX-License-Identifier: Apache-2.0
package dev.perdure.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.cli.CliContext;
import dev.perdure.cli.Perdure;
import dev.perdure.server.TestServer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the commands of the guide to schedules. */
class SchedulesGuideCommandsTest {

  private static final String CALL = "./perdure ";

  @TempDir private Path folder;

  @Test
  void every_command_succeeds() throws IOException {
    Path task = Files.writeString(folder.resolve("task.json"), "{\"kind\": \"import\"}");
    List<String> calls =
        Repository.read("docs/guides/schedules.md")
            .lines()
            .filter(line -> line.startsWith(CALL))
            .map(line -> line.replace("task.json", task.toString()))
            .toList();
    assertThat(calls).hasSize(9);
    try (TestServer server = TestServer.in(folder)) {
      for (String call : calls) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
        CliContext context =
            new CliContext(
                new ByteArrayInputStream(new byte[0]),
                stream,
                stream,
                Map.of("PERDURE_URL", server.url().toString()),
                OptionalInt::empty,
                () -> false,
                Instant.now());
        int code = Perdure.run(context, call.substring(CALL.length()).split(" ", -1));
        String printed = out.toString(StandardCharsets.UTF_8);
        assertThat(code).as(call + "\n" + printed).isZero();
      }
    }
  }
}
