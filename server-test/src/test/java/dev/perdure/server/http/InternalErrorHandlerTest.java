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

  private final List<Integer> exitStatuses = new ArrayList<>();
  private final InternalErrorHandler handler =
      new InternalErrorHandler(new SplittableRandom(1), exitStatuses::add);
  private final Request request =
      Request.of(
          "GET", "/x", QueryParameters.parse(null), Headers.from(each -> {}), () -> new byte[0]);

  static Stream<Throwable> requestErrors() {
    return Stream.of(
        new IllegalStateException("x"), new StackOverflowError("x"), new AssertionError("x"));
  }

  @ParameterizedTest
  @MethodSource("requestErrors")
  void responds_to_an_error_of_one_request(Throwable error) {
    assertThat(handler.respond(request, error).status()).isEqualTo(500);
    assertThat(exitStatuses).isEmpty();
  }

  @Test
  void ends_the_process_after_an_error_of_the_jvm() {
    handler.respond(request, new OutOfMemoryError("Java heap space"));
    assertThat(exitStatuses).containsExactly(3);
  }
}
