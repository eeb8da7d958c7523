// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.faults;

import dev.perdure.store.jdbc.postgres.PostgresFixture;
import dev.perdure.store.jdbc.sqlite.SqliteFixture;
import dev.perdure.store.testkit.InMemoryFixture;
import dev.perdure.store.testkit.StoreFixture;

/** The stores that every fault test runs on. */
enum TestStore {
  IN_MEMORY {
    @Override
    StoreFixture fixture() {
      return new InMemoryFixture();
    }
  },
  SQLITE {
    @Override
    StoreFixture fixture() {
      return new SqliteFixture();
    }
  },
  POSTGRES {
    @Override
    StoreFixture fixture() {
      return new PostgresFixture();
    }
  };

  abstract StoreFixture fixture();
}
