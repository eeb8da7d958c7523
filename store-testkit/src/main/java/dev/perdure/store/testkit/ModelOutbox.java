// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import dev.perdure.engine.store.DeliveryFilter;
import dev.perdure.engine.store.DeliveryPage;
import dev.perdure.engine.store.Outbox;
import dev.perdure.engine.store.PageRequest;
import dev.perdure.engine.store.Sending;
import dev.perdure.engine.store.Taken;
import dev.perdure.engine.task.Delivery;
import dev.perdure.engine.task.Delivery.Miss;
import dev.perdure.engine.task.DeliveryState;
import dev.perdure.engine.task.NewDelivery;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The model's outbox. */
final class ModelOutbox implements Outbox {

  private final ModelDatabase database;

  ModelOutbox(ModelDatabase database) {
    this.database = database;
  }

  @Override
  public Taken claim(int limit, Duration lease) {
    synchronized (database) {
      Instant now = database.now();
      List<Delivery> taken = new ArrayList<>();
      for (Delivery due : deliveries().due(now, limit)) {
        Delivery.Times times = due.times();
        taken.add(
            put(
                due,
                DeliveryState.PENDING,
                due.epoch() + 1,
                due.attempt(),
                new Delivery.Times(
                    times.createdAt(), times.since(), now.plus(lease), now.plus(lease), now, null),
                due.miss()));
      }
      return new Taken(taken, now);
    }
  }

  @Override
  public void extend(List<Delivery> taken, Duration lease) {
    synchronized (database) {
      Instant now = database.now();
      taken.forEach(one -> extend(one, now.plus(lease), now));
    }
  }

  private void extend(Delivery taken, Instant until, Instant now) {
    Delivery found = held(taken.id(), taken.epoch());
    if (found != null) {
      Delivery.Times times = found.times();
      put(
          found,
          DeliveryState.PENDING,
          found.epoch(),
          found.attempt(),
          new Delivery.Times(times.createdAt(), times.since(), until, until, now, null),
          found.miss());
    }
  }

  private @Nullable Delivery held(UUID id, long epoch) {
    Delivery found = deliveries().find(id);
    return found == null || found.times().leaseUntil() == null || found.epoch() != epoch
        ? null
        : found;
  }

  @Override
  public List<Boolean> settle(List<Sending> sendings) {
    synchronized (database) {
      Instant now = database.now();
      return sendings.stream().map(sending -> settle(sending, now)).toList();
    }
  }

  private boolean settle(Sending sending, Instant now) {
    Delivery found = held(sending.delivery(), sending.epoch());
    if (found == null) {
      return false;
    }
    switch (sending.end()) {
      case Sending.Arrived arrived -> end(found, DeliveryState.SENT, null, now);
      case Sending.GivenUp givenUp -> end(found, DeliveryState.DEAD, givenUp.miss(), now);
      case Sending.Again again ->
          wait(found, found.attempt() + 1, again.miss(), now.plus(again.delay()), now);
      case Sending.PutOff putOff ->
          wait(found, found.attempt(), found.miss(), now.plus(putOff.delay()), now);
    }
    return true;
  }

  private void end(Delivery found, DeliveryState state, @Nullable Miss miss, Instant now) {
    Delivery.Times times = found.times();
    put(
        found,
        state,
        found.epoch(),
        found.attempt(),
        new Delivery.Times(times.createdAt(), times.since(), times.dueAt(), null, now, now),
        miss == null ? found.miss() : miss);
  }

  private void wait(Delivery found, long attempt, @Nullable Miss miss, Instant due, Instant now) {
    Delivery.Times times = found.times();
    put(
        found,
        DeliveryState.PENDING,
        found.epoch(),
        attempt,
        new Delivery.Times(times.createdAt(), times.since(), due, null, now, null),
        miss);
  }

  @Override
  public boolean post(UUID task, NewDelivery delivery) {
    synchronized (database) {
      Row row = database.tasks.find(task);
      if (row != null) {
        deliveries().add(row.task(), List.of(delivery), database.now());
      }
      return row != null;
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
    String after = page.after();
    UUID last = after == null ? null : UUID.fromString(after);
    synchronized (database) {
      List<Delivery> found =
          deliveries()
              .newestFirst()
              .filter(one -> matches(filter, one))
              .filter(one -> last == null || Row.ID_ORDER.compare(one.id(), last) < 0)
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
        && (filter.trigger() == null || filter.trigger().equals(delivery.announcement().trigger()));
  }

  @Override
  public boolean redeliver(UUID id) {
    synchronized (database) {
      Delivery found = deliveries().find(id);
      if (found == null
          || found.state() == DeliveryState.PENDING
          || database.tasks.isGoing(found.batch())) {
        return false;
      }
      Instant now = database.now();
      put(
          found,
          DeliveryState.PENDING,
          found.epoch(),
          0,
          new Delivery.Times(found.times().createdAt(), now, now, null, now, null),
          found.miss());
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
      Delivery.Times times,
      @Nullable Miss miss) {
    Delivery after =
        new Delivery(
            before.id(),
            before.task(),
            before.batch(),
            before.announcement(),
            state,
            epoch,
            attempt,
            times,
            miss);
    deliveries().put(after);
    return after;
  }
}
