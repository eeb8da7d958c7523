// SPDX-License-Identifier: Apache-2.0
package dev.perdure.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.DeliveryOptions;
import dev.perdure.engine.NodeLeaseOptions;
import dev.perdure.engine.RemoteClaim;
import dev.perdure.engine.SubmissionKey;
import dev.perdure.engine.internal.LossLimit;
import dev.perdure.engine.spi.Submission;
import dev.perdure.policy.RetryLimit;
import dev.perdure.server.config.Setting;
import dev.perdure.server.config.Settings;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares default values and limits in the guides with the code. */
class DocumentedDefaultsTest {

  private static final Pattern LIMIT_ROW =
      Pattern.compile("(?m)^\\|[^|]*\\|([^|]*)\\| `(\\w+)` \\|$");
  private static final long KIBI = 1_024;
  private static final Map<Long, String> WORDS = Map.of(5L, "five", 8L, "eight");

  /**
   * A number that a guide states.
   *
   * @param about matches the lines of the page that are about it; one of them must have the number
   */
  record Fact(String page, String about, long number) {}

  static Stream<Fact> facts() {
    String workers = "docs/guides/remote-workers.md";
    String durable = "docs/guides/durable.md";
    NodeLeaseOptions lease = NodeLeaseOptions.DEFAULT;
    DeliveryOptions delivery = DeliveryOptions.DEFAULT;
    return Stream.of(
        new Fact(durable, "renew", lease.renewInterval().toSeconds()),
        new Fact(durable, "renew", lease.stopAfter().toSeconds()),
        new Fact(durable, "valid", lease.validity().toSeconds()),
        new Fact("docs/concurrency.md", "renew", lease.renewInterval().toSeconds()),
        new Fact("docs/state-machine.md", "loss", LossLimit.DEFAULT.maxLosses()),
        new Fact(workers, "^\\| `worker` \\|", RemoteClaim.MAX_WORKER_CHARACTERS),
        new Fact(workers, "^\\| `kinds` \\|", RemoteClaim.MAX_KINDS),
        new Fact(workers, "^\\| `limit` \\|", RemoteClaim.MAX_TASKS),
        new Fact(workers, "^\\| `lease` \\|", RemoteClaim.DEFAULT_LEASE.toSeconds()),
        new Fact(workers, "^\\| `lease` \\|", RemoteClaim.MIN_LEASE.toSeconds()),
        new Fact(workers, "^\\| `lease` \\|", RemoteClaim.MAX_LEASE.toDays()),
        new Fact(workers, "^\\| `wait` \\|", RemoteClaim.MAX_WAIT.toSeconds()),
        new Fact("docs/guides/policy.md", "^\\| `max_retries` \\|", RetryLimit.DEFAULT.retries()),
        new Fact("docs/guides/webhooks.md", "attempts", maxAttempts(delivery)),
        new Fact("docs/guides/webhooks.md", "seconds| s\\b", delivery.lease().toSeconds()),
        new Fact("docs/guides/server.md", "ASCII", SubmissionKey.MAX_CHARACTERS),
        new Fact("docs/guides/server.md", "hours| h\\b", Submission.KEY_RETENTION.toHours()));
  }

  private static long maxAttempts(DeliveryOptions delivery) {
    return 1L + delivery.policy().maxRetries().retries();
  }

  @ParameterizedTest
  @MethodSource("facts")
  void the_guide_states_the_number_of_the_code(Fact fact) {
    assertThat(
            Repository.read(fact.page())
                .lines()
                .filter(Pattern.compile(fact.about()).asPredicate()))
        .as("lines about %s in %s", fact.about(), fact.page())
        .anySatisfy(line -> assertThat(line).containsPattern(number(fact.number())));
  }

  private static Pattern number(long number) {
    String digits = number + "|" + String.format(Locale.ROOT, "%,d", number);
    String word = WORDS.containsKey(number) ? "|" + WORDS.get(number) : "";
    return Pattern.compile("(?<![\\d.,])(?:" + digits + word + ")(?![\\d]|[.,]\\d)");
  }

  /** The table of limits has rows of three cells: what, limit, setting. */
  @Test
  void the_limits_of_the_server_are_the_defaults_of_their_settings() {
    Map<String, String> defaults =
        Settings.ALL.stream().collect(Collectors.toMap(Setting::name, Setting::defaultText));
    Map<String, List<String>> limits =
        LIMIT_ROW
            .matcher(Repository.read("docs/guides/server.md"))
            .results()
            .filter(row -> defaults.containsKey(row.group(2)))
            .collect(
                Collectors.groupingBy(
                    row -> row.group(2),
                    Collectors.mapping((MatchResult row) -> row.group(1), Collectors.toList())));

    assertThat(limits).hasSizeGreaterThan(3);
    limits.forEach(
        (setting, cells) ->
            assertThat(cells)
                .as(setting)
                .anySatisfy(
                    cell -> assertThat(cell).containsPattern(shown(defaults.get(setting)))));
  }

  /** A default as the guide shows it: a duration or a number, large powers of two in MiB. */
  private static Pattern shown(String defaultText) {
    long number = Long.parseLong(defaultText.replaceAll("\\D", ""));
    return number(number % (KIBI * KIBI) == 0 ? number / (KIBI * KIBI) : number);
  }
}
