// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.engine.Engine;
import dev.perdure.engine.EngineListener;
import dev.perdure.engine.spi.MaintenanceStore;
import dev.perdure.engine.spi.TaskSnapshot;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.task.StoreException;
import dev.perdure.testing.InMemoryStore;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A purge that fails is not repeated before its next regular time. */
class RetentionErrorTest {

  private final CountDownLatch otherLoops = new CountDownLatch(3);
  private final AtomicInteger purges = new AtomicInteger();
  private final List<String> errors = new CopyOnWriteArrayList<>();

  @Test
  void waits_for_the_next_regular_time_after_an_error() throws InterruptedException {
    EngineListener listener =
        new EngineListener() {
          @Override
          public void onStoreError(String part, RuntimeException error) {
            errors.add(part);
          }
        };
    InMemoryStore store = new InMemoryStore(InstantSource.system(), 1);
    try (Engine engine =
        Engine.builder(withFailingPurge(store))
            .retention(Duration.ofDays(1))
            .listener(listener)
            .build()) {
      engine.start();
      // The other loop runs once per second. In three seconds, a purge with the usual wait after an
      // error would run six times.
      assertThat(otherLoops.await(30, TimeUnit.SECONDS)).isTrue();
    }
    assertThat(purges).hasValue(1);
    assertThat(errors).containsExactly("purge");
  }

  private TaskStore withFailingPurge(TaskStore inner) {
    return (TaskStore)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {TaskStore.class},
            (proxy, method, arguments) ->
                method.getName().equals("maintenance")
                    ? new FailingRetention(inner.maintenance())
                    : method.invoke(inner, arguments));
  }

  /** Counts the purges and lets each of them fail. */
  private final class FailingRetention implements MaintenanceStore {

    private final MaintenanceStore inner;

    FailingRetention(MaintenanceStore inner) {
      this.inner = inner;
    }

    @Override
    public TaskSnapshot orphans(int limit) {
      return inner.orphans(limit);
    }

    @Override
    public TaskSnapshot inactive(int limit) {
      return inner.inactive(limit);
    }

    @Override
    public TaskSnapshot pastDeadline(int limit) {
      otherLoops.countDown();
      return inner.pastDeadline(limit);
    }

    @Override
    public int purge(Duration age, int limit) {
      purges.incrementAndGet();
      throw new StoreException("purge failed", null, StoreException.ErrorKind.UNAVAILABLE);
    }

    @Override
    public MaintenanceStore.LimitSweep sweepLimits(String after, int limit) {
      return inner.sweepLimits(after, limit);
    }

    @Override
    public int purgeSubmissionKeys(int limit) {
      return inner.purgeSubmissionKeys(limit);
    }
  }
}
