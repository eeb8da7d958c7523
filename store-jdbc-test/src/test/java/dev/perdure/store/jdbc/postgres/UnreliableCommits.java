// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.postgresql.PGConnection;

/**
 * A data source whose connections die at random: before a commit or in the middle of a transaction,
 * by {@code pg_terminate_backend}, or after a commit, so that only its answer is lost.
 */
final class UnreliableCommits {

  final AtomicInteger killed = new AtomicInteger();
  final AtomicInteger answersLost = new AtomicInteger();
  private final DataSource inner;
  private final Random random;

  UnreliableCommits(DataSource inner, long seed) {
    this.inner = inner;
    this.random = new Random(seed);
  }

  DataSource connections() {
    return proxy(
        DataSource.class,
        inner,
        (method, call) -> {
          Object result = call.get();
          return result instanceof Connection connection
              ? proxy(Connection.class, connection, (m, c) -> disturbed(connection, m, c))
              : result;
        });
  }

  private Object disturbed(Connection connection, Method method, Call call) throws Throwable {
    boolean commits = method.getName().equals("commit");
    boolean inTransaction =
        method.getName().equals("prepareStatement") && !connection.getAutoCommit();
    if ((commits && oneIn(8)) || (inTransaction && oneIn(80))) {
      kill(connection);
    }
    Object result = call.get();
    if (commits && oneIn(8)) {
      answersLost.incrementAndGet();
      connection.abort(Runnable::run);
      throw new SQLException("the answer to the commit was lost", "08006");
    }
    return result;
  }

  private synchronized boolean oneIn(int count) {
    return random.nextInt(count) == 0;
  }

  private void kill(Connection connection) throws SQLException {
    killed.incrementAndGet();
    int process = connection.unwrap(PGConnection.class).getBackendPID();
    try (Connection killer = inner.getConnection()) {
      PostgresScenario.number(killer, "SELECT pg_terminate_backend(" + process + ", 10000)::int");
    }
  }

  /** The call as it would be without the proxy. */
  private interface Call {
    Object get() throws Throwable;
  }

  /** Decides what a call does. */
  private interface CallFilter {
    Object apply(Method method, Call call) throws Throwable;
  }

  private static <T> T proxy(Class<T> type, T target, CallFilter filter) {
    InvocationHandler handler =
        (proxy, method, arguments) ->
            filter.apply(
                method,
                () -> {
                  try {
                    return method.invoke(target, arguments);
                  } catch (InvocationTargetException failure) {
                    throw failure.getCause();
                  }
                });
    return type.cast(
        Proxy.newProxyInstance(
            UnreliableCommits.class.getClassLoader(), new Class<?>[] {type}, handler));
  }
}
