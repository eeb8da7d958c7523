// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.cli.TestCli.CliResult;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("slow")
@Timeout(240)
class DemoCommandTest {

  /** Events that happen sooner or later, whatever the flaky service does at random. */
  private static final List<Pattern> EVENTS =
      Stream.of(
              "resize-image +[\\w-]{9}  [✓↻] ",
              "charge-card +[\\w-]{9}  ✗ HTTP 402; gave up \\(not_retryable, 1 attempt\\)",
              "call-legacy +[\\w-]{9}  ↻ HTTP 500; retries in 1.0 s [(]attempt 2/2, step 1/2[)]",
              "call-legacy +[\\w-]{9}  ↻ HTTP 500; retries in 4.0 s [(]attempt 1/2, step 2/2[)]",
              "call-legacy +[\\w-]{9}  ✗ HTTP 500; gave up \\(exhausted, 5 attempts\\)",
              "  [\\w-]{9}  ☎ the pager was notified",
              "import-rows +[\\w-]{9}  ✓ done",
              "transform +[\\w-]{9}  ✓ done",
              "make-report +[\\w-]{9}  (✓ done|✗ HTTP 422; gave up)",
              "import-feed +[\\w-]{9}  ↻ timeout; retries in ")
          .map(Pattern::compile)
          .toList();

  @Test
  void shows_tasks_that_succeed_retry_and_fail() {
    BrokenPipeStream reader =
        new BrokenPipeStream(
            text -> EVENTS.stream().allMatch(event -> event.matcher(text).find()), () -> {});

    CliResult result =
        new TestCli()
            .environment("COLUMNS", "160")
            .runInto(reader, "demo", "--port", "0", "--for", "2m");

    assertThat(EVENTS).allSatisfy(event -> assertThat(reader.text()).containsPattern(event));
    assertThat(result.err()).isEmpty();
  }

  @Test
  void prints_its_urls_and_leaves_nothing_behind() {
    TestCli terminal = new TestCli().terminal(80);
    CliResult result = terminal.run("demo", "--port", "0", "--for", "5s", "--color=never");

    assertThat(result.code()).as(result.err()).isZero();
    assertThat(result.out())
        .contains(
            "http://127.0.0.1:",
            "/ui/",
            "/docs",
            "\nperdure watch --url",
            "\nperdure show --url",
            "\nperdure batches --url");
    assertThat(result.err()).isEmpty();
    Matcher folderName = Pattern.compile("/\\S*perdure-demo\\d+").matcher(result.out());
    assertThat(folderName.find()).isTrue();
    assertThat(Path.of(folderName.group())).doesNotExist();
    assertThat(result.lines()).allMatch(line -> line.codePointCount(0, line.length()) <= 80);
  }

  @Test
  void names_the_invalid_option() {
    assertThat(new TestCli().run("demo", "--for", "soon").err()).contains("--for");
    assertThat(new TestCli().run("demo", "--port", "70000").err()).contains("--port", "65535");
  }

  @Test
  void reports_a_port_that_is_in_use() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      CliResult result =
          new TestCli().run("demo", "--port", Integer.toString(taken.getLocalPort()));
      assertThat(result.code()).isEqualTo(2);
      assertThat(result.err()).contains("port");
    }
  }
}
