// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.internal.LossLimit;
import dev.perdure.engine.internal.TaskLifecycle;
import dev.perdure.engine.query.DeliveryFilter;
import dev.perdure.engine.query.PageRequest;
import dev.perdure.engine.spi.DeliveryUpdate;
import dev.perdure.engine.spi.Outbox;
import dev.perdure.engine.task.Delivery;
import dev.perdure.engine.task.Delivery.DeliveryFailure;
import dev.perdure.engine.task.DeliveryMessage;
import dev.perdure.engine.task.DueTime;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;

/** Shared setup for tests of deliveries. */
abstract class DeliveryContract extends StoreContract {

  static final Duration LEASE = Duration.ofMinutes(2);
  static final DeliveryFailure BUSY = new DeliveryFailure("http", 503, "überlastet – „später“ 💶");

  final Outbox outbox;
  final TaskLifecycle deliveringLifecycle =
      new TaskLifecycle(LossLimit.DEFAULT, DeliveryContract::planDeliveries, ids::next);

  DeliveryContract(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
    outbox = store.outbox();
  }

  private static List<DeliveryMessage> planDeliveries(Task before, TaskChange change) {
    return List.of(
        new DeliveryMessage("on_" + change.to().text(), "{\"an\": \"Ärzte %_'\\\" 💶\"}"));
  }

  List<Delivery> all() {
    return outbox.list(DeliveryFilter.all(), PageRequest.first(PageRequest.MAX_SIZE)).deliveries();
  }

  /** Creates a pending delivery about the end of a task. */
  Delivery pendingDelivery() {
    submit(TestTask.withoutRetry("a"));
    return pendingDelivery(running("a"));
  }

  Delivery pendingDelivery(Task running) {
    TaskChange change = deliveringLifecycle.settle(running, SUCCEEDED, clock.instant());
    write(change);
    return delivery(change.deliveries().getFirst().id());
  }

  /** Creates pending deliveries in this shard, one per task and a millisecond apart. */
  List<Delivery> pendingDeliveries(int shard, int count) {
    List<Delivery> pending = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      submit(shard, List.of(TestTask.withoutRetry("a")), DueTime.now());
      pending.add(pendingDelivery(running("a")));
      clock.advance(MILLI);
    }
    return pending;
  }

  Delivery delivery(UUID id) {
    return outbox.find(id).orElseThrow();
  }

  List<Delivery> claim(int limit) {
    return outbox.claim(limit, LEASE).deliveries();
  }

  Delivery claimedDelivery() {
    List<Delivery> claimed = claim(10);
    assertThat(claimed).hasSize(1);
    return claimed.getFirst();
  }

  boolean settle(DeliveryUpdate update) {
    List<Boolean> written = outbox.settle(List.of(update));
    assertThat(written).hasSize(1);
    return written.getFirst();
  }

  static List<UUID> ids(List<Delivery> deliveries) {
    return deliveries.stream().map(Delivery::id).toList();
  }
}
