// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.api;

import dev.perdure.engine.query.TaskReader;
import dev.perdure.engine.spi.BatchStore;
import dev.perdure.engine.spi.ScheduleStore;
import dev.perdure.engine.spi.TaskStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.function.Consumer;

/** Wraps a store, and tells which of its reads and writes come. */
final class InterceptedStore {

  private static final List<Class<?>> PARTS =
      List.of(ScheduleStore.class, BatchStore.class, TaskReader.class);

  private InterceptedStore() {}

  /**
   * @param before gets each call before it is made, such as {@code ScheduleStore.update}; it may
   *     throw
   */
  static TaskStore of(TaskStore store, Consumer<String> before) {
    return proxy(TaskStore.class, store, before);
  }

  private static <T> T proxy(Class<T> type, Object target, Consumer<String> before) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> {
              if (type != TaskStore.class) {
                before.accept(type.getSimpleName() + "." + method.getName());
              }
              Object result = invoke(method, target, arguments);
              return PARTS.stream()
                  .filter(part -> method.getReturnType() == part)
                  .map(part -> (Object) proxy(part, result, before))
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
