// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.query.TaskReader;
import dev.perdure.engine.spi.Outbox;
import dev.perdure.engine.spi.TaskCounters;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.task.StoreException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Stands before a store that goes blind: from a write on nothing can be read. */
final class ReadFailingStore {

  private static final Set<String> WRITES = Set.of("submit", "apply", "add", "update", "redeliver");
  private static final Set<String> READS = Set.of("find", "findAll", "list", "count", "attempts");

  private static final List<Class<?>> PARTS =
      List.of(TaskReader.class, TaskCounters.class, Outbox.class);

  private final TaskStore real;
  private final AtomicBoolean fragile = new AtomicBoolean();
  private final AtomicBoolean blind = new AtomicBoolean();
  private final AtomicInteger writesLeft = new AtomicInteger(Integer.MAX_VALUE);

  ReadFailingStore(TaskStore real) {
    this.real = real;
  }

  /** The next write makes it blind. */
  void failReads() {
    fragile.set(true);
  }

  /** So many writes are taken, and then none. */
  void failReadsAfter(int writes) {
    writesLeft.set(writes);
  }

  void restoreReads() {
    fragile.set(false);
    blind.set(false);
    writesLeft.set(Integer.MAX_VALUE);
  }

  TaskStore store() {
    return proxy(TaskStore.class, real);
  }

  private <T> T proxy(Class<T> type, Object of) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> {
              boolean writes = WRITES.contains(method.getName());
              boolean refused = writes && writesLeft.getAndDecrement() <= 0;
              if (refused || (blind.get() && READS.contains(method.getName()))) {
                throw new StoreException("away", null, StoreException.ErrorKind.UNAVAILABLE);
              }
              Object answer = invoked(method, of, arguments);
              if (writes && fragile.get()) {
                blind.set(true);
              }
              return PARTS.stream()
                  .filter(part -> part.isInstance(answer))
                  .map(part -> (Object) proxy(part, answer))
                  .findFirst()
                  .orElse(answer);
            }));
  }

  private static Object invoked(Method method, Object of, Object[] arguments) throws Throwable {
    try {
      return method.invoke(of, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
