// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import dev.perdure.engine.query.TaskReader;
import dev.perdure.engine.spi.MaintenanceStore;
import dev.perdure.engine.spi.NodeRegistry;
import dev.perdure.engine.spi.Outbox;
import dev.perdure.engine.spi.RollupStore;
import dev.perdure.engine.spi.TaskStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.function.Consumer;

/** Wraps a store and calls hooks before and after each of its methods, with the method name. */
final class InterceptedStore {

  private static final List<Class<?>> PARTS =
      List.of(
          NodeRegistry.class,
          Outbox.class,
          MaintenanceStore.class,
          TaskReader.class,
          RollupStore.class);

  private final Consumer<String> beforeCall;
  private final Consumer<String> afterCall;

  private InterceptedStore(Consumer<String> beforeCall, Consumer<String> afterCall) {
    this.beforeCall = beforeCall;
    this.afterCall = afterCall;
  }

  static TaskStore wrap(TaskStore store, Consumer<String> beforeCall) {
    return wrap(store, beforeCall, name -> {});
  }

  /** The second hook runs after the call is done and before it returns. */
  static TaskStore wrap(TaskStore store, Consumer<String> beforeCall, Consumer<String> afterCall) {
    return (TaskStore) new InterceptedStore(beforeCall, afterCall).proxy(TaskStore.class, store);
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
    Object result = invoke(inner, method, arguments);
    afterCall.accept(method.getName());
    return result;
  }

  private static Object invoke(Object inner, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(inner, arguments);
    } catch (InvocationTargetException thrown) {
      throw thrown.getCause();
    }
  }
}
