-- Counts of what one node did in a minute, ten minutes or an hour, for charts and the overview. Only
-- the node that created a row writes it, and its id is new at each start. counts is JSON.
CREATE TABLE perdure_rollup (
  step_s integer          NOT NULL,
  at     timestamptz      NOT NULL,
  node   text COLLATE "C" NOT NULL,
  counts text             NOT NULL,
  CONSTRAINT perdure_rollup_key PRIMARY KEY (step_s, at, node),
  CONSTRAINT perdure_rollup_step CHECK (step_s IN (60, 600, 3600))
);

-- Written with each renewal. Nodes of the version before leave them empty.
ALTER TABLE perdure_node
  ADD COLUMN version      text,
  ADD COLUMN slots        integer,
  ADD COLUMN busy         integer,
  ADD COLUMN remote_kinds text,
  ADD COLUMN seen_at      timestamptz;

-- Failed tasks by the time at which they failed. Only failures are indexed here.
CREATE INDEX perdure_task_state_failed_at ON perdure_task_state (shard, ended_at)
  WHERE state = 'failure';

-- The newest firings of all schedules.
CREATE INDEX perdure_firing_fired ON perdure_firing (shard, fired_at);
