// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.faults;

import dev.perdure.engine.query.TaskReader;
import dev.perdure.engine.spi.BatchStore;
import dev.perdure.engine.spi.MaintenanceStore;
import dev.perdure.engine.spi.NodeRegistry;
import dev.perdure.engine.spi.ScheduleStore;
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
import java.util.stream.Stream;

/**
 * A store as one node sees it over an unreliable connection. A test can disconnect it, lose the
 * response of a call that was executed, and run code right before or after a call. Calls are
 * identified by their method names.
 */
final class FaultInjectingStore {

  private static final List<Class<?>> PARTS =
      List.of(
          NodeRegistry.class,
          MaintenanceStore.class,
          TaskReader.class,
          BatchStore.class,
          ScheduleStore.class);

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

  /** Returns the store with the faults. */
  TaskStore store() {
    return store;
  }

  void disconnect() {
    disconnected = true;
  }

  void reconnect() {
    disconnected = false;
  }

  /** Executes the next call of this method but loses its response. */
  void loseResponseOf(String call) {
    loseResponsesOf(call, 1);
  }

  /** Executes the next calls of this method but loses their responses. */
  void loseResponsesOf(String call, int times) {
    responsesToLose.put(requireMethod(call), times);
  }

  /** Executes the next call of this method and then fails as if another shard were unavailable. */
  void failAfter(String call) {
    failAfter.add(requireMethod(call));
  }

  /** Refuses all calls of this method whose arguments, as text, match. */
  void refuse(String call, Predicate<String> arguments) {
    refused.put(requireMethod(call), arguments);
  }

  /** Replaces the results of calls of this method. */
  void replaceResult(String call, UnaryOperator<Object> change) {
    replacedResults.put(requireMethod(call), change);
  }

  /** Runs this after the next call of this method. */
  void after(String call, Runnable hook) {
    after.put(requireMethod(call), hook);
  }

  /** Runs this before and after every call. */
  void around(Runnable hook) {
    around = hook;
  }

  /**
   * A fault for a method that does not exist would never occur, and its test would prove nothing.
   */
  private static String requireMethod(String call) {
    boolean known =
        Stream.concat(Stream.of(TaskStore.class), PARTS.stream())
            .flatMap(type -> Arrays.stream(type.getMethods()))
            .anyMatch(method -> method.getName().equals(call));
    if (!known) {
      throw new IllegalArgumentException("the store has no method " + call);
    }
    return call;
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
      throw new StoreException(call + ": disconnected", null, StoreException.ErrorKind.UNAVAILABLE);
    }
    if (refused.getOrDefault(call, text -> false).test(Arrays.deepToString(arguments))) {
      throw new StoreException(call + ": refused", null, StoreException.ErrorKind.REFUSED);
    }
    runHook(around);
    Object result = invoke(inner, method, arguments);
    runHook(around);
    Runnable next = after.remove(call);
    if (next != null) {
      next.run();
    }
    if (responsesToLose.merge(call, -1, Integer::sum) >= 0) {
      throw new StoreException(call + ": no response", null, StoreException.ErrorKind.UNKNOWN);
    }
    if (failAfter.remove(call)) {
      throw new StoreException(
          call + ": another shard is unavailable", null, StoreException.ErrorKind.UNAVAILABLE);
    }
    return replacedResults.getOrDefault(call, UnaryOperator.identity()).apply(result);
  }

  /** Does nothing if the hook itself makes the call. */
  private void runHook(Runnable hook) {
    if (!busy) {
      busy = true;
      try {
        hook.run();
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
