// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import org.junit.jupiter.api.Nested;

class InMemoryStoreContractTest {

  @Nested
  class WithOneShard extends TaskStoreContract {
    WithOneShard() {
      super(InMemoryFixture::new, 1);
    }
  }

  @Nested
  class WithEightShards extends TaskStoreContract {
    WithEightShards() {
      super(InMemoryFixture::new, 8);
    }
  }
}
