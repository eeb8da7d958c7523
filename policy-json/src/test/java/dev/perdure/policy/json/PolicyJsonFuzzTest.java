// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.perdure.policy.FieldError;
import dev.perdure.policy.InvalidPolicyException;
import dev.perdure.policy.RetryPolicy;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Every input is either read as a policy or rejected with an InvalidPolicyException. */
@Tag("slow")
class PolicyJsonFuzzTest {

  private static final int SEEDS = 6_000;
  private static final Duration TIME_LIMIT = Duration.ofMinutes(2);
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final List<String> FRAGMENTS =
      List.of(
          "null",
          "true",
          "0",
          "-1",
          "1e999999999",
          "-1e-999999999",
          "1E9999999999999",
          "NaN",
          "Infinity",
          "9".repeat(5_000),
          "0.".concat("1".repeat(5_000)),
          "\"\\ud800\"",
          "\"\\u0000\"",
          "\"\"",
          "[]",
          "{}",
          "{\"type\":\"fixed\"}",
          "[[[[]]]]",
          "\ud800",
          "\0",
          "\uFEFF",
          "\"5\"",
          "\"PT999999999999H\"",
          "\"-PT1S\"",
          "\"+1000000000-12-31T23:59:59Z\"",
          "1.0",
          "/**/",
          ",",
          ":",
          "}",
          "]",
          "\"",
          "\\",
          "[".repeat(200),
          "{\"a\":".repeat(200));

  @Test
  void reads_or_rejects_every_mutated_text() {
    int[] outcomes = new int[2];
    assertTimeoutPreemptively(
        TIME_LIMIT,
        () -> {
          for (long seed = 0; seed < SEEDS; seed++) {
            String text = mutated(seed);
            String description = "seed %d: %s".formatted(seed, FieldError.sanitize(text));
            outcomes[isPolicy(description, () -> PolicyJson.read(text)) ? 1 : 0]++;
          }
        });

    // Both must happen often; otherwise the mutations are too strong or too weak to be useful.
    assertThat(outcomes[0]).isGreaterThan(SEEDS / 4);
    assertThat(outcomes[1]).isGreaterThan(SEEDS / 100);
  }

