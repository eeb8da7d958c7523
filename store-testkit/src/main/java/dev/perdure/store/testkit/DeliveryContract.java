// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.store.DeliveryFilter;
import dev.perdure.engine.store.Outbox;
import dev.perdure.engine.store.PageRequest;
import dev.perdure.engine.store.Sending;
import dev.perdure.engine.task.Announcement;
import dev.perdure.engine.task.Change;
import dev.perdure.engine.task.Delivery;
import dev.perdure.engine.task.Delivery.Miss;
import dev.perdure.engine.task.Due;
import dev.perdure.engine.task.Lifecycle;
import dev.perdure.engine.task.LossLimit;
import dev.perdure.engine.task.Task;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;

/** What tests of deliveries have in common. */
abstract class DeliveryContract extends StoreContract {

  static final Duration LEASE = Duration.ofMinutes(2);
  static final Miss BUSY = new Miss("http", 503, "überlastet – „später“ 💶");
  static final Sending.End ARRIVED = new Sending.Arrived();

  final Outbox outbox;
  final Lifecycle telling = new Lifecycle(LossLimit.DEFAULT, DeliveryContract::announce, ids::next);

  DeliveryContract(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
    outbox = store.outbox();
  }

  private static List<Announcement> announce(Task before, Change change) {
    return List.of(new Announcement("on_" + change.to().text(), "{\"an\": \"Ärzte %_'\\\" 💶\"}"));
  }

  List<Delivery> all() {
    return outbox.list(DeliveryFilter.all(), PageRequest.first(PageRequest.MOST)).deliveries();
  }

  /** A delivery that tells of the end of a task. */
  Delivery told() {
    submit(Given.plain("a"));
    return told(running("a"));
  }

  Delivery told(Task running) {
    Change change = telling.settle(running, SUCCEEDED, clock.instant());
    write(change);
    return delivery(change.deliveries().getFirst().id());
  }

  /** That many, each of a task of its own in this shard, a millisecond after the one before. */
  List<Delivery> told(int shard, int many) {
    List<Delivery> told = new ArrayList<>();
    for (int i = 0; i < many; i++) {
      submit(shard, List.of(Given.plain("a")), Due.now());
      told.add(told(running("a")));
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

  Delivery taken() {
    List<Delivery> taken = claim(10);
    assertThat(taken).hasSize(1);
    return taken.getFirst();
  }

  boolean settle(Delivery taken, Sending.End end) {
    List<Boolean> written = outbox.settle(List.of(new Sending(taken.id(), taken.epoch(), end)));
    assertThat(written).hasSize(1);
    return written.getFirst();
  }

  static List<UUID> ids(List<Delivery> deliveries) {
    return deliveries.stream().map(Delivery::id).toList();
  }
}
