// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FaultsTest {

  private final List<Integer> ends = new ArrayList<>();
  private final Faults faults = new Faults(new SplittableRandom(1), ends::add);
  private final Request request =
      Request.of("GET", "/x", Query.parse(null), Headers.from(each -> {}), () -> new byte[0]);

  static Stream<Throwable> small() {
    return Stream.of(
        new IllegalStateException("x"), new StackOverflowError("x"), new AssertionError("x"));
  }

  @ParameterizedTest
  @MethodSource("small")
  void of_one_request_are_answered(Throwable fault) {
    assertThat(faults.answer(request, fault).status()).isEqualTo(500);
    assertThat(ends).isEmpty();
  }

  @Test
  void of_the_whole_process_end_it() {
    faults.answer(request, new OutOfMemoryError("Java heap space"));
    assertThat(ends).containsExactly(3);
  }
}
