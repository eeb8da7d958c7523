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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Whatever comes in: a policy, or an InvalidPolicyException that says why not. */
class PolicyJsonFuzzTest {

  private static final int SEEDS = 6_000;
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final List<String> SHARDS =
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
  void answers_every_mutation_with_a_policy_or_with_problems() {
    int[] outcomes = new int[2];
    assertTimeoutPreemptively(
        PATIENCE,
        () -> {
          for (long seed = 0; seed < SEEDS; seed++) {
            String text = mutated(seed);
            String place = "seed %d: %s".formatted(seed, FieldError.sanitize(text));
            outcomes[isPolicy(place, () -> PolicyJson.read(text)) ? 1 : 0]++;
          }
        });

    // Both must happen often, or the mutations are too wild or too tame to show anything.
    assertThat(outcomes[0]).isGreaterThan(SEEDS / 4);
    assertThat(outcomes[1]).isGreaterThan(SEEDS / 100);
  }

  @Test
  void answers_every_wrong_tree() {
    assertTimeoutPreemptively(
        PATIENCE,
        () -> {
          for (long seed = 0; seed < SEEDS; seed++) {
            JsonNode tree = wrongTree(seed);
            isPolicy("tree of seed " + seed, () -> PolicyJson.read(tree));
            isPolicy(
                "tree of seed " + seed, () -> PolicyJson.read(tree, ServerPolicyLimits.DEFAULT));
          }
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"[", "{\"backoff\":", "{\"a\":[", "[{\"count\":"})
  void refuses_what_nests_without_end(String opening) {
    assertTimeoutPreemptively(
        PATIENCE,
        () -> {
          assertRefused(opening.repeat(100_000));
          assertRefused(opening.repeat(60_000 / opening.length()));
          assertRefused(opening.repeat(33));
        });
  }

  @Test
  void refuses_a_tree_that_nests_without_end() {
    JsonNode deep = NODES.arrayNode();
    for (int i = 0; i < 100_000; i++) {
      deep = i % 2 == 0 ? NODES.objectNode().set("backoff", deep) : NODES.arrayNode().add(deep);
    }
    JsonNode tree = NODES.objectNode().set("backoff", deep);

    assertTimeoutPreemptively(
        PATIENCE, () -> assertThat(isPolicy("deep", () -> PolicyJson.read(tree))).isFalse());
  }

  @Test
  void refuses_ten_megabytes_before_parsing_them() {
    String endless = "x".repeat(10_000_000);

    assertRefused(endless);
    assertRefused("{\"preset\": \"%s\"}".formatted(endless));
    assertRefused(" ".repeat(10_000_000) + "null");
  }

  @Test
  void refuses_numbers_that_would_take_all_memory() {
    List<JsonNode> numbers =
        List.of(
            NODES.numberNode(new BigDecimal(BigInteger.ONE, Integer.MIN_VALUE + 1)),
            NODES.numberNode(new BigDecimal(BigInteger.ONE, Integer.MAX_VALUE)),
            NODES.numberNode(BigInteger.TWO.pow(5_000_000)),
            NODES.numberNode(Double.NaN),
            NODES.numberNode(Double.POSITIVE_INFINITY),
            NODES.numberNode(Float.NaN));
    assertTimeoutPreemptively(
        PATIENCE,
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
  void refuses_too_many_unknown_fields_quickly() {
    ObjectNode tree = NODES.objectNode().put("max_retries", 3);
    for (int i = 0; i < 200_000; i++) {
      tree.put("unknown_field_" + i, i);
    }

    assertTimeoutPreemptively(
        PATIENCE, () -> assertThat(isPolicy("many", () -> PolicyJson.read(tree))).isFalse());
  }

  private static void assertRefused(String text) {
    assertThat(isPolicy(FieldError.sanitize(text), () -> PolicyJson.read(text))).isFalse();
  }

  /** True for a policy, false for problems; anything else fails. */
  private static boolean isPolicy(String place, Supplier<RetryPolicy> reading) {
    try {
      RetryPolicy policy = reading.get();
      assertThat(PolicyJson.read(PolicyJson.write(policy))).as(place).isEqualTo(policy);
      return true;
    } catch (InvalidPolicyException e) {
      assertThat(e.errors()).as(place).isNotEmpty().hasSizeLessThanOrEqualTo(101);
      assertThat(e.errors())
          .as(place)
          .allSatisfy(
              fieldError -> {
                assertThat(fieldError.message()).isNotBlank().hasSizeLessThan(1_000);
                assertThat(fieldError.path()).hasSizeLessThan(300);
              });
      return false;
    }
  }

  private static String mutated(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    StringBuilder text = new StringBuilder(good(seed, random));
    for (int times = 1 + random.nextInt(3); times > 0; times--) {
      mutate(text, random);
    }
    return text.toString();
  }

  private static String good(long seed, SplittableRandom random) {
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
      case 3 -> text.replace(from, to, SHARDS.get(random.nextInt(SHARDS.size())));
      case 4 -> replaceValue(text, from, SHARDS.get(random.nextInt(SHARDS.size())));
      default -> duplicateField(text, from);
    }
  }

  /** Puts something else behind the next colon, where a value stands. */
  private static void replaceValue(StringBuilder text, int from, String shard) {
    int start = text.indexOf(":", from) + 1;
    int end = start;
    while (end < text.length() && ",}]".indexOf(text.charAt(end)) < 0) {
      end++;
    }
    text.replace(start, end, shard);
  }

  private static void duplicateField(StringBuilder text, int from) {
    int start = text.indexOf("\"", from);
    int end = text.indexOf(",", Math.max(0, start));
    if (start >= 0 && end > start) {
      text.insert(end + 1, text.substring(start, end) + ",");
    }
  }

  /** A good tree with one value somewhere replaced by one of another type. */
  private static JsonNode wrongTree(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    JsonNode tree = JsonMapper.shared().readTree(good(seed, random));
    JsonNode here = tree;
    while (here.size() > 0) {
      int index = random.nextInt(here.size());
      if (here instanceof ArrayNode array) {
        JsonNode next = array.get(index);
        if (next.isEmpty() || random.nextInt(3) == 0) {
          array.set(index, strange(random));
          return tree;
        }
        here = next;
      } else {
        ObjectNode object = (ObjectNode) here;
        String name = List.copyOf(object.propertyNames()).get(index);
        JsonNode next = object.get(name);
        if (next.isEmpty() || random.nextInt(3) == 0) {
          object.set(name, strange(random));
          return tree;
        }
        here = next;
      }
    }
    return strange(random);
  }

  private static JsonNode strange(SplittableRandom random) {
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
