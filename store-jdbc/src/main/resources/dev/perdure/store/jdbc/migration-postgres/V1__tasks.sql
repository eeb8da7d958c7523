-- Every key begins with the shard: on a distributed PostgreSQL it is the distribution key.

-- One row per submission.
--
-- live_at is the last instant at which the batch is known to have lived: it was submitted, a look
-- found a task that had not ended, its last task ended, or one was revived. Before that instant is
-- old enough, the batch cannot be, and nobody looks at it again.
--
-- gone_to is set once the batch is being deleted, which may take many transactions: its tasks up to
-- this id are gone, and none of the others can be revived.
CREATE TABLE perdure_batch (
  shard      integer     NOT NULL,
  id         uuid        NOT NULL,
  created_at timestamptz NOT NULL,
  size       integer     NOT NULL,
  live_at    timestamptz NOT NULL,
  gone_to    uuid,
  CONSTRAINT perdure_batch_key PRIMARY KEY (shard, id),
  CONSTRAINT perdure_batch_has_tasks CHECK (size > 0)
);

CREATE INDEX perdure_batch_old ON perdure_batch (shard, live_at)
  WHERE gone_to IS NULL;
CREATE INDEX perdure_batch_going ON perdure_batch (shard, id)
  WHERE gone_to IS NOT NULL;

-- The keys that make submissions repeatable: a digest of the key, the batch that it stands for, and
-- a digest of what that was made from. A day after it was taken a key is free again.
CREATE TABLE perdure_submission_key (
  shard    integer          NOT NULL,
  id       text COLLATE "C" NOT NULL,
  content  text COLLATE "C" NOT NULL,
  batch    uuid             NOT NULL,
  taken_at timestamptz      NOT NULL,
  CONSTRAINT perdure_submission_key_key PRIMARY KEY (shard, id)
);

CREATE INDEX perdure_submission_key_old ON perdure_submission_key (shard, taken_at);

-- What a task is: written once, read when it is claimed or shown. The key leads through the batch,
-- which task_state knows, so that one index serves both a task and its whole batch. The facets are
-- digests of the fields of its metadata, for filters.
CREATE TABLE perdure_task (
  shard           integer     NOT NULL,
  batch           uuid        NOT NULL,
  id              uuid        NOT NULL,
  created_at      timestamptz NOT NULL,
  name            text,
  payload         text        NOT NULL,
  metadata        text,
  facets          text,
  policy          text,
  strategy        text,
  idempotency_key text,
  local_id        text,
  actions         text,
  trace           text,
  CONSTRAINT perdure_task_key PRIMARY KEY (shard, batch, id)
);

