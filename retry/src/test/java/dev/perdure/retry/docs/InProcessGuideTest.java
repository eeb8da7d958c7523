// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.policy.RetryPolicy;
import dev.perdure.retry.RecordingHandOverTarget;
import dev.perdure.retry.Retry;
import dev.perdure.retry.docs.InProcessGuide.Billing;
import dev.perdure.retry.docs.InProcessGuide.Invoice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Checks that the examples of the guide compile and behave as described. */
class InProcessGuideTest {

  private static final Path GUIDE = Path.of("..", "docs", "guides", "in-process.md");
  private static final Path EXAMPLES =
      Path.of("src", "test", "java", "dev", "perdure", "retry", "docs", "InProcessGuide.java");
  private static final Pattern COMPILED = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  /** Fails this many times, then succeeds. */
  private record FlakyBilling(int failures, AtomicInteger attempts) implements Billing {
    @Override
    public Invoice fetch(int id) throws IOException {
      if (attempts.incrementAndGet() <= failures) {
        throw new IOException("no");
      }
      return new Invoice(id, true);
    }

    @Override
    public Invoice fetch(int id, String traceOfAttempt) throws IOException {
      return fetch(id);
    }

    @Override
    public CompletableFuture<Invoice> fetchAsync(int id) {
      try {
        return CompletableFuture.completedFuture(fetch(id));
      } catch (IOException e) {
        return CompletableFuture.failedFuture(e);
      }
    }

    @Override
    public void send(Invoice invoice) {}
  }

  private static Billing flaky(int failures) {
    return new FlakyBilling(failures, new AtomicInteger());
  }

  private static String withoutIndentation(String text) {
    return text.lines().map(String::strip).collect(Collectors.joining("\n"));
  }

  @Test
  void every_example_is_compiled() throws IOException {
    String examples = withoutIndentation(Files.readString(EXAMPLES));
    List<String> shown =
        COMPILED
            .matcher(Files.readString(GUIDE))
            .results()
            .map((MatchResult block) -> block.group(1))
            .toList();
    assertThat(shown).hasSizeGreaterThan(10);
    assertThat(shown).allSatisfy(block -> assertThat(examples).contains(withoutIndentation(block)));
  }

  @Test
  void a_call_is_retried() throws IOException {
    Retry eager = Retry.of(RetryPolicy.immediate().build());
    assertThat(InProcessGuide.context(eager, flaky(2), 7).id()).isEqualTo(7);
    assertThat(InProcessGuide.aCall(flaky(0), 7).id()).isEqualTo(7);
  }

  @Test
  void a_call_that_keeps_failing_is_handed_over() throws IOException {
    RetryPolicy slow = RetryPolicy.fixed(Duration.ofHours(1)).build();
    RecordingHandOverTarget engine = new RecordingHandOverTarget();

    assertThat(InProcessGuide.handOver(slow, engine, flaky(0), 7)).isPresent();
    assertThat(InProcessGuide.handOver(slow, engine, flaky(9), 7)).isEmpty();
    assertThat(engine.only().payload()).isEqualTo(7);
  }

  @Test
  void retries_can_be_tested_without_waiting() throws IOException {
    InProcessGuide.testing(flaky(2));
    InProcessGuide.testingAsync(flaky(1));
  }
}
