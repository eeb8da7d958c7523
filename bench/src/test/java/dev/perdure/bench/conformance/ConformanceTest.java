// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.bench.conformance.Verdict.Outcome;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ConformanceTest {

  static List<Case> cases() {
    return Case.all();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void ours_keeps_every_promise(Case asked) throws InterruptedException {
    Verdict verdict = asked.on(new PerdureLibrary());

    assertThat(verdict.outcome()).as(verdict.evidence()).isEqualTo(Outcome.HOLDS);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void a_careless_library_is_found_out(Case asked) throws InterruptedException {
    Verdict verdict = asked.on(new CarelessLibrary());

    assertThat(verdict.outcome()).as(verdict.evidence()).isEqualTo(Outcome.FAILS);
  }

  @Test
  void a_library_is_not_asked_for_what_it_lacks() throws InterruptedException {
    Case asked =
        new Case(
            "never asked",
            Set.of(Feature.ASYNC),
            library -> {
              throw new AssertionError("asked all the same");
            });

    assertThat(asked.on(new SpringLibrary()).outcome()).isEqualTo(Outcome.NOT_APPLICABLE);
  }

  @Test
  void a_check_that_throws_counts_as_a_broken_promise() throws InterruptedException {
    Case asked =
        new Case(
            "thrown",
            Set.of(),
            library -> {
              throw new IllegalStateException("unexpected");
            });

    Verdict verdict = asked.on(new PerdureLibrary());

    assertThat(verdict.outcome()).isEqualTo(Outcome.FAILS);
    assertThat(verdict.evidence()).contains("unexpected");
  }
}
