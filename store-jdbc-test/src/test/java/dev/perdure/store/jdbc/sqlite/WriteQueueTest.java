// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
final class WriteQueueTest {

  private final WriteQueue queue = new WriteQueue(2);

  @Test
  void adding_to_a_full_queue_waits() throws Exception {
    WriteRequest<Boolean> first = request();
    WriteRequest<Boolean> second = request();
    WriteRequest<Boolean> third = request();
    queue.add(first);
    queue.add(second);
    AtomicBoolean added = new AtomicBoolean();
    Thread late =
        Thread.ofPlatform()
            .start(
                () -> {
                  queue.add(third);
                  added.set(true);
                });
    while (late.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    assertThat(added).isFalse();
    assertThat(queue.take(1)).isEqualTo(List.of(first));
    late.join();
    assertThat(queue.take(5)).isEqualTo(List.of(second, third));
  }

  @Test
  void a_group_is_limited_to_the_requested_size() {
    queue.add(request());
    queue.add(request());
    assertThat(queue.take(1)).hasSize(1);
    assertThat(queue.size()).isEqualTo(1);
  }

  private static WriteRequest<Boolean> request() {
    return new WriteRequest<>((session, now) -> true);
  }
}
