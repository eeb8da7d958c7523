// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import dev.perdure.engine.Engine;
import dev.perdure.engine.EngineBuilder;
import dev.perdure.engine.query.PageRequest;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.task.Task;
import dev.perdure.policy.RetryPolicy;
import dev.perdure.testing.RecordingListener;
import java.time.Duration;
import java.time.InstantSource;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;

/** Shared setup: an engine with its own threads and the real clock on a store. */
abstract class EngineOnStore {

  /** The payload of the test tasks. */
  record Mail(String to, int copies) {}

  static final RetryPolicy AT_ONCE = RetryPolicy.immediate().maxRetries(3).build();
  static final Mail MAIL = new Mail("ada@example.org", 2);

  final StoreFixture fixture;
  final TaskStore store;
  final RecordingListener listener = new RecordingListener();
  final BlockingQueue<Object> received = new LinkedBlockingQueue<>();
  final Engine engine;

  EngineOnStore(Supplier<StoreFixture> fixtures) {
    fixture = fixtures.get();
    store = fixture.create(InstantSource.system(), 1);
    engine = builder().build();
  }

  final EngineBuilder builder() {
    return Engine.builder(store).listener(listener).pollInterval(Duration.ofMillis(20));
  }

  @AfterEach
  void stop_and_close() {
    engine.stop(Duration.ZERO);
    fixture.close();
  }

  final void blockUntilInterrupted(CountDownLatch started) throws InterruptedException {
    started.countDown();
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException interrupt) {
      received.add("interrupted");
      throw interrupt;
    }
  }

  final Task task(UUID id) {
    return engine.find(id).orElseThrow();
  }

  static Mail to(String address) {
    return new Mail(address, 1);
  }

  static PageRequest first() {
    return PageRequest.first(50);
  }
}
