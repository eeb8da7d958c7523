// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens the connection that listens for notifications beside an application's data source. It stays
 * open as long as the store, so it must not come out of the application's pool: that would be
 * smaller by one for good, and would report a leak.
 *
 * @param dataSource null if there is no way to connect beside the pool
 */
record NotificationDataSource(@Nullable DataSource dataSource, boolean owned)
    implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(NotificationDataSource.class);

  static NotificationDataSource beside(DataSource application) {
    try {
      if (application.isWrapperFor(HikariDataSource.class)) {
        return new NotificationDataSource(
            poolOfOne(application.unwrap(HikariDataSource.class)), true);
      }
      if (application.isWrapperFor(PGSimpleDataSource.class)) {
        return new NotificationDataSource(application, false);
      }
    } catch (SQLException cannotUnwrap) {
      LOG.debug("the data source cannot be unwrapped", cannotUnwrap);
    }
    LOG.info(
        "the data source is not a HikariCP pool: tasks that other processes submit are found by"
            + " polling; set JdbcStoreBuilder.notificationDataSource to find them at once");
    return new NotificationDataSource(null, false);
  }

  /** Connects as the application's pool does, however that is configured, on first use. */
  private static HikariDataSource poolOfOne(HikariDataSource application) {
    HikariDataSource own = new HikariDataSource();
    application.copyStateTo(own);
    own.setPoolName("perdure-notifier");
    own.setMaximumPoolSize(1);
    own.setMinimumIdle(0);
    own.setMaxLifetime(0);
    own.setLeakDetectionThreshold(0);
    own.setInitializationFailTimeout(-1);
    own.setRegisterMbeans(false);
    own.setHealthCheckRegistry(null);
    // A pool whose only connection is always in use would look exhausted. Only one can be set.
    if (own.getMetricRegistry() == null) {
      own.setMetricsTrackerFactory(null);
    } else {
      own.setMetricRegistry(null);
    }
    return own;
  }

  @Override
  public void close() {
    if (owned && dataSource instanceof HikariDataSource own) {
      own.close();
    }
  }
}
