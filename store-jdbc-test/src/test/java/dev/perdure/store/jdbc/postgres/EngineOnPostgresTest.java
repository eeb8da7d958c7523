// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.jdbc.postgres;

import dev.perdure.store.testkit.EngineCalleeContract;
import dev.perdure.store.testkit.EngineContract;
import dev.perdure.store.testkit.EngineControlContract;
import dev.perdure.store.testkit.EngineDeliveryContract;
import dev.perdure.store.testkit.EngineImportedHistoryContract;
import dev.perdure.store.testkit.EngineLimitRunContract;
import org.junit.jupiter.api.Nested;

class EngineOnPostgresTest {

  @Nested
  class Runs extends EngineContract {
    Runs() {
      super(PostgresFixture::byUrl);
    }
  }

  @Nested
  class Controls extends EngineControlContract {
    Controls() {
      super(PostgresFixture::byUrl);
    }
  }

  @Nested
  class HandOvers extends EngineImportedHistoryContract {
    HandOvers() {
      super(PostgresFixture::byUrl);
    }
  }

  @Nested
  class Deliveries extends EngineDeliveryContract {
    Deliveries() {
      super(PostgresFixture::byUrl);
    }
  }

  @Nested
  class Callees extends EngineCalleeContract {
    Callees() {
      super(PostgresFixture::byUrl);
    }
  }

  @Nested
  class Limits extends EngineLimitRunContract {
    Limits() {
      super(PostgresFixture::byUrl);
    }
  }
}
