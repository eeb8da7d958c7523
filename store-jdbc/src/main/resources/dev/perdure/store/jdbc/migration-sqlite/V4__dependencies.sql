-- Tasks that wait for tasks. outcome says what became of the parent: null while it has not ended, 1
-- when it succeeded, 2 when it failed, 3 when an operator revived the child without it.
CREATE TABLE perdure_dependency (
  shard    INTEGER NOT NULL,
  parent   BLOB    NOT NULL,
  child    BLOB    NOT NULL,
  required INTEGER NOT NULL,
  outcome  INTEGER,
  CONSTRAINT perdure_dependency_key PRIMARY KEY (shard, parent, child),
  CONSTRAINT perdure_dependency_outcome CHECK (outcome BETWEEN 1 AND 3)
) STRICT, WITHOUT ROWID;

CREATE INDEX perdure_dependency_child ON perdure_dependency (shard, child, parent);

-- Tasks that ended or were revived, and whose dependents have not been told yet. The dependencies on
-- the task are done up to and including the child done_up_to.
CREATE TABLE perdure_propagation_event (
  number     INTEGER PRIMARY KEY AUTOINCREMENT,
  shard      INTEGER NOT NULL,
  task       BLOB    NOT NULL,
  created_at INTEGER NOT NULL,
  done_up_to BLOB
) STRICT;

CREATE INDEX perdure_propagation_event_number ON perdure_propagation_event (shard, number);

-- For retention, which keeps batches with such tasks.
CREATE INDEX perdure_propagation_event_task ON perdure_propagation_event (shard, task);
