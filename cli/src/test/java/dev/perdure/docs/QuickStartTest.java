// SPDX-License-Identifier: Apache-2.0
package dev.perdure.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.cli.Perdure;
import dev.perdure.server.Eventually;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs the quick start of the README; only the port differs. */
@Tag("slow")
@Timeout(240)
class QuickStartTest {

  private static final Path README = Path.of("../README.md");
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```sh\\n(.*?)^```$");
  private static final String DEFAULT_PORT = "8085";

  @TempDir private Path folder;

  /** A launcher that has nothing to build. */
  @BeforeEach
  void writeLauncher() throws IOException {
    Path launcher =
        Files.writeString(
            folder.resolve("perdure"),
            "#!/bin/sh\nexec '%s' -XX:+UseSerialGC -cp \"$CLASSES\" %s \"$@\"\n"
                .formatted(
                    Path.of(System.getProperty("java.home"), "bin", "java"),
                    Perdure.class.getName()));
    Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /** The first block with this command. */
  private static String block(String command) throws IOException {
    return BLOCK
        .matcher(Files.readString(README))
        .results()
        .map(hit -> hit.group(1))
        .filter(block -> block.contains(command))
        .findFirst()
        .orElseThrow();
  }

  private Process shell(String script, Map<String, String> environment) throws IOException {
    ProcessBuilder builder = new ProcessBuilder("/bin/sh", "-ec", script);
    builder.directory(folder.toFile());
    builder.environment().put("CLASSES", System.getProperty("java.class.path"));
    builder.environment().putAll(environment);
    return builder.redirectError(Redirect.INHERIT).start();
  }

  private String run(String script, String url) throws IOException, InterruptedException {
    Process process = shell(script, Map.of("PERDURE_URL", url));
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(out).isZero();
    return out;
  }

  @Test
  void submits_and_runs_a_task() throws Exception {
    Process serve = shell(block("./perdure serve"), Map.of("PORT", "0"));
    try {
      String ready = serve.inputReader().readLine();
      assertThat(ready).contains("press Ctrl-C to stop");
      String url = ready.replaceFirst(".*(http://[0-9.:]+).*", "$1");
      String port = url.replaceFirst(".*:", "");

      String shown = run(block("./perdure submit").replace(DEFAULT_PORT, port), url);

      assertThat(shown).containsPattern("batch [0-9a-f-]{36}: 1 task\n").contains("ping");
      String done = "./perdure tasks --status Success --json";
      assertThat(Eventually.await(() -> run(done, url), tasks -> !tasks.isEmpty()))
          .contains("\"kind\":\"ping\"");
    } finally {
      serve.descendants().forEach(ProcessHandle::destroy);
      serve.destroy();
      serve.waitFor(60, TimeUnit.SECONDS);
    }
  }
}
