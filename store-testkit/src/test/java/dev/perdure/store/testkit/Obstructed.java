// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import dev.perdure.engine.store.Figures;
import dev.perdure.engine.store.NodeBook;
import dev.perdure.engine.store.Outbox;
import dev.perdure.engine.store.Sweeps;
import dev.perdure.engine.store.TaskReader;
import dev.perdure.engine.store.TaskStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.function.Consumer;

/** A store with somebody in the way of every call, or behind it, who knows it by its name. */
final class Obstructed {

  private static final List<Class<?>> PARTS =
      List.of(Figures.class, NodeBook.class, Outbox.class, Sweeps.class, TaskReader.class);

  private final Consumer<String> inTheWay;
  private final Consumer<String> behind;

  private Obstructed(Consumer<String> inTheWay, Consumer<String> behind) {
    this.inTheWay = inTheWay;
    this.behind = behind;
  }

  static TaskStore by(TaskStore store, Consumer<String> inTheWay) {
    return by(store, inTheWay, name -> {});
  }

  /** Somebody is behind every call, too: it is done, and its answer on its way. */
  static TaskStore by(TaskStore store, Consumer<String> inTheWay, Consumer<String> behind) {
    return (TaskStore) new Obstructed(inTheWay, behind).over(TaskStore.class, store);
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
    Object answer = invoke(inner, method, arguments);
    behind.accept(method.getName());
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
