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
import dev.perdure.engine.task.Due;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;

/** What tests of deliveries have in common. */
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

  private static List<DeliveryMessage> planDeliveries(Task before, TaskChange taskChange) {
    return List.of(
        new DeliveryMessage("on_" + taskChange.to().text(), "{\"an\": \"Ärzte %_'\\\" 💶\"}"));
  }

  List<Delivery> all() {
    return outbox.list(DeliveryFilter.all(), PageRequest.first(PageRequest.MAX_SIZE)).deliveries();
  }

  /** A delivery that tells of the end of a task. */
  Delivery pendingDelivery() {
    submit(TestTask.withoutRetry("a"));
    return pendingDelivery(running("a"));
  }

  Delivery pendingDelivery(Task running) {
    TaskChange taskChange = deliveringLifecycle.settle(running, SUCCEEDED, clock.instant());
    write(taskChange);
    return delivery(taskChange.deliveries().getFirst().id());
  }

  /** That many, each of a task of its own in this shard, a millisecond after the one before. */
  List<Delivery> pendingDelivery(int shard, int many) {
    List<Delivery> told = new ArrayList<>();
    for (int i = 0; i < many; i++) {
      submit(shard, List.of(TestTask.withoutRetry("a")), Due.now());
      told.add(pendingDelivery(running("a")));
      clock.advance(MILLI);
    }
    return told;
  }

  Delivery delivery(UUID id) {
    return outbox.find(id).orElseThrow();
  }

  List<Delivery> claim(int limit) {
    return outbox.claim(limit, LEASE).deliveries();
  }

  Delivery claimedDelivery() {
    List<Delivery> taken = claim(10);
    assertThat(taken).hasSize(1);
    return taken.getFirst();
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
