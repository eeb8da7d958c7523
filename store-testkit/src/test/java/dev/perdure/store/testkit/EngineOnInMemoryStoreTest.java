// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

@Tag("slow")
class EngineOnInMemoryStoreTest {

  @Nested
  class Runs extends EngineContract {
    Runs() {
      super(InMemoryFixture::new);
    }
  }

  @Nested
  class Controls extends EngineControlContract {
    Controls() {
      super(InMemoryFixture::new);
    }
  }

  @Nested
  class HandOvers extends EngineImportedHistoryContract {
    HandOvers() {
      super(InMemoryFixture::new);
    }
  }

  @Nested
  class Deliveries extends EngineDeliveryContract {
    Deliveries() {
      super(InMemoryFixture::new);
    }
  }

  @Nested
  class Callees extends EngineCalleeContract {
    Callees() {
      super(InMemoryFixture::new);
    }
  }

  @Nested
  class Limits extends EngineLimitRunContract {
    Limits() {
      super(InMemoryFixture::new);
    }
  }
}
