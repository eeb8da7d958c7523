// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.task.StoreException;
import dev.perdure.engine.task.StoreException.ErrorKind;
import dev.perdure.server.http.HttpProblemException;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;

class EngineExceptionMapperTest {

  private static HttpProblemException of(RuntimeException thrown) {
    return EngineExceptionMapper.toHttpProblem(thrown).orElseThrow();
  }

  @Test
  void a_store_outage_is_a_503_without_internal_details() {
    HttpProblemException unavailable =
        of(new StoreException("db.internal refused", null, ErrorKind.UNAVAILABLE));

    assertThat(unavailable.status()).isEqualTo(503);
    assertThat(unavailable.headers()).containsEntry("Retry-After", "1");
    assertThat(unavailable.detail()).doesNotContain("db.internal");
  }

  @Test
  void a_lost_response_of_the_store_is_a_503_without_retry_after() {
    HttpProblemException lost = of(new StoreException("x", null, ErrorKind.UNKNOWN));

    assertThat(lost.status()).isEqualTo(503);
    assertThat(lost.detail()).contains("may have been made");
    assertThat(lost.headers()).as("clients must not retry automatically").isEmpty();
  }

  @Test
  void a_missing_element_is_a_404() {
    assertThat(of(new NoSuchElementException("there is no task 7")).status()).isEqualTo(404);
  }

  @Test
  void any_other_exception_is_an_internal_error() {
    assertThat(
            EngineExceptionMapper.toHttpProblem(new StoreException("x", null, ErrorKind.REFUSED)))
        .isEmpty();
    assertThat(EngineExceptionMapper.toHttpProblem(new IllegalStateException("x"))).isEmpty();
  }
}
