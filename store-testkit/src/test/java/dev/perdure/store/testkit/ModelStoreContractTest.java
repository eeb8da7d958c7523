// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import org.junit.jupiter.api.Nested;

class ModelStoreContractTest {

  @Nested
  class WithOneShard extends TaskStoreContract {
    WithOneShard() {
      super(ModelFixture::new, 1);
    }
  }

  @Nested
  class WithEightShards extends TaskStoreContract {
    WithEightShards() {
      super(ModelFixture::new, 8);
    }
  }
}
