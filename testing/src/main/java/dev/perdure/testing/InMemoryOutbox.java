// SPDX-License-Identifier: Apache-2.0
package dev.perdure.testing;

import dev.perdure.engine.query.DeliveryFilter;
import dev.perdure.engine.query.DeliveryPage;
import dev.perdure.engine.query.PageRequest;
import dev.perdure.engine.spi.ClaimedDeliveries;
import dev.perdure.engine.spi.DeliveryUpdate;
import dev.perdure.engine.spi.Outbox;
import dev.perdure.engine.task.Delivery;
import dev.perdure.engine.task.Delivery.DeliveryFailure;
import dev.perdure.engine.task.DeliveryState;
import dev.perdure.engine.task.IdOrder;
import dev.perdure.engine.task.NewDelivery;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The outbox of the in-memory store. */
final class InMemoryOutbox implements Outbox {

  private final InMemoryDatabase database;

  InMemoryOutbox(InMemoryDatabase database) {
    this.database = database;
  }

  @Override
  public ClaimedDeliveries claim(int limit, Duration lease) {
    synchronized (database) {
      Instant now = database.now();
      List<Delivery> claimed = new ArrayList<>();
      for (Delivery due : deliveries().due(now, limit)) {
        Delivery.DeliveryTimes times = due.times();
        claimed.add(
            put(
                due,
                DeliveryState.PENDING,
                due.epoch() + 1,
                due.attempt(),
                new Delivery.DeliveryTimes(
                    times.createdAt(),
                    times.retrySince(),
                    now.plus(lease),
                    now.plus(lease),
                    now,
                    null),
                due.lastFailure()));
      }
      return new ClaimedDeliveries(claimed, now);
    }
  }

  @Override
  public void extendLeases(List<Delivery> claimed, Duration lease) {
    synchronized (database) {
      Instant now = database.now();
      claimed.forEach(delivery -> extend(delivery, now.plus(lease), now));
    }
  }

  private void extend(Delivery claimed, Instant until, Instant now) {
    Delivery found = findLeased(claimed.id(), claimed.epoch());
    if (found != null) {
      Delivery.DeliveryTimes times = found.times();
      put(
          found,
          DeliveryState.PENDING,
          found.epoch(),
          found.attempt(),
          new Delivery.DeliveryTimes(
              times.createdAt(), times.retrySince(), until, until, now, null),
          found.lastFailure());
    }
  }

  private @Nullable Delivery findLeased(UUID id, long epoch) {
    Delivery found = deliveries().find(id);
    return found == null || found.times().leaseUntil() == null || found.epoch() != epoch
        ? null
        : found;
  }

  @Override
  public List<Boolean> settle(List<DeliveryUpdate> updates) {
    synchronized (database) {
      Instant now = database.now();
      return updates.stream().map(update -> settle(update, now)).toList();
    }
  }

  private boolean settle(DeliveryUpdate update, Instant now) {
    Delivery found = findLeased(update.delivery(), update.epoch());
    if (found == null) {
      return false;
    }
    Delivery.DeliveryTimes times = found.times();
    Duration delay = update.delay();
    put(
        found,
        update.state(),
        found.epoch(),
        found.attempt() + update.attemptIncrement(),
        new Delivery.DeliveryTimes(
            times.createdAt(),
            times.retrySince(),
            delay == null ? times.dueAt() : now.plus(delay),
            null,
            now,
            update.state() == DeliveryState.PENDING ? null : now),
        update.failure() == null ? found.lastFailure() : update.failure());
    return true;
  }

  @Override
  public boolean enqueue(UUID task, NewDelivery delivery) {
    synchronized (database) {
      StoredTask storedTask = database.tasks.find(task);
      if (storedTask != null) {
        deliveries().add(storedTask.task(), List.of(delivery), database.now());
      }
      return storedTask != null;
    }
  }

  @Override
  public Optional<Delivery> find(UUID id) {
    synchronized (database) {
      return Optional.ofNullable(deliveries().find(id));
    }
  }

  @Override
  public DeliveryPage list(DeliveryFilter filter, PageRequest page) {
    String after = page.cursor();
    UUID last = after == null ? null : UUID.fromString(after);
    synchronized (database) {
      List<Delivery> found =
          deliveries()
              .newestFirst()
              .filter(delivery -> matches(filter, delivery))
              .filter(delivery -> last == null || IdOrder.BYTEWISE.compare(delivery.id(), last) < 0)
              .limit(page.size() + 1L)
              .toList();
      if (found.size() <= page.size()) {
        return new DeliveryPage(found, null);
      }
      List<Delivery> shown = found.subList(0, page.size());
      return new DeliveryPage(shown, shown.getLast().id().toString());
    }
  }

  private static boolean matches(DeliveryFilter filter, Delivery delivery) {
    return (filter.state() == null || filter.state() == delivery.state())
        && (filter.task() == null || filter.task().equals(delivery.task()))
        && (filter.trigger() == null || filter.trigger().equals(delivery.message().trigger()));
  }

  @Override
  public boolean redeliver(UUID id, @Nullable DeliveryState from, Duration delay) {
    synchronized (database) {
      Delivery found = deliveries().find(id);
      if (found == null
          || found.state() == DeliveryState.PENDING
          || (from != null && from != found.state())
          || database.tasks.isBeingDeleted(found.batch())) {
        return false;
      }
      Instant now = database.now();
      Instant due = now.plus(delay);
      put(
          found,
          DeliveryState.PENDING,
          found.epoch(),
          0,
          new Delivery.DeliveryTimes(found.times().createdAt(), due, due, null, now, null),
          found.lastFailure());
      return true;
    }
  }

  private DeliveryTable deliveries() {
    return database.tasks.deliveries();
  }

  private Delivery put(
      Delivery before,
      DeliveryState state,
      long epoch,
      long attempt,
      Delivery.DeliveryTimes times,
      @Nullable DeliveryFailure failure) {
    Delivery after =
        new Delivery(
            before.id(),
            before.task(),
            before.batch(),
            before.message(),
            state,
            epoch,
            attempt,
            times,
            failure);
    deliveries().put(after);
    return after;
  }
}
