// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import dev.perdure.engine.query.TaskReader;
import dev.perdure.engine.spi.MaintenanceStore;
import dev.perdure.engine.spi.NodeRegistry;
import dev.perdure.engine.spi.Outbox;
import dev.perdure.engine.spi.TaskCounters;
import dev.perdure.engine.spi.TaskStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.function.Consumer;

/** A store with somebody in the way of every call, or behind it, who knows it by its name. */
final class InterceptedStore {

  private static final List<Class<?>> PARTS =
      List.of(
          TaskCounters.class,
          NodeRegistry.class,
          Outbox.class,
          MaintenanceStore.class,
          TaskReader.class);

  private final Consumer<String> beforeCall;
  private final Consumer<String> afterCall;

  private InterceptedStore(Consumer<String> inTheWay, Consumer<String> behind) {
    this.beforeCall = inTheWay;
    this.afterCall = behind;
  }

  static TaskStore wrap(TaskStore store, Consumer<String> inTheWay) {
    return wrap(store, inTheWay, name -> {});
  }

  /** Somebody is behind every call, too: it is done, and its answer on its way. */
  static TaskStore wrap(TaskStore store, Consumer<String> inTheWay, Consumer<String> behind) {
    return (TaskStore) new InterceptedStore(inTheWay, behind).proxy(TaskStore.class, store);
  }

  private Object proxy(Class<?> type, Object inner) {
    return Proxy.newProxyInstance(
        type.getClassLoader(),
        new Class<?>[] {type},
        (proxy, method, arguments) -> intercept(inner, method, arguments));
  }

  private Object intercept(Object inner, Method method, Object[] arguments) throws Throwable {
    if (PARTS.contains(method.getReturnType())) {
      return proxy(method.getReturnType(), invoke(inner, method, arguments));
    }
    beforeCall.accept(method.getName());
    Object answer = invoke(inner, method, arguments);
    afterCall.accept(method.getName());
    return answer;
  }

  private static Object invoke(Object inner, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(inner, arguments);
    } catch (InvocationTargetException thrown) {
      throw thrown.getCause();
    }
  }
}
