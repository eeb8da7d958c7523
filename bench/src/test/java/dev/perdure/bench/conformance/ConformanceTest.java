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
  void ours_keeps_every_promise(ConformanceCase asked) throws InterruptedException {
    CheckResult checkResult = asked.run(new PerdureLibrary());

    assertThat(checkResult.outcome()).as(checkResult.evidence()).isEqualTo(Outcome.HOLDS);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void a_careless_library_is_found_out(ConformanceCase asked) throws InterruptedException {
    CheckResult checkResult = asked.run(new CarelessLibrary());

    assertThat(checkResult.outcome()).as(checkResult.evidence()).isEqualTo(Outcome.FAILS);
  }

  @Test
  void a_library_is_not_asked_for_what_it_lacks() throws InterruptedException {
    ConformanceCase asked =
        new ConformanceCase(
            "never asked",
            Set.of(Feature.ASYNC),
            library -> {
              throw new AssertionError("asked all the same");
            });

    assertThat(asked.run(new SpringLibrary()).outcome()).isEqualTo(Outcome.NOT_APPLICABLE);
  }

  @Test
  void a_check_that_throws_counts_as_a_broken_promise() throws InterruptedException {
    ConformanceCase asked =
        new ConformanceCase(
            "thrown",
            Set.of(),
            library -> {
              throw new IllegalStateException("unexpected");
            });

    CheckResult checkResult = asked.run(new PerdureLibrary());

    assertThat(checkResult.outcome()).isEqualTo(Outcome.FAILS);
    assertThat(checkResult.evidence()).contains("unexpected");
  }
}
