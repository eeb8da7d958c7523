// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.bench.conformance.CheckResult.Outcome;
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
  void ours_keeps_every_promise(ConformanceCase testCase) throws InterruptedException {
    CheckResult result = testCase.run(new PerdureLibrary());

    assertThat(result.outcome()).as(result.evidence()).isEqualTo(Outcome.HOLDS);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void a_careless_library_is_found_out(ConformanceCase testCase) throws InterruptedException {
    CheckResult result = testCase.run(new CarelessLibrary());

    assertThat(result.outcome()).as(result.evidence()).isEqualTo(Outcome.FAILS);
  }

  @Test
  void a_library_is_not_asked_for_what_it_lacks() throws InterruptedException {
    ConformanceCase testCase =
        new ConformanceCase(
            "never asked",
            Set.of(Feature.ASYNC),
            library -> {
              throw new AssertionError("asked all the same");
            });

    assertThat(testCase.run(new SpringLibrary()).outcome()).isEqualTo(Outcome.NOT_APPLICABLE);
  }

  @Test
  void a_check_that_throws_counts_as_a_broken_promise() throws InterruptedException {
    ConformanceCase testCase =
        new ConformanceCase(
            "thrown",
            Set.of(),
            library -> {
              throw new IllegalStateException("unexpected");
            });

    CheckResult result = testCase.run(new PerdureLibrary());

    assertThat(result.outcome()).isEqualTo(Outcome.FAILS);
    assertThat(result.evidence()).contains("unexpected");
  }
}
