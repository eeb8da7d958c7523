// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine.spi;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.engine.task.Delivery.DeliveryFailure;
import dev.perdure.engine.task.DeliveryOutcome;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DeliveryUpdateTest {

  private static final UUID ID = new UUID(0, 1);
  private static final DeliveryFailure FAILURE = new DeliveryFailure("timeout", 0, "no answer");

  @ParameterizedTest
  @EnumSource
  void only_a_delivery_that_goes_on_has_a_delay(DeliveryOutcome outcome) {
    boolean ended = outcome == DeliveryOutcome.SENT || outcome == DeliveryOutcome.DEAD;

    assertThatThrownBy(() -> new DeliveryUpdate(ID, 1, outcome, ended ? Duration.ZERO : null, null))
        .hasMessageStartingWith("delay: must be null exactly when the delivery has ended");
  }

  @Test
  void only_a_failed_delivery_has_a_failure() {
    assertThatThrownBy(() -> new DeliveryUpdate(ID, 1, DeliveryOutcome.SENT, null, FAILURE))
        .hasMessageStartingWith("failure: must be set exactly when the delivery failed");
    assertThatThrownBy(() -> new DeliveryUpdate(ID, 1, DeliveryOutcome.DEAD, null, null))
        .hasMessageStartingWith("failure: must be set exactly when the delivery failed");
  }
}
