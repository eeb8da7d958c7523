// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import java.util.function.Supplier;
import org.junit.jupiter.api.Nested;

/**
 * What every store must do. A store's test extends it, once with 1 shard and once with 8, and says
 * how to open the store.
 */
public abstract class TaskStoreContract {

  private final Supplier<StoreFixture> fixtures;
  private final int shards;

  /**
   * @param fixtures makes one fixture for each test
   */
  protected TaskStoreContract(Supplier<StoreFixture> fixtures, int shards) {
    this.fixtures = fixtures;
    this.shards = shards;
  }

  @Nested
  final class Submit extends SubmitContract {
    Submit() {
      super(TaskStoreContract.this.fixtures, TaskStoreContract.this.shards);
    }
  }

  @Nested
  final class UnderKey extends SubmissionKeyContract {
    UnderKey() {
      super(TaskStoreContract.this.fixtures, TaskStoreContract.this.shards);
    }
  }

  @Nested
  final class CarryOn extends CarryOnContract {
    CarryOn() {
      super(TaskStoreContract.this.fixtures, TaskStoreContract.this.shards);
    }
  }

  @Nested
  final class Claim extends ClaimContract {
    Claim() {
      super(TaskStoreContract.this.fixtures, TaskStoreContract.this.shards);
    }
  }

  @Nested
  final class Apply extends ApplyContract {
    Apply() {
      super(TaskStoreContract.this.fixtures, TaskStoreContract.this.shards);
    }
  }

  @Nested
  final class EveryPair extends EveryPairContract {
    EveryPair() {
      super(TaskStoreContract.this.fixtures, TaskStoreContract.this.shards);
    }
  }

  @Nested
  final class Settle extends SettleContract {
    Settle() {
      super(TaskStoreContract.this.fixtures, TaskStoreContract.this.shards);
    }
  }

  @Nested
  final class Nodes extends NodeContract {
    Nodes() {
      super(TaskStoreContract.this.fixtures, TaskStoreContract.this.shards);
    }
  }

  @Nested
  final class Sweep extends SweepContract {
    Sweep() {
      super(TaskStoreContract.this.fixtures, TaskStoreContract.this.shards);
    }
  }

  @Nested
  final class Figuring extends FiguresContract {
    Figuring() {
      super(TaskStoreContract.this.fixtures, TaskStoreContract.this.shards);
    }
  }

  @Nested
  final class Purge extends PurgeContract {
    Purge() {
      super(TaskStoreContract.this.fixtures, TaskStoreContract.this.shards);
    }
  }

  @Nested
  final class Read extends ReadContract {
    Read() {
      super(TaskStoreContract.this.fixtures, TaskStoreContract.this.shards);
    }
  }

  @Nested
  final class Search extends SearchContract {
    Search() {
      super(TaskStoreContract.this.fixtures, TaskStoreContract.this.shards);
    }
  }

  @Nested
  final class Filter extends FilterContract {
    Filter() {
      super(TaskStoreContract.this.fixtures, TaskStoreContract.this.shards);
    }
  }

  @Nested
  final class Sort extends SortContract {
    Sort() {
      super(TaskStoreContract.this.fixtures, TaskStoreContract.this.shards);
    }
  }

  @Nested
  final class Counting extends StatisticsContract {
    Counting() {
      super(TaskStoreContract.this.fixtures, TaskStoreContract.this.shards);
    }
  }

  @Nested
  final class Concurrency extends ConcurrencyContract {
    Concurrency() {
      super(TaskStoreContract.this.fixtures, TaskStoreContract.this.shards);
    }
  }

  @Nested
  final class Reopen extends ReopenContract {
    Reopen() {
      super(TaskStoreContract.this.fixtures, TaskStoreContract.this.shards);
    }
  }

  @Nested
  final class Entrusting extends EntrustContract {
    Entrusting() {
      super(TaskStoreContract.this.fixtures, TaskStoreContract.this.shards);
    }
  }

  @Nested
  final class Deliveries extends OutboxContract {
    Deliveries() {
      super(TaskStoreContract.this.fixtures, TaskStoreContract.this.shards);
    }
  }

  @Nested
  final class Sendings extends SendingContract {
    Sendings() {
      super(TaskStoreContract.this.fixtures, TaskStoreContract.this.shards);
    }
  }

  @Nested
  final class Walk extends WalkContract {
    Walk() {
      super(TaskStoreContract.this.fixtures, TaskStoreContract.this.shards);
    }
  }
}
