// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perdure.engine.internal.LossLimit;
import dev.perdure.engine.internal.TaskLifecycle;
import dev.perdure.engine.query.DeliveryFilter;
import dev.perdure.engine.query.DeliveryPage;
import dev.perdure.engine.query.PageRequest;
import dev.perdure.engine.spi.DeliveryUpdate;
import dev.perdure.engine.spi.WriteResult;
import dev.perdure.engine.task.Delivery;
import dev.perdure.engine.task.DeliveryMessage;
import dev.perdure.engine.task.DeliveryState;
import dev.perdure.engine.task.DueTime;
import dev.perdure.engine.task.NewDelivery;
import dev.perdure.engine.task.StoreException;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Deliveries are written with their change, listed, and deleted with their batch. */
abstract class OutboxContract extends DeliveryContract {

  OutboxContract(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
  }

  @Test
  void a_delivery_is_written_with_its_change() {
    UUID id = submit(TestTask.withoutRetry("a"));
    TaskChange change = deliveringLifecycle.settle(running("a"), SUCCEEDED, clock.instant());
    Task task = write(change);

    Instant now = clock.instant();
    assertThat(all())
        .containsExactly(
            new Delivery(
                change.deliveries().getFirst().id(),
                id,
                task.batch(),
                new DeliveryMessage("on_success", "{\"an\": \"Ärzte %_'\\\" 💶\"}"),
                DeliveryState.PENDING,
                0,
                0,
                new Delivery.DeliveryTimes(now, now, now, null, now, null),
                null));
  }

  @Test
  void a_delivery_can_be_enqueued_without_a_change() {
    UUID id = submit(TestTask.withoutRetry("a"));
    Task task = settle(running("a"), SUCCEEDED);
    Snapshot before = snapshot(id);
    NewDelivery single =
        new NewDelivery(ids.next(0), new DeliveryMessage("stop", "{\"an\": \"💶\"}"));

    assertThat(outbox.enqueue(id, single)).isTrue();
    Instant now = clock.instant();
    assertThat(all())
        .containsExactly(
            new Delivery(
                single.id(),
                id,
                task.batch(),
                single.message(),
                DeliveryState.PENDING,
                0,
                0,
                new Delivery.DeliveryTimes(now, now, now, null, now, null),
                null));
    assertThat(snapshot(id)).isEqualTo(before);
    assertThat(outbox.enqueue(ids.next(0), single)).as("of an unknown task").isFalse();
  }

  @Test
  void a_refused_change_writes_no_deliveries() {
    submit(TestTask.withoutRetry("a"));
    Task running = running("a");
    settle(running, SUCCEEDED);

    assertRefused(deliveringLifecycle.settle(running, FAILED, clock.instant()));
    assertThat(all()).isEmpty();
  }

  @Test
  void a_change_is_not_written_without_its_deliveries() {
    UUID same = ids.next(0);
    TaskLifecycle clashing =
        new TaskLifecycle(
            LossLimit.DEFAULT,
            (before, change) -> Collections.nCopies(2, new DeliveryMessage("on_x", "{}")),
            shard -> same);
    submit(0, List.of(TestTask.withoutRetry("a")), DueTime.now());
    Task running = running("a");
    Snapshot before = snapshot(running.id());

    assertThatThrownBy(() -> apply(clashing.settle(running, SUCCEEDED, clock.instant())))
        .isInstanceOf(StoreException.class);
    assertThat(snapshot(running.id())).isEqualTo(before);
    assertThat(all()).isEmpty();
  }

  @Test
  void only_applied_changes_of_a_batch_write_deliveries() {
    submit(0, Collections.nCopies(7, TestTask.withoutRetry("a")), DueTime.now());
    List<Task> tasks =
        claim(7, "a").leases().stream().map(lease -> find(lease.task().id())).toList();
    for (int i = 0; i < tasks.size(); i += 2) {
      settle(tasks.get(i), SUCCEEDED);
    }

    List<WriteResult> results =
        store.apply(
            tasks.stream()
                .map(task -> deliveringLifecycle.settle(task, SUCCEEDED, clock.instant()))
                .toList());

    assertThat(results.stream().map(WriteResult::applied))
        .containsExactly(false, true, false, true, false, true, false);
    assertThat(all().stream().map(Delivery::task))
        .containsExactlyInAnyOrder(tasks.get(1).id(), tasks.get(3).id(), tasks.get(5).id());
  }

  @Test
  void a_change_can_have_many_deliveries_or_none() {
    TaskLifecycle chatty =
        new TaskLifecycle(
            LossLimit.DEFAULT,
            (before, change) -> Collections.nCopies(100, new DeliveryMessage("on_x", "{}")),
            ids::next);
    List<UUID> tasks = submitAll(TestTask.withoutRetry("a"), TestTask.withoutRetry("b"));
    settle(running("a"), SUCCEEDED);
    write(chatty.settle(running("b"), SUCCEEDED, clock.instant()));

    assertThat(all()).hasSize(100).allMatch(delivery -> delivery.task().equals(tasks.getLast()));
  }

