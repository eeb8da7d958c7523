// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.faults;

import dev.perdure.engine.query.TaskReader;
import dev.perdure.engine.spi.MaintenanceStore;
import dev.perdure.engine.spi.NodeRegistry;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.task.StoreException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * The line between one node and the store. It can be cut, lose the answer to a call that was
 * carried out, and let something happen right before or after a call. Calls go by the names of
 * their methods.
 */
final class FaultInjectingStore {

  private static final List<Class<?>> PARTS =
      List.of(NodeRegistry.class, MaintenanceStore.class, TaskReader.class);

  private final TaskStore store;
  private final Map<String, Integer> responsesToLose = new HashMap<>();
  private final Set<String> failAfter = new HashSet<>();
  private final Map<String, Runnable> after = new HashMap<>();
  private final Map<String, Predicate<String>> refused = new HashMap<>();
  private final Map<String, UnaryOperator<Object>> replacedResults = new HashMap<>();
  private Runnable around = () -> {};
  private boolean disconnected;
  private boolean busy;

  FaultInjectingStore(TaskStore inner) {
    store = (TaskStore) proxy(TaskStore.class, inner);
  }

  /** The store as it is seen through this line. */
  TaskStore store() {
    return store;
  }

  void disconnect() {
    disconnected = true;
  }

  void reconnect() {
    disconnected = false;
  }

  /** The next call of this name is carried out, and nobody is told. */
  void loseResponseOf(String call) {
    loseResponsesOf(call, 1);
  }

  /** The next so many calls of this name are. */
  void loseResponsesOf(String call, int times) {
    responsesToLose.put(call, times);
  }

  /** The next call of this name is carried out, as far as this shard goes; another one failed. */
  void failAfter(String call) {
    failAfter.add(call);
  }

  /** Calls of this name whose arguments, as text, are like this are refused, now and always. */
  void refuse(String call, Predicate<String> arguments) {
    refused.put(call, arguments);
  }

  /** Answers to calls of this name come so changed. */
  void replaceResult(String call, UnaryOperator<Object> change) {
    replacedResults.put(call, change);
  }

  /** Right after the next call of this name. */
  void after(String call, Runnable happens) {
    after.put(call, happens);
  }

  /** Before and after every call. */
  void around(Runnable happens) {
    around = happens;
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
    String call = method.getName();
    if (disconnected) {
      throw new StoreException(
          call + ": the line is cut", null, StoreException.ErrorKind.UNAVAILABLE);
    }
    if (refused.getOrDefault(call, text -> false).test(Arrays.deepToString(arguments))) {
      throw new StoreException(call + ": not this", null, StoreException.ErrorKind.REFUSED);
    }
    runHook(around);
    Object answer = invoke(inner, method, arguments);
    runHook(around);
    Runnable next = after.remove(call);
    if (next != null) {
      next.run();
    }
    if (responsesToLose.merge(call, -1, Integer::sum) >= 0) {
      throw new StoreException(call + ": no answer", null, StoreException.ErrorKind.UNKNOWN);
    }
    if (failAfter.remove(call)) {
      throw new StoreException(call + ": elsewhere", null, StoreException.ErrorKind.UNAVAILABLE);
    }
    return replacedResults.getOrDefault(call, UnaryOperator.identity()).apply(answer);
  }

  /** Not when it is itself what calls. */
  private void runHook(Runnable happens) {
    if (!busy) {
      busy = true;
      try {
        happens.run();
      } finally {
        busy = false;
      }
    }
  }

  private static Object invoke(Object inner, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(inner, arguments);
    } catch (InvocationTargetException thrown) {
      throw thrown.getCause();
    }
  }
}
