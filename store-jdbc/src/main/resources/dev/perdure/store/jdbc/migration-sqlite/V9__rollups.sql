-- Counts of what one node did in a minute, ten minutes or an hour, for charts and the overview. Only
-- the node that created a row writes it, and its id is new at each start. counts is JSON.
CREATE TABLE perdure_rollup (
  step_s INTEGER NOT NULL,
  at     INTEGER NOT NULL,
  node   TEXT    NOT NULL,
  counts TEXT    NOT NULL,
  CONSTRAINT perdure_rollup_key PRIMARY KEY (step_s, at, node),
  CONSTRAINT perdure_rollup_step CHECK (step_s IN (60, 600, 3600))
) STRICT, WITHOUT ROWID;

-- Written with each renewal. Nodes of the version before leave them empty.
ALTER TABLE perdure_node ADD COLUMN version TEXT;
ALTER TABLE perdure_node ADD COLUMN slots INTEGER;
ALTER TABLE perdure_node ADD COLUMN busy INTEGER;
ALTER TABLE perdure_node ADD COLUMN remote_kinds TEXT;
ALTER TABLE perdure_node ADD COLUMN seen_at INTEGER;

-- Failed tasks by the time at which they failed. Only failures are indexed here.
CREATE INDEX perdure_task_state_failed_at ON perdure_task_state (shard, ended_at)
  WHERE state = 'failure';

-- The newest firings of all schedules.
CREATE INDEX perdure_firing_fired ON perdure_firing (shard, fired_at);
