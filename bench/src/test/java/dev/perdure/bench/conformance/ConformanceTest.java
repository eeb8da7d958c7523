// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.bench.conformance.CheckResult.Outcome;
import dev.perdure.bench.docs.PerformanceDocument;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ConformanceTest {

  static List<ConformanceCase> cases() {
    return ConformanceCase.all();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void perdure_passes_every_case(ConformanceCase testCase) throws InterruptedException {
    CheckResult result = testCase.run(new PerdureLibrary());

    assertThat(result.outcome()).as(result.evidence()).isEqualTo(Outcome.PASSES);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void a_careless_library_fails_every_case(ConformanceCase testCase) throws InterruptedException {
    CheckResult result = testCase.run(new CarelessLibrary());

    assertThat(result.outcome()).as(result.evidence()).isEqualTo(Outcome.FAILS);
  }

  @Test
  void the_documented_number_of_requirements_is_right() {
    assertThat(PerformanceDocument.text())
        .contains("against %d requirements".formatted(cases().size()))
        .contains("meets all %d".formatted(cases().size()));
  }

  @Test
  void skips_a_case_whose_feature_the_library_lacks() throws InterruptedException {
    ConformanceCase testCase =
        new ConformanceCase(
            "skipped",
            Set.of(Feature.ASYNC),
            library -> {
              throw new AssertionError("must not run");
            });

    assertThat(testCase.run(new SpringLibrary()).outcome()).isEqualTo(Outcome.NOT_APPLICABLE);
  }

  @Test
  void a_check_that_throws_is_a_failure() throws InterruptedException {
    ConformanceCase testCase =
        new ConformanceCase(
            "throws",
            Set.of(),
            library -> {
              throw new IllegalStateException("unexpected");
            });

    CheckResult result = testCase.run(new PerdureLibrary());

    assertThat(result.outcome()).isEqualTo(Outcome.FAILS);
    assertThat(result.evidence()).contains("unexpected");
  }
}
