// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.cli.TestShell.Answer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class DemoCommandTest {

  @Test
  void shows_work_that_succeeds_is_retried_and_dies() {
    Answer answer = new TestShell().run("demo", "--port", "0", "--for", "15s");

    assertThat(answer.code()).as(answer.err()).isZero();
    assertThat(answer.out())
        .contains("http://127.0.0.1:", "/docs", "./perdure watch --url")
        .contains("./perdure show --url")
        .containsPattern("resize-image +\\w{9}  [✓↻] ")
        .containsPattern(
            "charge-card +\\w{9}  ✗ .*402; given up after 1 attempt \\(not_retryable\\)")
        .containsPattern("call-legacy +\\w{9}  ↻ .*500; retry 2 in 1.0 s, step 1 of 2")
        .containsPattern("call-legacy +\\w{9}  ↻ .*500; retry 3 in 4.0 s, step 2 of 2")
        .containsPattern("call-legacy +\\w{9}  ✗ .*500; given up after 5 attempts \\(exhausted\\)")
        .containsPattern("  \\w{9}  ☎ the pager was told that it failed")
        .containsPattern("import-feed +\\w{9}  ↻ no sign of life .*; retry 1 in ");
    assertThat(answer.err()).isEmpty();
    Matcher kept = Pattern.compile("/\\S*perdure-demo\\d+").matcher(answer.out());
    assertThat(kept.find()).isTrue();
    assertThat(Path.of(kept.group())).doesNotExist();
  }

  @Test
  void says_which_option_is_wrong() {
    assertThat(new TestShell().run("demo", "--for", "soon").err()).contains("--for");
    assertThat(new TestShell().run("demo", "--port", "70000").err()).contains("--port", "65535");
  }

  @Test
  void says_that_somebody_else_listens_there() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Answer answer = new TestShell().run("demo", "--port", Integer.toString(taken.getLocalPort()));
      assertThat(answer.code()).isEqualTo(2);
      assertThat(answer.err()).contains("port");
    }
  }
}
