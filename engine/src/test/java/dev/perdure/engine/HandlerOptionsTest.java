// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class HandlerOptionsTest {

  @Test
  void a_concurrency_of_0_is_refused() {
    assertThatThrownBy(() -> HandlerOptions.concurrency(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("concurrency: must be 1 or more, not 0");
    assertThat(HandlerOptions.concurrency(1).concurrency()).isOne();
  }
}
