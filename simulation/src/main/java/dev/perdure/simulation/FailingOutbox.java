// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import dev.perdure.engine.store.DeliveryFilter;
import dev.perdure.engine.store.DeliveryPage;
import dev.perdure.engine.store.Outbox;
import dev.perdure.engine.store.PageRequest;
import dev.perdure.engine.store.Sending;
import dev.perdure.engine.store.Taken;
import dev.perdure.engine.task.Delivery;
import dev.perdure.engine.task.NewDelivery;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The outbox, at the other end of a wire. */
final class FailingOutbox implements Outbox {

  private final Outbox inner;
  private final Wire wire;

  FailingOutbox(Outbox inner, Wire wire) {
    this.inner = inner;
    this.wire = wire;
  }

  @Override
  public Taken claim(int limit, Duration lease) {
    return wire.write("take", () -> inner.claim(limit, lease));
  }

  @Override
  public void extend(List<Delivery> taken, Duration lease) {
    wire.write(
        "extend",
        () -> {
          inner.extend(taken, lease);
          return taken.size();
        });
  }

  @Override
  public List<Boolean> settle(List<Sending> sendings) {
    return wire.write("sent", () -> inner.settle(sendings));
  }

  @Override
  public boolean post(UUID task, NewDelivery delivery) {
    return wire.write("post", () -> inner.post(task, delivery));
  }

  @Override
  public Optional<Delivery> find(UUID id) {
    return wire.read("find delivery", () -> inner.find(id));
  }

  @Override
  public DeliveryPage list(DeliveryFilter filter, PageRequest page) {
    return wire.read("list deliveries", () -> inner.list(filter, page));
  }

  @Override
  public boolean redeliver(UUID id) {
    return wire.write("redeliver", () -> inner.redeliver(id));
  }
}
