-- Tasks that wait for tasks. outcome says what became of the parent: null while it has not ended, 1
-- when it succeeded, 2 when it failed, 3 when an operator revived the child without it. A deferred dependency
-- is on a task of a batch that may run again, and gets its outcome when that batch is final. An outcome
-- changes about once, and no index contains it, so the free space lets that stay on the same page.
CREATE TABLE perdure_dependency (
  shard    integer  NOT NULL,
  parent   uuid     NOT NULL,
  child    uuid     NOT NULL,
  required boolean  NOT NULL,
  outcome  smallint,
  deferred boolean NOT NULL,
  CONSTRAINT perdure_dependency_key PRIMARY KEY (shard, parent, child),
  CONSTRAINT perdure_dependency_outcome CHECK (outcome BETWEEN 1 AND 3)
) WITH (fillfactor = 70);

CREATE INDEX perdure_dependency_child ON perdure_dependency (shard, child, parent);

-- Tasks that ended or were revived, and whose dependents have not been updated yet. The dependencies on
-- the task are done up to and including the child done_up_to. There may be several rows for a task:
-- a unique key would make the writers of these rows wait for each other.
CREATE TABLE perdure_propagation_event (
  shard      integer     NOT NULL,
  number     bigint      NOT NULL GENERATED ALWAYS AS IDENTITY,
  task       uuid        NOT NULL,
  created_at timestamptz NOT NULL,
  done_up_to uuid,
  CONSTRAINT perdure_propagation_event_key PRIMARY KEY (shard, number)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- For retention, which keeps batches with such tasks.
CREATE INDEX perdure_propagation_event_task ON perdure_propagation_event (shard, task);

-- The runs of batches that have a retry policy or actions. open is the number of tasks whose end has
-- not been counted yet; at 0 the run is complete, and a node decides whether the batch runs again.
-- version changes whenever a task of the run does, so that no outdated decision is written. next_at is
-- when the next run starts. schedule is the schedule that submitted the batch.
CREATE TABLE perdure_run (
  shard          integer NOT NULL,
  batch          uuid NOT NULL,
  run            integer NOT NULL,
  started_at     timestamptz NOT NULL,
  open           integer NOT NULL,
  version        integer NOT NULL DEFAULT 0,
  ended_at       timestamptz,
  outcome        text COLLATE "C",
  failed_task    uuid,
  failure_kind   text COLLATE "C",
  failure_reason text,
  give_up_reason text COLLATE "C",
  delay_ms       bigint,
  next_at        timestamptz,
  schedule       uuid,
  CONSTRAINT perdure_run_key PRIMARY KEY (shard, batch, run),
  CONSTRAINT perdure_run_open CHECK (open >= 0),
  CONSTRAINT perdure_run_outcome CHECK (outcome IN ('success', 'failure', 'canceled')),
  CONSTRAINT perdure_run_ended CHECK (
    (outcome IS NULL) = (ended_at IS NULL) AND (outcome IS NOT NULL OR next_at IS NULL))
);

CREATE INDEX perdure_run_complete ON perdure_run (shard, batch)
  WHERE open = 0 AND outcome IS NULL;
CREATE INDEX perdure_run_next ON perdure_run (shard, next_at)
  WHERE next_at IS NOT NULL;

-- The runs of a schedule that are not final.
CREATE INDEX perdure_run_schedule ON perdure_run (shard, schedule, batch)
  WHERE schedule IS NOT NULL AND (outcome IS NULL OR next_at IS NOT NULL);
