// SPDX-License-Identifier: Apache-2.0
package dev.perdure.retry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.retry.http.HttpRetry;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A lambda, in Java or in Kotlin, always says which method it means, and Kotlin can name it. */
class LambdasAreNeverAmbiguousTest {

  /** Words that a Kotlin program can use as a name only between backticks. */
  private static final Set<String> WORDS_OF_KOTLIN =
      Set.of("as", "fun", "in", "is", "object", "typealias", "typeof", "val", "var", "when");

  private static final Path SOURCES = Path.of("src/main/java");

  /** All that a program can name and call something of. */
  static List<Class<?>> types() throws IOException {
    try (Stream<Path> files = Files.walk(SOURCES)) {
      return files
          .map(file -> SOURCES.relativize(file).toString())
          .filter(file -> file.endsWith(".java") && !file.endsWith("-info.java"))
          .map(file -> file.replaceFirst("\\.java$", "").replace(File.separatorChar, '.'))
          .map(LambdasAreNeverAmbiguousTest::named)
          .filter(type -> Modifier.isPublic(type.getModifiers()))
          .<Class<?>>flatMap(
              type -> Stream.concat(Stream.of(type), Arrays.stream(type.getClasses())))
          .filter(type -> published(type).findAny().isPresent())
          .toList();
    }
  }

  private static Class<?> named(String name) {
    try {
      return Class.forName(name);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void there_are_such_types() throws IOException {
    assertThat(types()).contains(Retry.class, RetryBuilder.class, HttpRetry.Builder.class);
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