  @Test
  void reads_or_rejects_every_mutated_tree() {
    assertTimeoutPreemptively(
        TIME_LIMIT,
        () -> {
          for (long seed = 0; seed < SEEDS; seed++) {
            JsonNode tree = mutatedTree(seed);
            isPolicy("tree of seed " + seed, () -> PolicyJson.read(tree));
            isPolicy(
                "tree of seed " + seed, () -> PolicyJson.read(tree, ServerPolicyLimits.DEFAULT));
          }
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"[", "{\"backoff\":", "{\"a\":[", "[{\"count\":"})
  void rejects_deeply_nested_text(String opening) {
    assertTimeoutPreemptively(
        TIME_LIMIT,
        () -> {
          assertRejected(opening.repeat(100_000));
          assertRejected(opening.repeat(60_000 / opening.length()));
          assertRejected(opening.repeat(33));
        });
  }

  @Test
  void rejects_a_deeply_nested_tree() {
    JsonNode deep = NODES.arrayNode();
    for (int i = 0; i < 100_000; i++) {
      deep = i % 2 == 0 ? NODES.objectNode().set("backoff", deep) : NODES.arrayNode().add(deep);
    }
    JsonNode tree = NODES.objectNode().set("backoff", deep);

    assertTimeoutPreemptively(
        TIME_LIMIT, () -> assertThat(isPolicy("deep", () -> PolicyJson.read(tree))).isFalse());
  }

  @Test
  void rejects_ten_megabytes_before_parsing() {
    String longText = "x".repeat(10_000_000);

    assertRejected(longText);
    assertRejected("{\"preset\": \"%s\"}".formatted(longText));
    assertRejected(" ".repeat(10_000_000) + "null");
  }

  @Test
  void rejects_numbers_that_would_exhaust_the_memory() {
    List<JsonNode> numbers =
        List.of(
            NODES.numberNode(new BigDecimal(BigInteger.ONE, Integer.MIN_VALUE + 1)),
            NODES.numberNode(new BigDecimal(BigInteger.ONE, Integer.MAX_VALUE)),
            NODES.numberNode(BigInteger.TWO.pow(5_000_000)),
            NODES.numberNode(Double.NaN),
            NODES.numberNode(Double.POSITIVE_INFINITY),
            NODES.numberNode(Float.NaN));
    assertTimeoutPreemptively(
        TIME_LIMIT,
        () -> {
          for (JsonNode number : numbers) {
            ObjectNode task = NODES.objectNode();
            task.set("max_retries", number);
            task.set("initial_delay_secs", number);
            task.set("backoff_multiplier", number);
            assertThat(isPolicy("huge", () -> PolicyJson.read(task))).isFalse();
          }
        });
  }

  @Test
  void rejects_too_many_unknown_fields_quickly() {
    ObjectNode tree = NODES.objectNode().put("max_retries", 3);
    for (int i = 0; i < 200_000; i++) {
      tree.put("unknown_field_" + i, i);
    }

    assertTimeoutPreemptively(
        TIME_LIMIT, () -> assertThat(isPolicy("many", () -> PolicyJson.read(tree))).isFalse());
  }

  private static void assertRejected(String text) {
    assertThat(isPolicy(FieldError.sanitize(text), () -> PolicyJson.read(text))).isFalse();
  }

  /** Returns true for a policy and false for an invalid one; any other result fails the test. */
  private static boolean isPolicy(String description, Supplier<RetryPolicy> read) {
    try {
      RetryPolicy policy = read.get();
      assertThat(PolicyJson.read(PolicyJson.write(policy))).as(description).isEqualTo(policy);
      return true;
    } catch (InvalidPolicyException e) {
      assertThat(e.errors()).as(description).isNotEmpty().hasSizeLessThanOrEqualTo(101);
      assertThat(e.errors())
          .as(description)
          .allSatisfy(
              error -> {
                assertThat(error.message()).isNotBlank().hasSizeLessThan(1_000);
                assertThat(error.path()).hasSizeLessThan(300);
              });
      return false;
    }
  }

  private static String mutated(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    StringBuilder text = new StringBuilder(validText(seed, random));
    for (int times = 1 + random.nextInt(3); times > 0; times--) {
      mutate(text, random);
    }
    return text.toString();
  }

  private static String validText(long seed, SplittableRandom random) {
    return random.nextBoolean()
        ? RandomDialects.of(seed).text()
        : PolicyJson.write(RandomJsonPolicies.of(seed)).toString();
  }

  private static void mutate(StringBuilder text, SplittableRandom random) {
    int from = random.nextInt(text.length() + 1);
    int to = Math.min(text.length(), from + random.nextInt(12));
    switch (random.nextInt(6)) {
      case 0 -> text.insert(from, (char) random.nextInt(0x3000));
      case 1 -> text.delete(from, to);
      case 2 -> text.insert(to, text.substring(from, to));
      case 3 -> text.replace(from, to, FRAGMENTS.get(random.nextInt(FRAGMENTS.size())));
      case 4 -> replaceValue(text, from, FRAGMENTS.get(random.nextInt(FRAGMENTS.size())));
      default -> duplicateField(text, from);
    }
  }

  /** Replaces the value after the next colon. */
  private static void replaceValue(StringBuilder text, int from, String fragment) {
    int start = text.indexOf(":", from) + 1;
    int end = start;
    while (end < text.length() && ",}]".indexOf(text.charAt(end)) < 0) {
      end++;
    }
    text.replace(start, end, fragment);
  }

  private static void duplicateField(StringBuilder text, int from) {
    int start = text.indexOf("\"", from);
    int end = text.indexOf(",", Math.max(0, start));
    if (start >= 0 && end > start) {
      text.insert(end + 1, text.substring(start, end) + ",");
    }
  }

  /** Returns a valid tree in which one value is replaced by a value of another type. */
  private static JsonNode mutatedTree(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    JsonNode tree = JsonMapper.shared().readTree(validText(seed, random));
    JsonNode here = tree;
    while (here.size() > 0) {
      int index = random.nextInt(here.size());
      if (here instanceof ArrayNode array) {
        JsonNode next = array.get(index);
        if (next.isEmpty() || random.nextInt(3) == 0) {
          array.set(index, randomNode(random));
          return tree;
        }
        here = next;
      } else {
        ObjectNode object = (ObjectNode) here;
        String name = List.copyOf(object.propertyNames()).get(index);
        JsonNode next = object.get(name);
        if (next.isEmpty() || random.nextInt(3) == 0) {
          object.set(name, randomNode(random));
          return tree;
        }
        here = next;
      }
    }
    return randomNode(random);
  }

  private static JsonNode randomNode(SplittableRandom random) {
    return switch (random.nextInt(10)) {
      case 0 -> NODES.nullNode();
      case 1 -> NODES.booleanNode(random.nextBoolean());
      case 2 -> NODES.numberNode(random.nextLong());
      case 3 -> NODES.numberNode(random.nextInt(5));
      case 4 -> NODES.numberNode(new BigDecimal("1e999999999"));
      case 5 -> NODES.numberNode(Double.NEGATIVE_INFINITY);
      case 6 -> NODES.stringNode("\ud800\0" + random.nextInt());
      case 7 -> NODES.binaryNode(new byte[] {1, 2});
      case 8 -> NODES.pojoNode(new Object());
      default -> NODES.arrayNode().add(NODES.objectNode());
    };
  }
}