  @Test
  void a_delivery_in_a_callers_transaction_exists_after_its_commit() {
    submit(TestTask.withoutRetry("a"));
    Task running = running("a");
    TaskChange change = deliveringLifecycle.settle(running, SUCCEEDED, clock.instant());
    try (StoreFixture.OpenTransaction openTransaction = fixture.begin()) {
      assertThat(openTransaction.transaction().apply(List.of(change)))
          .containsExactly(WriteResult.written());
    }
    assertThat(all()).isEmpty();

    try (StoreFixture.OpenTransaction openTransaction = fixture.begin()) {
      openTransaction.transaction().apply(List.of(change));
      openTransaction.commit();
    }
    assertThat(ids(all())).containsExactly(change.deliveries().getFirst().id());
  }

  @Test
  void pages_list_each_delivery_once_newest_first() {
    List<UUID> created = new ArrayList<>();
    for (int i = 0; i < 23; i++) {
      created.add(pendingDelivery().id());
      clock.advance(MILLI);
    }

    List<UUID> seen = new ArrayList<>();
    DeliveryPage page = outbox.list(DeliveryFilter.all(), PageRequest.first(10));
    seen.addAll(ids(page.deliveries()));
    while (page.nextCursor() != null && seen.size() < 100) {
      page = outbox.list(DeliveryFilter.all(), new PageRequest(10, page.nextCursor()));
      seen.addAll(ids(page.deliveries()));
    }
    assertThat(seen).containsExactlyElementsOf(created.reversed());
  }

  @Test
  void deliveries_can_be_filtered_by_state_trigger_and_task() {
    Delivery sent = pendingDelivery();
    settle(DeliveryUpdate.sent(claimedDelivery()));
    Delivery dead = pendingDelivery();
    settle(DeliveryUpdate.dead(claimedDelivery(), BUSY));
    submit(TestTask.retrying("a"));
    TaskChange retry = deliveringLifecycle.settle(running("a"), FAILED, clock.instant());
    write(retry);
    UUID pending = retry.deliveries().getFirst().id();

    assertThat(shown(DeliveryFilter.in(DeliveryState.SENT))).containsExactly(sent.id());
    assertThat(shown(DeliveryFilter.in(DeliveryState.DEAD))).containsExactly(dead.id());
    assertThat(store.overview().deadLetters().deliveries()).isEqualTo(1);
    assertThat(shown(DeliveryFilter.in(DeliveryState.PENDING))).containsExactly(pending);
    assertThat(shown(DeliveryFilter.all().withTrigger("on_retry_pending")))
        .containsExactly(pending);
    assertThat(shown(DeliveryFilter.all().withTask(dead.task()))).containsExactly(dead.id());
    assertThat(shown(DeliveryFilter.in(DeliveryState.SENT).withTask(dead.task()))).isEmpty();
    assertThat(shown(DeliveryFilter.in(DeliveryState.DEAD).withTrigger("on_failure"))).isEmpty();
    assertThat(shown(DeliveryFilter.all().withTask(ids.next(0)))).isEmpty();
    assertThat(shown(DeliveryFilter.all())).hasSize(3);
  }

  private List<UUID> shown(DeliveryFilter filter) {
    return ids(outbox.list(filter, PageRequest.first(10)).deliveries());
  }

  @Test
  void a_batch_with_pending_deliveries_is_kept_and_deleted_with_them_later() {
    Duration age = Duration.ofDays(30);
    UUID id = pendingDelivery().id();
    clock.advance(age.plusSeconds(1));
    assertThat(store.maintenance().purge(age, 100)).isZero();

    settle(DeliveryUpdate.sent(claimedDelivery()));
    clock.advance(age.plusSeconds(1));
    assertThat(store.maintenance().purge(age, 100)).isEqualTo(1);
    assertThat(outbox.find(id)).isEmpty();
    assertThat(all()).isEmpty();
  }

  @Test
  void a_redelivery_keeps_its_batch() {
    Duration age = Duration.ofDays(30);
    UUID id = pendingDelivery().id();
    settle(DeliveryUpdate.dead(claimedDelivery(), BUSY));
    clock.advance(age.plusSeconds(1));
    assertThat(outbox.redeliver(id)).isTrue();

    assertThat(store.maintenance().purge(age, 100)).isZero();
    assertThat(claimedDelivery().id()).isEqualTo(id);
  }

  @Test
  void deliveries_of_a_batch_that_is_being_deleted_cannot_be_redelivered() {
    Duration age = Duration.ofDays(30);
    submitAll(TestTask.withoutRetry("a"), TestTask.withoutRetry("b"));
    for (String kind : List.of("a", "b")) {
      pendingDelivery(running(kind));
      settle(DeliveryUpdate.dead(claimedDelivery(), BUSY));
    }
    clock.advance(age.plusSeconds(1));
    assertThat(store.maintenance().purge(age, 1)).isOne();

    Delivery left = all().getFirst();
    assertThat(outbox.redeliver(left.id())).isFalse();
    assertThat(delivery(left.id())).isEqualTo(left);
    assertThat(store.maintenance().purge(age, 1)).isOne();
    assertThat(all()).isEmpty();
  }
}
