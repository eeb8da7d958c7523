// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
final class OrdersTest {

  private final Orders orders = new Orders(2);

  @Test
  void whoever_finds_the_line_full_waits_for_room() throws Exception {
    Order<Boolean> first = order();
    Order<Boolean> second = order();
    Order<Boolean> third = order();
    orders.add(first);
    orders.add(second);
    AtomicBoolean joined = new AtomicBoolean();
    Thread late =
        Thread.ofPlatform()
            .start(
                () -> {
                  orders.add(third);
                  joined.set(true);
                });
    while (late.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    assertThat(joined).isFalse();
    assertThat(orders.take(1)).isEqualTo(List.of(first));
    late.join();
    assertThat(orders.take(5)).isEqualTo(List.of(second, third));
  }

  @Test
  void a_group_is_no_larger_than_asked_for() {
    orders.add(order());
    orders.add(order());
    assertThat(orders.take(1)).hasSize(1);
    assertThat(orders.size()).isEqualTo(1);
  }

  private static Order<Boolean> order() {
    return new Order<>((session, now) -> true);
  }
}
