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
  void an_outage_of_the_store_is_told_without_its_words() {
    HttpProblemException away =
        of(new StoreException("db.internal refused", null, ErrorKind.UNAVAILABLE));

    assertThat(away.status()).isEqualTo(503);
    assertThat(away.headers()).containsEntry("Retry-After", "1");
    assertThat(away.detail()).doesNotContain("db.internal");
  }

  @Test
  void a_lost_answer_is_told_as_one() {
    HttpProblemException lost = of(new StoreException("x", null, ErrorKind.UNKNOWN));

    assertThat(lost.status()).isEqualTo(503);
    assertThat(lost.detail()).contains("may have been made");
    assertThat(lost.headers()).as("nobody shall come again by himself").isEmpty();
  }

  @Test
  void what_is_missing_is_not_found() {
    assertThat(of(new NoSuchElementException("there is no task 7")).status()).isEqualTo(404);
  }

  @Test
  void everything_else_is_a_fault() {
    assertThat(
            EngineExceptionMapper.toHttpProblem(new StoreException("x", null, ErrorKind.REFUSED)))
        .isEmpty();
    assertThat(EngineExceptionMapper.toHttpProblem(new IllegalStateException("x"))).isEmpty();
  }
}
