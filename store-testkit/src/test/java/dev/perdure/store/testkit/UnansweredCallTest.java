// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.AttemptCredential;
import dev.perdure.engine.Engine;
import dev.perdure.engine.EngineExecutor;
import dev.perdure.engine.HandlerOptions;
import dev.perdure.engine.ManualEngine;
import dev.perdure.engine.NewTask;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskState;
import dev.perdure.testing.FakeClock;
import dev.perdure.testing.InMemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A callee that does not respond to its call but reports progress to another node. */
class UnansweredCallTest {

  private static final String QUEUE = "perdure:call";
  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  private final FakeClock clock = new FakeClock();
  private final AtomicInteger reads = new AtomicInteger();
  private final TaskStore store = InterceptedStore.wrap(new InMemoryStore(clock, 1), this::called);
  private final List<Task> planned = new ArrayList<>();
  private final ManualEngine node =
      ManualEngines.on(store, clock, EngineExecutor.virtualThreads())
          .deliveryPlanner(
              (before, change) -> {
                planned.add(before);
                return List.of();
              })
          .buildManual();

  private void called(String name) {
    if (name.equals("find")) {
      reads.incrementAndGet();
    }
  }

  /** Starts a call that ends only when it is interrupted. */
  private UUID startCall() throws InterruptedException {
    CountDownLatch started = new CountDownLatch(1);
    node.engine()
        .registerQueue(
            QUEUE,
            context -> {
              context.issueHandle();
              started.countDown();
              new CountDownLatch(1).await();
            },
            HandlerOptions.defaults());
    UUID id = node.engine().submit(NewTask.of("job", 1).queue(QUEUE).timeout(TIMEOUT));
    node.renew();
    assertThat(node.claim()).isOne();
    started.await();
    return id;
  }

  private void advance(Duration length) {
    for (int i = 0; i < length.toSeconds(); i++) {
      clock.advance(Duration.ofSeconds(1));
      node.renew();
    }
  }

  private void report(UUID id) {
    Engine.on(store).remote().addProgress(id, AttemptCredential.ofHandle(1), 3, 0);
  }

  @Test
  void the_store_is_read_once_per_timeout() throws Exception {
    UUID id = startCall();
    advance(TIMEOUT);
    report(id);
    reads.set(0);
    assertThat(node.timeOut()).isZero();
    assertThat(node.timeOut()).isZero();

    assertThat(reads).hasValue(1);
    assertThat(store.reader().find(id).orElseThrow().state()).isEqualTo(TaskState.RUNNING);
  }

  @Test
  void the_delivery_about_its_end_includes_its_progress() throws Exception {
    UUID id = startCall();
    report(id);
    advance(TIMEOUT);
    assertThat(node.timeOut()).isOne();

    assertThat(planned).extracting(task -> task.progress().success()).containsExactly(3L);
  }
}
