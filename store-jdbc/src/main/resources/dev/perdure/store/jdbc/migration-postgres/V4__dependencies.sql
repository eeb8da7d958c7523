-- Tasks that wait for tasks. outcome says what became of the parent: null while it has not ended, 1
-- when it succeeded, 2 when it failed, 3 when an operator revived the child without it. An outcome
-- changes about once, and no index contains it, so the free space lets that stay on the same page.
CREATE TABLE perdure_dependency (
  shard    integer  NOT NULL,
  parent   uuid     NOT NULL,
  child    uuid     NOT NULL,
  required boolean  NOT NULL,
  outcome  smallint,
  CONSTRAINT perdure_dependency_key PRIMARY KEY (shard, parent, child),
  CONSTRAINT perdure_dependency_outcome CHECK (outcome BETWEEN 1 AND 3)
) WITH (fillfactor = 70);

CREATE INDEX perdure_dependency_child ON perdure_dependency (shard, child, parent);

-- Tasks that ended or were revived, and whose dependents have not been told yet. The dependencies on
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
