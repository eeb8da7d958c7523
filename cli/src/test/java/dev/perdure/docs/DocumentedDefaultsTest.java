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
import java.time.Duration;
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
   * @param unit what follows the number; empty for a plain number
   */
  record Fact(String page, String about, long number, String unit) {

    static Fact seconds(String page, String about, Duration duration) {
      return new Fact(page, about, duration.toSeconds(), "\\s?(?:s|seconds)\\b");
    }

    static Fact count(String page, String about, long number) {
      return new Fact(page, about, number, "");
    }
  }

  static Stream<Fact> facts() {
    String workers = "docs/guides/remote-workers.md";
    String durable = "docs/guides/durable.md";
    String server = "docs/guides/server.md";
    String webhooks = "docs/guides/webhooks.md";
    NodeLeaseOptions lease = NodeLeaseOptions.DEFAULT;
    DeliveryOptions delivery = DeliveryOptions.DEFAULT;
    return Stream.of(
        Fact.seconds(durable, "renew", lease.renewInterval()),
        Fact.seconds(durable, "renew", lease.stopAfter()),
        Fact.seconds(durable, "valid", lease.validity()),
        Fact.seconds("docs/concurrency.md", "renew", lease.renewInterval()),
        Fact.count("docs/state-machine.md", "loss", LossLimit.DEFAULT.maxLosses()),
        Fact.count(workers, "^\\| `worker` \\|", RemoteClaim.MAX_WORKER_CHARACTERS),
        Fact.count(workers, "^\\| `kinds` \\|", RemoteClaim.MAX_KINDS),
        Fact.count(workers, "^\\| `limit` \\|", RemoteClaim.MAX_TASKS),
        Fact.seconds(workers, "^\\| `lease` \\|", RemoteClaim.DEFAULT_LEASE),
        Fact.seconds(workers, "^\\| `lease` \\|", RemoteClaim.MIN_LEASE),
        Fact.count(workers, "^\\| `lease` \\|", RemoteClaim.MAX_LEASE.toDays()),
        Fact.seconds(workers, "^\\| `wait` \\|", RemoteClaim.MAX_WAIT),
        Fact.count("docs/guides/policy.md", "^\\| `max_retries` \\|", RetryLimit.DEFAULT.retries()),
        Fact.count(webhooks, "attempts", 1L + delivery.policy().maxRetries().retries()),
        Fact.seconds(webhooks, "again", delivery.lease()),
        Fact.count(server, "ASCII", SubmissionKey.MAX_CHARACTERS),
        new Fact(server, "key", Submission.KEY_RETENTION.toHours(), "\\s?(?:h|hours)\\b"));
  }

  @ParameterizedTest
  @MethodSource("facts")
  void the_guide_states_the_number_of_the_code(Fact fact) {
    Stream<String> lines =
        Repository.read(fact.page()).lines().filter(Pattern.compile(fact.about()).asPredicate());

    assertThat(lines)
        .as("lines about %s in %s", fact.about(), fact.page())
        .anySatisfy(line -> assertThat(line).containsPattern(number(fact.number(), fact.unit())));
  }

  private static Pattern number(long number, String unit) {
    String digits = number + "|" + String.format(Locale.ROOT, "%,d", number);
    String word = WORDS.containsKey(number) ? "|" + WORDS.get(number) : "";
    return Pattern.compile("(?<![\\d.,])(?:" + digits + word + ")(?!\\d|[.,]\\d)" + unit);
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
    return number(number % (KIBI * KIBI) == 0 ? number / (KIBI * KIBI) : number, "");
  }
}
