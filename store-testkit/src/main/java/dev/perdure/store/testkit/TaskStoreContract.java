// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import java.util.function.Supplier;
import org.junit.jupiter.api.Nested;

/** The contract of all stores. Extend it for yours, once with 1 shard and once with 8 shards. */
public abstract class TaskStoreContract extends TaskListContract {

  private final Supplier<StoreFixture> fixtures;
  private final int shards;

  /** The supplier creates one fixture per test. */
  protected TaskStoreContract(Supplier<StoreFixture> fixtures, int shards) {
    super(fixtures, shards);
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
  final class SubmissionKeys extends SubmissionKeyContract {
    SubmissionKeys() {
      super(TaskStoreContract.this.fixtures, TaskStoreContract.this.shards);
    }
  }

  @Nested
  final class ImportedHistories extends ImportedHistoryContract {
    ImportedHistories() {
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
  final class StateTransitions extends StateTransitionContract {
    StateTransitions() {
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
  final class Maintenance extends MaintenanceContract {
    Maintenance() {
      super(TaskStoreContract.this.fixtures, TaskStoreContract.this.shards);
    }
  }

  @Nested
  final class Counters extends TaskUpdateContract {
    Counters() {
      super(TaskStoreContract.this.fixtures, TaskStoreContract.this.shards);
    }
  }

  @Nested
  final class RetentionRules extends RetentionContract {
    RetentionRules() {
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
  final class TaskCounts extends RollupContract {
    TaskCounts() {
      super(TaskStoreContract.this.fixtures, TaskStoreContract.this.shards);
    }
  }

  @Nested
  final class RetryWaves extends RetryWaveContract {
    RetryWaves() {
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
  final class HandOff extends HandOffContract {
    HandOff() {
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
  final class DeliveryClaims extends DeliveryClaimContract {
    DeliveryClaims() {
      super(TaskStoreContract.this.fixtures, TaskStoreContract.this.shards);
    }
  }

  @Nested
  final class DependencySubmissions extends DependencySubmitContract {
    DependencySubmissions() {
      super(TaskStoreContract.this.fixtures, TaskStoreContract.this.shards);
    }
  }

  @Nested
  final class Dependencies extends DependencyContract {
    Dependencies() {
      super(TaskStoreContract.this.fixtures, TaskStoreContract.this.shards);
    }
  }

  @Nested
  final class DependencyRevives extends DependencyReviveContract {
    DependencyRevives() {
      super(TaskStoreContract.this.fixtures, TaskStoreContract.this.shards);
    }
  }

  @Nested
  final class DependencyEvents extends DependencyEventContract {
    DependencyEvents() {
      super(TaskStoreContract.this.fixtures, TaskStoreContract.this.shards);
    }
  }

  @Nested
  final class DeadEnds extends DeadEndContract {
    DeadEnds() {
      super(TaskStoreContract.this.fixtures, TaskStoreContract.this.shards);
    }
  }

  @Nested
  final class Batches extends BatchContract {
    Batches() {
      super(TaskStoreContract.this.fixtures, TaskStoreContract.this.shards);
    }
  }

  @Nested
  final class Parents extends ParentContract {
    Parents() {
      super(TaskStoreContract.this.fixtures, TaskStoreContract.this.shards);
    }
  }

  @Nested
  final class Runs extends RunContract {
    Runs() {
      super(TaskStoreContract.this.fixtures, TaskStoreContract.this.shards);
    }
  }

  @Nested
  final class BatchLists extends BatchListContract {
    BatchLists() {
      super(TaskStoreContract.this.fixtures, TaskStoreContract.this.shards);
    }
  }

  @Nested
  final class RandomWalks extends RandomWalkContract {
    RandomWalks() {
      super(TaskStoreContract.this.fixtures, TaskStoreContract.this.shards);
    }
  }

  @Nested
  final class RandomGraphs extends RandomGraphContract {
    RandomGraphs() {
      super(TaskStoreContract.this.fixtures, TaskStoreContract.this.shards);
    }
  }

  @Nested
  final class EngineGraphs extends EngineGraphContract {
    EngineGraphs() {
      super(TaskStoreContract.this.fixtures, TaskStoreContract.this.shards);
    }
  }

  @Nested
  final class ConcurrencyLimits extends LimitConcurrencyContract {
    ConcurrencyLimits() {
      super(TaskStoreContract.this.fixtures, TaskStoreContract.this.shards);
    }
  }

  @Nested
  final class LimitReleases extends LimitReleaseContract {
    LimitReleases() {
      super(TaskStoreContract.this.fixtures, TaskStoreContract.this.shards);
    }
  }

  @Nested
  final class LimitOrders extends LimitOrderContract {
    LimitOrders() {
      super(TaskStoreContract.this.fixtures, TaskStoreContract.this.shards);
    }
  }

  @Nested
  final class SeveralLimits extends LimitSeveralContract {
    SeveralLimits() {
      super(TaskStoreContract.this.fixtures, TaskStoreContract.this.shards);
    }
  }

  @Nested
  final class RateLimits extends LimitRateContract {
    RateLimits() {
      super(TaskStoreContract.this.fixtures, TaskStoreContract.this.shards);
    }
  }

  @Nested
  final class CapacityLimits extends LimitCapacityContract {
    CapacityLimits() {
      super(TaskStoreContract.this.fixtures, TaskStoreContract.this.shards);
    }
  }

  @Nested
  final class LimitSubmissions extends LimitSubmitContract {
    LimitSubmissions() {
      super(TaskStoreContract.this.fixtures, TaskStoreContract.this.shards);
    }
  }

  @Nested
  final class LimitSweeps extends LimitSweepContract {
    LimitSweeps() {
      super(TaskStoreContract.this.fixtures, TaskStoreContract.this.shards);
    }
  }

  @Nested
  final class DedupeKeys extends DedupeContract {
    DedupeKeys() {
      super(TaskStoreContract.this.fixtures, TaskStoreContract.this.shards);
    }
  }

  @Nested
  final class LimitChanges extends LimitChangeContract {
    LimitChanges() {
      super(TaskStoreContract.this.fixtures, TaskStoreContract.this.shards);
    }
  }

  @Nested
  final class LimitsOfKinds extends LimitKindContract {
    LimitsOfKinds() {
      super(TaskStoreContract.this.fixtures, TaskStoreContract.this.shards);
    }
  }

  @Nested
  final class Schedules extends ScheduleContract {
    Schedules() {
      super(TaskStoreContract.this.fixtures, TaskStoreContract.this.shards);
    }
  }

  @Nested
  final class ScheduleAdministration extends ScheduleCancelContract {
    ScheduleAdministration() {
      super(TaskStoreContract.this.fixtures, TaskStoreContract.this.shards);
    }
  }

  @Nested
  final class ScheduleProblems extends ScheduleProblemContract {
    ScheduleProblems() {
      super(TaskStoreContract.this.fixtures, TaskStoreContract.this.shards);
    }
  }

  @Nested
  final class EngineLimitsOfKinds extends EngineKindLimitContract {
    EngineLimitsOfKinds() {
      super(TaskStoreContract.this.fixtures, TaskStoreContract.this.shards);
    }
  }

  @Nested
  final class ReplacedDuplicates extends DedupeReplaceContract {
    ReplacedDuplicates() {
      super(TaskStoreContract.this.fixtures, TaskStoreContract.this.shards);
    }
  }

  @Nested
  final class HeldBackTasksOfRuns extends DedupeHeldBackContract {
    HeldBackTasksOfRuns() {
      super(TaskStoreContract.this.fixtures, TaskStoreContract.this.shards);
    }
  }

  @Nested
  final class DedupeKeysOfRuns extends DedupeRunContract {
    DedupeKeysOfRuns() {
      super(TaskStoreContract.this.fixtures, TaskStoreContract.this.shards);
    }
  }

  @Nested
  final class EngineLimits extends EngineLimitContract {
    EngineLimits() {
      super(TaskStoreContract.this.fixtures, TaskStoreContract.this.shards);
    }
  }
}
