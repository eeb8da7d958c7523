// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.bench.DecisionBenchmark;
import dev.perdure.bench.SuccessPathBenchmark;
import dev.perdure.bench.TwoFailuresBenchmark;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks that the documented commands exist. The tests of each main class check its options. */
class PerformanceDocumentTest {

  private static final List<Class<?>> BENCHMARKS =
      List.of(DecisionBenchmark.class, SuccessPathBenchmark.class, TwoFailuresBenchmark.class);

  static List<String> mainClasses() {
    return PerformanceDocument.mainClasses();
  }

  @ParameterizedTest
  @MethodSource("mainClasses")
  void every_command_runs_an_existing_main_class(String name) throws Exception {
    assertThat(Class.forName(name).getMethod("main", String[].class)).isNotNull();
  }

  @Test
  void the_commands_run_every_jmh_benchmark() {
    List<String> patterns = PerformanceDocument.benchmarkPatterns();
    Stream<Class<?>> found =
        patterns.stream()
            .map(Pattern::compile)
            .flatMap(
                pattern ->
                    BENCHMARKS.stream().filter(type -> pattern.matcher(type.getName()).find()));

    assertThat(found).containsExactlyInAnyOrderElementsOf(BENCHMARKS);
  }
}
