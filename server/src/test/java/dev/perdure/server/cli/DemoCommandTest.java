// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.server.cli.TestShell.Answer;
import java.net.InetAddress;
import java.net.ServerSocket;
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
        .containsPattern("resize-image +\\w{6}  [✓↻] ")
        .containsPattern("charge-card +\\w{6}  ✗ .*402; given up after 1: not_retryable")
        .containsPattern("call-legacy +\\w{6}  ↻ .*500; retry 2 in 1.0 s")
        .containsPattern("import-feed +\\w{6}  ↻ no sign of life .*; retry 1 in ");
    assertThat(answer.err()).isEmpty();
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
