// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.query.TaskReader;
import dev.perdure.engine.spi.Outbox;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.task.StoreException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Wraps a store whose reads can fail after a write, or whose writes can fail. */
final class ReadFailingStore {

  private static final Set<String> WRITES =
      Set.of("submit", "apply", "addProgress", "update", "redeliver");
  private static final Set<String> READS = Set.of("find", "findAll", "list", "count", "attempts");

  private static final List<Class<?>> PARTS = List.of(TaskReader.class, Outbox.class);

  private final AtomicBoolean failAfterNextWrite = new AtomicBoolean();
  private final AtomicBoolean readsFail = new AtomicBoolean();
  private final AtomicInteger writesLeft = new AtomicInteger(Integer.MAX_VALUE);

  /** Reads fail after the next write. */
  void failReadsAfterNextWrite() {
    failAfterNextWrite.set(true);
  }

  /** Writes fail after this many. */
  void failWritesAfter(int writes) {
    writesLeft.set(writes);
  }

  void restore() {
    failAfterNextWrite.set(false);
    readsFail.set(false);
    writesLeft.set(Integer.MAX_VALUE);
  }

  TaskStore wrap(TaskStore real) {
    return proxy(TaskStore.class, real);
  }

  private <T> T proxy(Class<T> type, Object target) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> {
              boolean writes = WRITES.contains(method.getName());
              boolean refused = writes && writesLeft.getAndDecrement() <= 0;
              if (refused || (readsFail.get() && READS.contains(method.getName()))) {
                throw new StoreException("unavailable", null, StoreException.ErrorKind.UNAVAILABLE);
              }
              Object result = invoke(method, target, arguments);
              if (writes && failAfterNextWrite.get()) {
                readsFail.set(true);
              }
              return PARTS.stream()
                  .filter(part -> part.isInstance(result))
                  .map(part -> (Object) proxy(part, result))
                  .findFirst()
                  .orElse(result);
            }));
  }

  private static Object invoke(Method method, Object target, Object[] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
