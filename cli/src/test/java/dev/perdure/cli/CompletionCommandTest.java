// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import static dev.perdure.cli.TestCli.perdure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompletionCommandTest {

  @TempDir private Path folder;

  /** What bash suggests for the last of these words. */
  private String suggestions(String... words) throws IOException {
    Path script =
        Files.writeString(folder.resolve("completion"), perdure("completion", "bash").out());
    String command =
        "source %s; COMP_WORDS=(%s); COMP_CWORD=%d; _complete_perdure; echo \"${COMPREPLY[@]}\""
            .formatted(script, "perdure '" + String.join("' '", words) + "'", words.length);
    Process bash = new ProcessBuilder("bash", "-c", command).start();
    return new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
  }

  @Test
  void bash_completes_commands_and_options() throws IOException {
    assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "NO BASH: completion is NOT TESTED");

    assertThat(suggestions("ta")).isEqualTo("tasks");
    assertThat(suggestions("key", "cr")).isEqualTo("create");
    assertThat(suggestions("batche")).isEqualTo("batches");
    assertThat(suggestions("batch", "st")).isEqualTo("stop");
    assertThat(suggestions("batch", "retry", "--new")).isEqualTo("--new-run");
    assertThat(suggestions("schedule", "cancel")).isEqualTo("cancel-retry");
    assertThat(suggestions("schedule", "edit", "--zo")).isEqualTo("--zone");
    assertThat(suggestions("tasks", "--sta")).isEqualTo("--status");
    assertThat(suggestions("wa")).isEqualTo("watch");
  }

  @Test
  void zsh_reads_the_same_script() {
    assertThat(perdure("completion", "zsh").out())
        .isEqualTo(perdure("completion", "bash").out())
        .contains("bashcompinit");
  }

  @Test
  void zsh_accepts_the_script() throws Exception {
    Path zsh = Path.of("/bin/zsh");
    assumeTrue(Files.isExecutable(zsh), "NO ZSH: its completion is NOT TESTED here");
    Path script =
        Files.writeString(folder.resolve("completion"), perdure("completion", "zsh").out());

    Process check = new ProcessBuilder("zsh", "-n", script.toString()).inheritIO().start();

    assertThat(check.waitFor()).isZero();
  }

  @Test
  void other_shells_are_refused() {
    assertThat(perdure("completion", "fish").code()).isEqualTo(2);
    assertThat(perdure("completion", "fish").err())
        .isEqualTo("perdure: SHELL: must be bash or zsh, not 'fish'\n");
  }
}
