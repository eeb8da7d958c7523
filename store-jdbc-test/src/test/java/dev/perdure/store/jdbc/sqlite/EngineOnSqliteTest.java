// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.sqlite;

import dev.perdure.store.testkit.EngineCalleeContract;
import dev.perdure.store.testkit.EngineContract;
import dev.perdure.store.testkit.EngineControlContract;
import dev.perdure.store.testkit.EngineDeliveryContract;
import dev.perdure.store.testkit.EngineImportedHistoryContract;
import dev.perdure.store.testkit.EngineLimitRunContract;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

@Tag("slow")
class EngineOnSqliteTest {

  @Nested
  class Runs extends EngineContract {
    Runs() {
      super(SqliteFixture::new);
    }
  }

  @Nested
  class Controls extends EngineControlContract {
    Controls() {
      super(SqliteFixture::new);
    }
  }

  @Nested
  class HandOvers extends EngineImportedHistoryContract {
    HandOvers() {
      super(SqliteFixture::new);
    }
  }

  @Nested
  class Deliveries extends EngineDeliveryContract {
    Deliveries() {
      super(SqliteFixture::new);
    }
  }

  @Nested
  class Callees extends EngineCalleeContract {
    Callees() {
      super(SqliteFixture::new);
    }
  }

  @Nested
  class Limits extends EngineLimitRunContract {
    Limits() {
      super(SqliteFixture::new);
    }
  }
}
