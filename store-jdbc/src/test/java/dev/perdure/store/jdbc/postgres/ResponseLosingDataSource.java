// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/** Connections on which the answer of a statement is lost once, after it was done. */
final class ResponseLosingDataSource {

  private final DataSource inner;
  private final String part;
  private final AtomicBoolean losing = new AtomicBoolean();
  private final AtomicInteger lost = new AtomicInteger();

  /** Of the statements that have these words in them. */
  ResponseLosingDataSource(DataSource inner, String part) {
    this.inner = inner;
    this.part = part;
  }

  void loseNext() {
    losing.set(true);
  }

  int lost() {
    return lost.get();
  }

  DataSource connections() {
    return around(DataSource.class, inner, this::connecting);
  }

  private Object connecting(Method method, Object result, Object[] arguments) {
    return result instanceof Connection connection
        ? around(Connection.class, connection, this::preparing)
        : result;
  }

  private Object preparing(Method method, Object result, Object[] arguments) {
    return method.getName().equals("prepareStatement") && ((String) arguments[0]).contains(part)
        ? around(PreparedStatement.class, (PreparedStatement) result, this::answering)
        : result;
  }

  private Object answering(Method method, Object result, Object[] arguments) throws SQLException {
    if (method.getName().startsWith("execute") && losing.compareAndSet(true, false)) {
      lost.incrementAndGet();
      throw new SQLException("the answer was lost", "08006");
    }
    return result;
  }

  /** What becomes of the result of a call. */
  @FunctionalInterface
  private interface Then {
    Object of(Method method, Object result, Object[] arguments) throws SQLException;
  }

  private static <T> T around(Class<T> type, T inner, Then then) {
    InvocationHandler handler =
        (proxy, method, arguments) -> {
          try {
            return then.of(method, method.invoke(inner, arguments), arguments);
          } catch (InvocationTargetException failure) {
            throw failure.getCause();
          }
        };
    return type.cast(
        Proxy.newProxyInstance(
            ResponseLosingDataSource.class.getClassLoader(), new Class<?>[] {type}, handler));
  }
}
