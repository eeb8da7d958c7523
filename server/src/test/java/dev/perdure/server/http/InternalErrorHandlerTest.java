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

class InternalErrorHandlerTest {

  private final List<Integer> ends = new ArrayList<>();
  private final InternalErrorHandler internalErrorHandler =
      new InternalErrorHandler(new SplittableRandom(1), ends::add);
  private final Request request =
      Request.of(
          "GET", "/x", QueryParameters.parse(null), Headers.from(each -> {}), () -> new byte[0]);

  static Stream<Throwable> small() {
    return Stream.of(
        new IllegalStateException("x"), new StackOverflowError("x"), new AssertionError("x"));
  }

  @ParameterizedTest
  @MethodSource("small")
  void of_one_request_are_answered(Throwable fault) {
    assertThat(internalErrorHandler.respond(request, fault).status()).isEqualTo(500);
    assertThat(ends).isEmpty();
  }

  @Test
  void of_the_whole_process_end_it() {
    internalErrorHandler.respond(request, new OutOfMemoryError("Java heap space"));
    assertThat(ends).containsExactly(3);
  }
}
