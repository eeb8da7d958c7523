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

/**
 * Checks that a lambda is never ambiguous, in Java or in Kotlin, and that Kotlin can call every
 * method by its name.
 */
class LambdasAreNeverAmbiguousTest {

  /** Kotlin keywords, which can be used as names only in backticks. */
  private static final Set<String> KOTLIN_KEYWORDS =
      Set.of("as", "fun", "in", "is", "object", "typealias", "typeof", "val", "var", "when");

  private static final Path SOURCES = Path.of("src/main/java");

  /** Returns all public types with public methods. */
  static List<Class<?>> types() throws IOException {
    try (Stream<Path> files = Files.walk(SOURCES)) {
      return files
          .map(file -> SOURCES.relativize(file).toString())
          .filter(file -> file.endsWith(".java") && !file.endsWith("-info.java"))
          .map(file -> file.replaceFirst("\\.java$", "").replace(File.separatorChar, '.'))
          .map(LambdasAreNeverAmbiguousTest::load)
          .filter(type -> Modifier.isPublic(type.getModifiers()))
          .<Class<?>>flatMap(
              type -> Stream.concat(Stream.of(type), Arrays.stream(type.getClasses())))
          .filter(type -> publicMethods(type).findAny().isPresent())
          .toList();
    }
  }

  private static Class<?> load(String name) {
    try {
      return Class.forName(name);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void finds_the_types_to_check() throws IOException {
    assertThat(types()).contains(Retry.class, RetryBuilder.class, HttpRetry.Builder.class);
  }

  private static Stream<Method> publicMethods(Class<?> type) {
    return Arrays.stream(type.getDeclaredMethods())
        .filter(method -> Modifier.isPublic(method.getModifiers()) && !method.isSynthetic());
  }

  @ParameterizedTest
  @MethodSource("types")
  void no_two_methods_have_the_same_name_and_number_of_parameters(Class<?> type) {
    assertThat(publicMethods(type).map(method -> method.getName() + method.getParameterCount()))
        .isNotEmpty()
        .doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @MethodSource("types")
  void no_method_is_named_like_a_kotlin_keyword(Class<?> type) {
    assertThat(publicMethods(type).map(Method::getName).collect(Collectors.toSet()))
        .doesNotContainAnyElementsOf(KOTLIN_KEYWORDS);
  }
}
