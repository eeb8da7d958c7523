// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.store.StoreException;
import dev.perdure.engine.store.StoreException.Sort;
import dev.perdure.server.http.RefusedException;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;

class RefusalsTest {

  private static RefusedException of(RuntimeException thrown) {
    return Refusals.of(thrown).orElseThrow();
  }

  @Test
  void an_outage_of_the_store_is_told_without_its_words() {
    RefusedException away = of(new StoreException("db.internal refused", null, Sort.UNAVAILABLE));

    assertThat(away.status()).isEqualTo(503);
    assertThat(away.headers()).containsEntry("Retry-After", "1");
    assertThat(away.detail()).doesNotContain("db.internal");
  }

  @Test
  void a_lost_answer_is_told_as_one() {
    RefusedException lost = of(new StoreException("x", null, Sort.UNKNOWN));

    assertThat(lost.status()).isEqualTo(503);
    assertThat(lost.detail()).contains("may have been done");
    assertThat(lost.headers()).as("nobody shall come again by himself").isEmpty();
  }

  @Test
  void what_is_missing_is_not_found() {
    assertThat(of(new NoSuchElementException("there is no task 7")).status()).isEqualTo(404);
  }

  @Test
  void everything_else_is_a_fault() {
    assertThat(Refusals.of(new StoreException("x", null, Sort.REFUSED))).isEmpty();
    assertThat(Refusals.of(new IllegalStateException("x"))).isEmpty();
  }
}
