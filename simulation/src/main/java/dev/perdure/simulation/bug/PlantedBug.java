// SPDX-License-Identifier: Apache-2.0
package dev.perdure.simulation.bug;

import dev.perdure.engine.spi.ParentStatus;
import dev.perdure.engine.spi.PropagationTables.CountChange;
import dev.perdure.engine.spi.TaskStore;
import dev.perdure.engine.task.DependencyCounts;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.engine.task.TaskEvent;
import dev.perdure.engine.task.TaskState;
import dev.perdure.testing.internal.GraphRules;
import dev.perdure.testing.internal.LimitAccounting;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A known mistake, planted between the engine and its store or in the rules of the store. The
 * simulation must find it. The engine itself has no switch for it.
 */
public enum PlantedBug {
  /** No bug. */
  NONE,

  /** The store does not compare the epoch. */
  NO_EPOCH_CHECK(NoEpochCheck::new),

  /** The end of an attempt and the due time of its retry are written in two transactions. */
  TWO_TRANSACTIONS(store -> store, TwoTransactions::new),

  /** The end of an attempt is acknowledged, which frees its slot, before it is written. */
  EARLY_ACKNOWLEDGEMENT {
    @Override
    public TaskStore wrapNodeStore(
        TaskStore store, Executor later, Consumer<String> trace, GraphRules rules) {
      return new EarlyAcknowledgement(store, later, trace);
    }
  },

  /** Instants are stored with the writer's offset and compared as text. */
  INSTANTS_AS_TEXT {
    @Override
    public TaskStore wrapDatabase(TaskStore store, InstantSource clock, ZoneOffset zone) {
      return new InstantsAsText(store, clock, zone);
    }
  },

  /** The lease of an expired node is renewed. */
  DEAD_NODE_RENEWED(DeadNodeRenewed::new),

  /** A renewal does not return leases that the node does not know of. */
  NO_RECONCILIATION(store -> store, NoReconciliation::new),

  /** The event of an end is recorded after the commit instead of in it. */
  EVENT_AFTER_COMMIT {
    @Override
    public GraphRules graphRules() {
      return new EventAfterCommit.LateEvents();
    }

    @Override
    public TaskStore wrapNodeStore(
        TaskStore store, Executor later, Consumer<String> trace, GraphRules rules) {
      return new EventAfterCommit(store, later, (EventAfterCommit.LateEvents) rules);
    }
  },

  /** A failure is propagated, although the task will be retried. */
  RETRY_PENDING_PROPAGATED {
    @Override
    public GraphRules graphRules() {
      return new RetryPendingPropagated();
    }
  },

  /** A propagation goes by what the event says, and not by the current state of the task. */
  EDGE_TRIGGERED {
    @Override
    public GraphRules graphRules() {
      return new EdgeTriggered();
    }
  },

  /** A propagation does not update paused tasks. */
  PAUSED_CHILD_SKIPPED {
    @Override
    public GraphRules graphRules() {
      return new GraphRules() {
        @Override
        public boolean reaches(Task child) {
          return !child.paused();
        }
      };
    }
  },

  /** The guard of a revive does not compare how many dependencies are unmet. */
  REVIVE_IGNORES_UNMET(
      store -> store, store -> new CountsNotCompared(store, TaskChange::resetsRetries)),

  /** A task that failed because of its parents is not brought back when they are revived. */
  UPSTREAM_FAILURE_KEPT {
    @Override
    public GraphRules graphRules() {
      return new GraphRules() {
        @Override
        public ParentStatus status(Task task, @Nullable TaskState state) {
          return ParentStatus.of(task).ofEarlierRun();
        }
      };
    }
  },

  /** The store does not compare the counts of dependencies in a guard. */
  NO_COUNT_CHECK(store -> new CountsNotCompared(store, change -> true)),