-- Where a task stands: one narrow row for its whole life.
--
-- Each of its moves leaves one partial index and enters another, so no move can be a heap-only
-- update. The free tenth of each page still lets the version after the claim stay beside its
-- predecessor, and progress, which touches no index, update in place.
--
-- Dead versions are what slows a claim down; they are removed after 1,000 + 1 % of the rows, not
-- after the 20 % that is usual, and without the pauses meant for tables that nobody waits for.
CREATE TABLE perdure_task_state (
  shard          integer          NOT NULL,
  id             uuid             NOT NULL,
  batch          uuid             NOT NULL,
  run            integer          NOT NULL,
  kind           text COLLATE "C" NOT NULL,
  lane           text COLLATE "C",
  priority       integer          NOT NULL,
  state          text COLLATE "C" NOT NULL,
  hold           integer          NOT NULL,
  due_at         timestamptz      NOT NULL,
  claim_at       timestamptz      NOT NULL,
  epoch          bigint           NOT NULL,
  handle_epoch   bigint,
  owner          text COLLATE "C",
  lease_until    timestamptz,
  attempt        bigint           NOT NULL,
  losses         integer          NOT NULL,
  retry_base     bigint           NOT NULL,
  retry_since    timestamptz      NOT NULL,
  prev_delay_ms  bigint,
  unmet          integer          NOT NULL,
  timeout_ms     bigint,
  times_out_at   timestamptz,
  deadline_at    timestamptz,
  started_at     timestamptz,
  ended_at       timestamptz,
  updated_at     timestamptz      NOT NULL,
  failure_kind   text COLLATE "C",
  give_up_reason text COLLATE "C",
  success        bigint           NOT NULL,
  failures       bigint           NOT NULL,
  expected_count bigint,
  cancel_action  text,
  CONSTRAINT perdure_task_state_key PRIMARY KEY (shard, id),
  CONSTRAINT perdure_task_state_known CHECK (
    state IN ('waiting', 'pending', 'claimed', 'running',
              'retry_pending', 'success', 'failure', 'canceled')),
  CONSTRAINT perdure_task_state_held_by_someone CHECK (
    state NOT IN ('claimed', 'running')
    OR owner IS NOT NULL
    OR (handle_epoch IS NOT NULL AND times_out_at IS NOT NULL)),
  CONSTRAINT perdure_task_state_held_by_nobody CHECK (
    state IN ('claimed', 'running')
    OR (owner IS NULL AND lease_until IS NULL
        AND times_out_at IS NULL AND cancel_action IS NULL)),
  CONSTRAINT perdure_task_state_started CHECK (state <> 'running' OR started_at IS NOT NULL),
  CONSTRAINT perdure_task_state_ended CHECK (
    (state IN ('success', 'failure', 'canceled')) = (ended_at IS NOT NULL)),
  CONSTRAINT perdure_task_state_reasoned CHECK (
    (state = 'failure') = (give_up_reason IS NOT NULL)),
  CONSTRAINT perdure_task_state_counts CHECK (
    epoch >= 0 AND losses >= 0 AND unmet >= 0 AND hold >= 0
    AND retry_base >= 0 AND retry_base <= attempt),
  CONSTRAINT perdure_task_state_priority CHECK (priority BETWEEN -1000 AND 1000),
  CONSTRAINT perdure_task_state_claim_at CHECK (
    claim_at = due_at - priority * INTERVAL '1 second')
) WITH (
  fillfactor = 90,
  autovacuum_vacuum_scale_factor = 0.01,
  autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_cost_delay = 0,
  autovacuum_analyze_scale_factor = 0.05
);

-- What a claim reads. Paused, blocked and waiting rows and other kinds and lanes are not on its way,
-- and neither is what is due later: claim_at is the instant itself when the priority is 0. What has
-- a lane is found under its name only.
CREATE INDEX perdure_task_state_claim
  ON perdure_task_state (shard, COALESCE(lane, kind), claim_at)
  WHERE state IN ('pending', 'retry_pending') AND hold = 0 AND priority = 0;
CREATE INDEX perdure_task_state_claim_by_priority
  ON perdure_task_state (shard, COALESCE(lane, kind), claim_at, due_at)
  WHERE state IN ('pending', 'retry_pending') AND hold = 0 AND priority <> 0;

-- What somebody holds; it is as small as the slots of all nodes together.
CREATE INDEX perdure_task_state_held ON perdure_task_state (shard, owner)
  WHERE state IN ('claimed', 'running');
CREATE INDEX perdure_task_state_silent ON perdure_task_state (shard, times_out_at)
  WHERE times_out_at IS NOT NULL;
CREATE INDEX perdure_task_state_deadline ON perdure_task_state (shard, deadline_at)
  WHERE deadline_at IS NOT NULL AND ended_at IS NULL;
CREATE INDEX perdure_task_state_old ON perdure_task_state (shard, ended_at)
  WHERE ended_at IS NOT NULL;

-- The retries that wait, the next first. Only a retry pays for it.
CREATE INDEX perdure_task_state_retry ON perdure_task_state (shard, due_at, id)
  WHERE state = 'retry_pending';

-- What is live and neither to be claimed nor held; with the claim's two and the one of what is held
-- it is all that is live, so that this can be counted without a look at what has ended.
CREATE INDEX perdure_task_state_kept_back ON perdure_task_state (shard)
  WHERE state = 'waiting' OR (state IN ('pending', 'retry_pending') AND hold <> 0);

