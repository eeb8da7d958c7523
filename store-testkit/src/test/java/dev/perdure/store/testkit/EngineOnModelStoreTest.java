// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import org.junit.jupiter.api.Nested;

class EngineOnModelStoreTest {

  @Nested
  class Runs extends EngineContract {
    Runs() {
      super(ModelFixture::new);
    }
  }

  @Nested
  class Controls extends EngineControlContract {
    Controls() {
      super(ModelFixture::new);
    }
  }

  @Nested
  class HandOvers extends EngineHandOverContract {
    HandOvers() {
      super(ModelFixture::new);
    }
  }

  @Nested
  class Deliveries extends EngineDeliveryContract {
    Deliveries() {
      super(ModelFixture::new);
    }
  }

  @Nested
  class Callees extends EngineCalleeContract {
    Callees() {
      super(ModelFixture::new);
    }
  }
}