  /** A task is released when the first of its dependencies is satisfied. */
  RELEASED_BY_FIRST_PARENT {
    @Override
    public GraphRules graphRules() {
      return new GraphRules() {
        @Override
        public TaskState stateAfter(CountChange change, DependencyCounts before) {
          boolean satisfied = change.counts().unmet() < before.unmet();
          return satisfied && change.from() == TaskState.WAITING ? TaskState.PENDING : change.to();
        }
      };
    }
  },

  /** The ends of a batch are propagated to other batches, although it may run again. */
  RUN_PROPAGATED_EARLY {
    @Override
    public GraphRules graphRules() {
      return new GraphRules() {
        @Override
        public boolean countsForOtherBatches(boolean batchIsFinal) {
          return true;
        }
      };
    }
  },

  /** The start of a run does not check that the run is still due, so two nodes can start it. */
  RUN_WITHOUT_GUARD {
    @Override
    public GraphRules graphRules() {
      return new GraphRules() {
        @Override
        public boolean startsRun(boolean due) {
          return true;
        }
      };
    }
  },

  /** The loss of a task does not free its place. */
  LOSS_KEEPS_PLACE {
    @Override
    public LimitAccounting limitAccounting() {
      return new EndsThatKeepPlaces(
          change ->
              change.event() == TaskEvent.WORKER_LOST
                  || change.event() == TaskEvent.WORKER_LOST_AND_GIVE_UP);
    }
  },

  /** A task that is handed back does not free its place. */
  HAND_BACK_KEEPS_PLACE {
    @Override
    public LimitAccounting limitAccounting() {
      return new EndsThatKeepPlaces(change -> change.event() == TaskEvent.HAND_BACK);
    }
  },

  /** A task that waits for its retry keeps its place. */
  RETRY_KEEPS_PLACE {
    @Override
    public LimitAccounting limitAccounting() {
      return new EndsThatKeepPlaces(change -> change.to() == TaskState.RETRY_PENDING);
    }
  },

  /** A claim reads what a limit has in use before it locks the limit. */
  ROOM_READ_BEFORE_LOCK {
    @Override
    public LimitAccounting limitAccounting() {
      return new RoomReadBeforeLock();
    }
  },

  /** An end frees its place, but no claim looks at the tasks that wait for it. */
  NO_WAKE_ON_FREE {
    @Override
    public LimitAccounting limitAccounting() {
      return new LimitAccounting() {
        @Override
        public boolean wakes(TaskChange change) {
          return false;
        }
      };
    }
  },

  /** The next start of a rate is counted from the last claim, whatever started before. */
  RATE_FROM_LAST_CLAIM {
    @Override
    public LimitAccounting limitAccounting() {
      return new RateFromLastClaim();
    }
  },

  /** The dedupe key of an ended task is not freed. */
  ENDED_TASK_KEEPS_KEY {
    @Override
    public GraphRules graphRules() {
      return new GraphRules() {
        @Override
        public boolean holdsDedupeKey(Task task) {
          return true;
        }
      };
    }
  },

  /** A task that waits for its retry does not hold its dedupe key. */
  RETRY_FREES_KEY {
    @Override
    public GraphRules graphRules() {
      return new GraphRules() {
        @Override
        public boolean holdsDedupeKey(Task task) {
          return task.state().isLive() && task.state() != TaskState.RETRY_PENDING;
        }
      };
    }
  },

  /** A duplicate replaces a task that has been claimed. */
  CLAIMED_TASK_REPLACED {
    @Override
    public GraphRules graphRules() {
      return new GraphRules() {
        @Override
        public boolean replaces(boolean unclaimed) {
          return true;
        }
      };
    }
  },

  /** The answer to a repeated submission does not say which tasks are duplicates. */
  DUPLICATES_FORGOTTEN(DuplicatesForgotten::new),

  /** A running task keeps its place in a limit that its changed rules do not have. */
  CHANGED_RULES_KEEP_PLACE {
    @Override
    public LimitAccounting limitAccounting() {
      return new LimitAccounting() {
        @Override
        public boolean leavesOldLimits() {
          return false;
        }
      };
    }
  },