-- A revived task lets its batch live, or is refused when that is being deleted. Whoever deletes
-- checks that live_at is what it was at the look: so neither can miss the other. Nothing is called
-- for any other change, and none is locked as it would be for a trigger that comes before.
CREATE FUNCTION perdure_revived() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  going boolean;
BEGIN
  UPDATE perdure_batch b
  SET live_at = NEW.updated_at
  WHERE b.shard = NEW.shard
    AND b.id = NEW.batch
    AND (b.gone_to IS NOT NULL OR b.live_at < NEW.updated_at)
  RETURNING b.gone_to IS NOT NULL INTO going;
  IF going THEN
    RAISE EXCEPTION 'task % cannot be revived: its batch is being deleted', NEW.id
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER perdure_task_state_revived
  AFTER UPDATE OF ended_at ON perdure_task_state
  FOR EACH ROW
  WHEN (OLD.ended_at IS NOT NULL AND NEW.ended_at IS NULL)
  EXECUTE FUNCTION perdure_revived();

-- Every lease that ended; only ever added to.
CREATE TABLE perdure_attempt (
  shard           integer          NOT NULL,
  task            uuid             NOT NULL,
  epoch           bigint           NOT NULL,
  number          bigint           NOT NULL,
  worker          text,
  started_at      timestamptz,
  ended_at        timestamptz      NOT NULL,
  outcome         text COLLATE "C" NOT NULL,
  failure_kind    text COLLATE "C",
  status          integer          NOT NULL,
  code            text,
  message         text,
  exception_types text,
  stack           text,
  delay_ms        bigint,
  next_at         timestamptz,
  result          text,
  CONSTRAINT perdure_attempt_key PRIMARY KEY (shard, task, epoch),
  CONSTRAINT perdure_attempt_outcome CHECK (
    outcome IN ('success', 'failure', 'lost', 'handed_back', 'snoozed', 'canceled'))
);

-- The nodes. A row is alive while dead_at is null and valid_until lies ahead.
CREATE TABLE perdure_node (
  id          text COLLATE "C" NOT NULL,
  name        text             NOT NULL,
  kinds       text             NOT NULL,
  joined_at   timestamptz      NOT NULL,
  valid_until timestamptz      NOT NULL,
  dead_at     timestamptz,
  CONSTRAINT perdure_node_key PRIMARY KEY (id)
);

-- A task as it is shown: where it stands, what it is, and what its last lease left to see. A retry
-- has the number after that of the failure it waits for, also when it ends while it waits; after a
-- revive, which forgets the failure, there is nothing to see. The words are what a search looks in.
-- OFFSET keeps the planner from looking for a task by shard and id alone, which it prefers as long
-- as it knows nothing of the table, and which reads the whole key.
CREATE VIEW perdure_task_shown AS
SELECT
  s.shard, s.id, s.batch, s.run, s.kind, s.lane, s.priority, s.state, s.hold, s.due_at, s.epoch,
  s.handle_epoch, s.owner, s.lease_until, s.attempt, s.losses, s.retry_base, s.retry_since,
  s.prev_delay_ms, s.timeout_ms, s.times_out_at, s.deadline_at, s.started_at, s.ended_at,
  s.updated_at, s.failure_kind, s.give_up_reason, s.success, s.failures, s.expected_count,
  s.cancel_action,
  t.created_at, t.name, t.payload, t.metadata, t.facets, t.policy, t.strategy, t.idempotency_key,
  t.local_id, t.actions, t.trace, a.message, a.code, a.result,
  concat_ws(chr(10), s.kind, t.name, t.local_id, a.message) AS words
FROM perdure_task_state s
CROSS JOIN LATERAL (
  SELECT
    t.created_at, t.name, t.payload, t.metadata, t.facets, t.policy, t.strategy,
    t.idempotency_key, t.local_id, t.actions, t.trace
  FROM perdure_task t
  WHERE t.shard = s.shard AND t.batch = s.batch AND t.id = s.id
  OFFSET 0
) t
LEFT JOIN perdure_attempt a
  ON a.shard = s.shard AND a.task = s.id AND a.epoch = s.epoch
  AND s.state IN ('retry_pending', 'failure', 'success')
  AND (a.number = s.attempt OR (a.number = s.attempt - 1 AND s.failure_kind IS NOT NULL));
