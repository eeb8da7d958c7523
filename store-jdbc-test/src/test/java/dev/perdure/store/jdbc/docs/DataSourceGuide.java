// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.docs;

import dev.perdure.store.jdbc.JdbcStore;
import javax.sql.DataSource;

/** The example with two data sources of the guide to durable tasks; runs on PostgreSQL. */
public final class DataSourceGuide {

  private DataSourceGuide() {}

  public static JdbcStore open(DataSource pool, DataSource unpooled) {
    JdbcStore store = JdbcStore.builder().dataSource(pool).notificationDataSource(unpooled).open();
    return store;
  }
}
