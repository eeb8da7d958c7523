// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation;

import dev.perdure.engine.query.DeliveryFilter;
import dev.perdure.engine.query.DeliveryPage;
import dev.perdure.engine.query.PageRequest;
import dev.perdure.engine.spi.ClaimedDeliveries;
import dev.perdure.engine.spi.DeliveryUpdate;
import dev.perdure.engine.spi.Outbox;
import dev.perdure.engine.task.Delivery;
import dev.perdure.engine.task.DeliveryState;
import dev.perdure.engine.task.NewDelivery;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** An outbox behind an unreliable connection. */
final class FailingOutbox implements Outbox {

  private final Outbox inner;
  private final UnreliableConnection connection;

  FailingOutbox(Outbox inner, UnreliableConnection connection) {
    this.inner = inner;
    this.connection = connection;
  }

  @Override
  public ClaimedDeliveries claim(int limit, Duration lease) {
    return connection.write("claim deliveries", () -> inner.claim(limit, lease));
  }

  @Override
  public void extendLeases(List<Delivery> claimed, Duration lease) {
    connection.write(
        "extend delivery leases",
        () -> {
          inner.extendLeases(claimed, lease);
          return claimed.size();
        });
  }

  @Override
  public List<Boolean> settle(List<DeliveryUpdate> updates) {
    return connection.write("settle deliveries", () -> inner.settle(updates));
  }

  @Override
  public boolean enqueue(UUID task, NewDelivery delivery) {
    return connection.write("enqueue delivery", () -> inner.enqueue(task, delivery));
  }

  @Override
  public Optional<Delivery> find(UUID id) {
    return connection.read("find delivery", () -> inner.find(id));
  }

  @Override
  public DeliveryPage list(DeliveryFilter filter, PageRequest page) {
    return connection.read("list deliveries", () -> inner.list(filter, page));
  }

  @Override
  public boolean redeliver(UUID id, @Nullable DeliveryState from, Duration delay) {
    return connection.write("redeliver", () -> inner.redeliver(id, from, delay));
  }
}
