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

/** A data source that executes a statement but loses its response, once. */
final class ResponseLosingDataSource {

  private final DataSource inner;
  private final String part;
  private final AtomicBoolean losing = new AtomicBoolean();
  private final AtomicInteger lost = new AtomicInteger();

  /** Loses the response of a statement that contains this text. */
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
    return around(DataSource.class, inner, this::wrapConnection);
  }

  private Object wrapConnection(Method method, Object result, Object[] arguments) {
    return result instanceof Connection connection
        ? around(Connection.class, connection, this::wrapStatement)
        : result;
  }

  private Object wrapStatement(Method method, Object result, Object[] arguments)
      throws SQLException {
    if (method.getName().equals("commit") && part.equals("COMMIT")) {
      lose();
    }
    return method.getName().equals("prepareStatement") && ((String) arguments[0]).contains(part)
        ? around(PreparedStatement.class, (PreparedStatement) result, this::loseResponse)
        : result;
  }

  private Object loseResponse(Method method, Object result, Object[] arguments)
      throws SQLException {
    if (method.getName().startsWith("execute")) {
      lose();
    }
    return result;
  }

  private void lose() throws SQLException {
    if (losing.compareAndSet(true, false)) {
      lost.incrementAndGet();
      throw new SQLException("the response was lost", "08006");
    }
  }

  /** Replaces the result of a call. */
  @FunctionalInterface
  private interface ResultFilter {
    Object apply(Method method, Object result, Object[] arguments) throws SQLException;
  }

  private static <T> T around(Class<T> type, T inner, ResultFilter filter) {
    InvocationHandler handler =
        (proxy, method, arguments) -> {
          try {
            return filter.apply(method, method.invoke(inner, arguments), arguments);
          } catch (InvocationTargetException failure) {
            throw failure.getCause();
          }
        };
    return type.cast(
        Proxy.newProxyInstance(
            ResponseLosingDataSource.class.getClassLoader(), new Class<?>[] {type}, handler));
  }
}