  /** A running task does not count in a limit that its changed rules add. */
  CHANGED_RULES_TAKE_NO_PLACE {
    @Override
    public LimitAccounting limitAccounting() {
      return new LimitAccounting() {
        @Override
        public boolean entersNewLimits() {
          return false;
        }
      };
    }
  },

  /** A running task does not count in a limit that is set for its kind. */
  KIND_LIMIT_MISSES_RUNNING {
    @Override
    public LimitAccounting limitAccounting() {
      return new LimitAccounting() {
        @Override
        public boolean limitsRunning() {
          return false;
        }
      };
    }
  },

  /** An ordinary claim takes tasks whose kind has limits. */
  KIND_LIMIT_MISSES_DUE {
    @Override
    public LimitAccounting limitAccounting() {
      return new LimitAccounting() {
        @Override
        public boolean limitsDue() {
          return false;
        }
      };
    }
  },

  /** A check of the limits forgets that events will free places. */
  SWEEP_IGNORES_EVENTS {
    @Override
    public LimitAccounting limitAccounting() {
      return new LimitAccounting() {
        @Override
        public long freedLater(long freed) {
          return 0;
        }
      };
    }
  },

  /** A schedule fires in one transaction and gets its next instant in another. */
  FIRING_IN_TWO_TRANSACTIONS(
      store -> store, store -> new WrongSchedules(store, FiringInTwoTransactions::new)),

  /** The tasks of a firing are submitted after it is stored. */
  TASKS_AFTER_FIRING(
      store -> store,
      store -> new WrongSchedules(store, inner -> new TasksAfterFiring(store, inner))),

  /** The next firing of an interval is counted from now. */
  NEXT_FROM_NOW(WrongSchedules.decisions(ChangedDecisions::nextFromNow)),

  /** A firing at a time that the clock skips is left out. */
  GAP_SKIPPED(WrongSchedules.decisions(ChangedDecisions::gapSkipped)),

  /** A task that waits for its retry keeps its schedule from firing. */
  RETRY_STOPS_FIRINGS(WrongSchedules.decisions(ChangedDecisions::retriesCount)),

  /** Firings that are skipped or missed are not noted. */
  SKIPPED_NOT_NOTED(WrongSchedules.decisions(ChangedDecisions::notNoted)),

  /** An edit of a schedule does not check the version that its author has seen. */
  NO_VERSION_CHECK(WrongSchedules.edits());

  @SuppressWarnings("ImmutableEnumChecker") // All of them are constructors without state.
  private final UnaryOperator<TaskStore> database;

  @SuppressWarnings("ImmutableEnumChecker") // All of them are constructors without state.
  private final UnaryOperator<TaskStore> node;

  PlantedBug() {
    this(store -> store);
  }

  /** A bug in the database. */
  PlantedBug(UnaryOperator<TaskStore> database) {
    this(database, store -> store);
  }

  /** A bug in the database, or between the engine and its connection to it. */
  PlantedBug(UnaryOperator<TaskStore> database, UnaryOperator<TaskStore> node) {
    this.database = database;
    this.node = node;
  }

  /** Returns the rules of the database for graphs and runs; new for each run of the simulation. */
  public GraphRules graphRules() {
    return GraphRules.CORRECT;
  }

  /** Returns how the database counts for limits; new for each run of the simulation. */
  public LimitAccounting limitAccounting() {
    return LimitAccounting.CORRECT;
  }

  /**
   * Puts the bug into the database.
   *
   * @param clock the clock of the database
   * @param zone the time zone of the node's host
   */
  public TaskStore wrapDatabase(TaskStore store, InstantSource clock, ZoneOffset zone) {
    return database.apply(store);
  }

  /**
   * Puts the bug between the engine and its connection to the database.
   *
   * @param later runs work a moment later, unless the process has died by then
   * @param trace writes a line to the trace
   * @param rules the {@link #graphRules} of the database
   */
  public TaskStore wrapNodeStore(
      TaskStore store, Executor later, Consumer<String> trace, GraphRules rules) {
    return node.apply(store);
  }
}
