// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import dev.perdure.engine.store.Figures;
import dev.perdure.engine.store.NodeBook;
import dev.perdure.engine.store.Sweeps;
import dev.perdure.engine.store.TaskReader;
import dev.perdure.engine.store.TaskStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.function.Consumer;

/** A store with somebody in the way of every call, who knows it by its name. */
final class Obstructed {

  private static final List<Class<?>> PARTS =
      List.of(Figures.class, NodeBook.class, Sweeps.class, TaskReader.class);

  private final Consumer<String> inTheWay;

  private Obstructed(Consumer<String> inTheWay) {
    this.inTheWay = inTheWay;
  }

  static TaskStore by(TaskStore store, Consumer<String> inTheWay) {
    return (TaskStore) new Obstructed(inTheWay).over(TaskStore.class, store);
  }

  private Object over(Class<?> type, Object inner) {
    return Proxy.newProxyInstance(
        type.getClassLoader(),
        new Class<?>[] {type},
        (proxy, method, arguments) -> answer(inner, method, arguments));
  }

  private Object answer(Object inner, Method method, Object[] arguments) throws Throwable {
    if (PARTS.contains(method.getReturnType())) {
      return over(method.getReturnType(), invoke(inner, method, arguments));
    }
    inTheWay.accept(method.getName());
    return invoke(inner, method, arguments);
  }

  private static Object invoke(Object inner, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(inner, arguments);
    } catch (InvocationTargetException thrown) {
      throw thrown.getCause();
    }
  }
}
