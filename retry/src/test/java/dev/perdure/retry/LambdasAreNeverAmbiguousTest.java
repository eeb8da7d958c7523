// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.retry.http.DurableHttp;
import dev.perdure.retry.http.HttpRetry;
import dev.perdure.retry.micrometer.RetryMetrics;
import dev.perdure.retry.testing.FakeWaits;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A lambda, in Java or in Kotlin, always says which method it means, and Kotlin can name it. */
class LambdasAreNeverAmbiguousTest {

  /** Words that a Kotlin program can use as a name only between backticks. */
  private static final Set<String> WORDS_OF_KOTLIN =
      Set.of("as", "fun", "in", "is", "object", "typealias", "typeof", "val", "var", "when");

  static List<Class<?>> types() {
    return List.of(
        Retry.class,
        RetryBuilder.class,
        DurableRetry.class,
        RetryBudget.class,
        Breaker.class,
        Waits.class,
        HttpRetry.class,
        HttpRetry.Builder.class,
        DurableHttp.class,
        RetryMetrics.class,
        FakeWaits.class);
  }

  private static Stream<Method> published(Class<?> type) {
    return Arrays.stream(type.getDeclaredMethods())
        .filter(method -> Modifier.isPublic(method.getModifiers()) && !method.isSynthetic());
  }

  @ParameterizedTest
  @MethodSource("types")
  void no_two_methods_of_one_name_take_as_many_arguments(Class<?> type) {
    assertThat(published(type).map(method -> method.getName() + method.getParameterCount()))
        .isNotEmpty()
        .doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @MethodSource("types")
  void no_method_has_a_name_that_kotlin_must_quote(Class<?> type) {
    assertThat(published(type).map(Method::getName).collect(Collectors.toSet()))
        .doesNotContainAnyElementsOf(WORDS_OF_KOTLIN);
  }
}
