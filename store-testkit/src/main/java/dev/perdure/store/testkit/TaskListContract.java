// SPDX-License-Identifier: Apache-2.0
package dev.perdure.store.testkit;

import java.util.function.Supplier;
import org.junit.jupiter.api.Nested;

/** The part of the contract of stores that is about finding tasks. */
abstract class TaskListContract {

  private final Supplier<StoreFixture> fixtures;
  private final int shards;

  TaskListContract(Supplier<StoreFixture> fixtures, int shards) {
    this.fixtures = fixtures;
    this.shards = shards;
  }

  @Nested
  final class Filter extends FilterContract {
    Filter() {
      super(TaskListContract.this.fixtures, TaskListContract.this.shards);
    }
  }

  @Nested
  final class Sort extends SortContract {
    Sort() {
      super(TaskListContract.this.fixtures, TaskListContract.this.shards);
    }
  }

  @Nested
  final class ScanLimits extends ScanLimitContract {
    ScanLimits() {
      super(TaskListContract.this.fixtures, TaskListContract.this.shards);
    }
  }

  @Nested
  final class Sources extends ListSourceContract {
    Sources() {
      super(TaskListContract.this.fixtures, TaskListContract.this.shards);
    }
  }

  @Nested
  final class ErrorsByGroup extends ErrorGroupContract {
    ErrorsByGroup() {
      super(TaskListContract.this.fixtures, TaskListContract.this.shards);
    }
  }

  @Nested
  final class MoreFilters extends TaskConditionContract {
    MoreFilters() {
      super(TaskListContract.this.fixtures, TaskListContract.this.shards);
    }
  }

  @Nested
  final class Errors extends ErrorContract {
    Errors() {
      super(TaskListContract.this.fixtures, TaskListContract.this.shards);
    }
  }
}
