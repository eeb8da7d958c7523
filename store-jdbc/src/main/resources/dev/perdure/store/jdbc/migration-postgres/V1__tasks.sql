-- Every primary key begins with the shard, which is the distribution key on a distributed
-- PostgreSQL.

-- One row per submission.
--
-- last_active_at is the last instant at which the batch is known to have been active: it was
-- submitted, its last task ended, a task was revived, a delivery was redelivered, or retention found
-- a task that had not ended or a delivery that was pending.
-- Retention checks the batch again only when this instant is older than the retention period.
--
-- first_task is the smallest id of the tasks of the current run, so that the tasks of earlier runs need
-- not be read; null in the first run.
--
-- deleted_up_to is set once retention has started to delete the batch, which can take many
-- transactions. Tasks up to this id are deleted, and no remaining task can be revived.
CREATE TABLE perdure_batch (
  shard          integer     NOT NULL,
  id             uuid        NOT NULL,
  created_at     timestamptz NOT NULL,
  size           integer     NOT NULL,
  last_active_at timestamptz NOT NULL,
  deleted_up_to  uuid,
  name           text,
  context         text,
  policy          text,
  policy_as_given text,
  actions         text,
  follow_ups      text,
  run             integer     NOT NULL DEFAULT 0,
  first_task      uuid,
  stopped_at      timestamptz,
  CONSTRAINT perdure_batch_key PRIMARY KEY (shard, id),
  CONSTRAINT perdure_batch_has_tasks CHECK (size > 0)
);

CREATE INDEX perdure_batch_last_active ON perdure_batch (shard, last_active_at)
  WHERE deleted_up_to IS NULL;
CREATE INDEX perdure_batch_deleting ON perdure_batch (shard, id)
  WHERE deleted_up_to IS NOT NULL;

-- Submission keys make a submission repeatable. Each row has a digest of the key, the batch that
-- was submitted under it, and a digest of the submission's content. A key expires after 24 hours.
-- deduplicated lists the tasks of the answer if some of them existed already, one id per line, with
-- an = before those that did. A batch without a key then has a row too, under the id of the batch.
CREATE TABLE perdure_submission_key (
  shard          integer          NOT NULL,
  id             text COLLATE "C" NOT NULL,
  content_digest text COLLATE "C" NOT NULL,
  batch          uuid             NOT NULL,
  taken_at       timestamptz      NOT NULL,
  deduplicated   text,
  CONSTRAINT perdure_submission_key_key PRIMARY KEY (shard, id)
);

CREATE INDEX perdure_submission_key_taken ON perdure_submission_key (shard, taken_at);

-- The definition of a task, read when the task is claimed or shown. The primary key
-- includes the batch, which task_state also has, so one index serves a single task and a whole
-- batch. metadata_index holds digests of the metadata fields, for filters.
CREATE TABLE perdure_task (
  shard           integer     NOT NULL,
  batch           uuid        NOT NULL,
  id              uuid        NOT NULL,
  created_at      timestamptz NOT NULL,
  name            text,
  payload         text        NOT NULL,
  metadata        text,
  metadata_index  text,
  policy          text,
  policy_as_given text,
  strategy        text,
  idempotency_key text,
  local_id        text,
  actions         text,
  trace           text,
  rules           text,
  CONSTRAINT perdure_task_key PRIMARY KEY (shard, batch, id)
);

-- Finds a parent by its local id.
CREATE INDEX perdure_task_local_id ON perdure_task (shard, batch, local_id)
  WHERE local_id IS NOT NULL;

-- The current state of a task: one narrow row for its whole life.
--
-- unmet counts the dependencies of the task that are not satisfied, unmet_failed those among them
-- that can no longer be. observers says who must learn of the end of the task. Its bits: 1 tasks
-- depend on it, 2 the run of its batch is counted, 4 its end is counted there, 8 its batch has a
-- retry policy, 16 it is canceled when all tasks that depend on it have ended, 32 a task that it
-- depends on is, 128 it was revived or resolved and its run does not know yet. With 1, 2 or 32 the
-- end is recorded as an event. Bit 64 only tells claims that it depends on tasks. superseded_by is
-- the same task of the next run, once there is one.
--
-- limits are the keys of its limits, one per line; limit_key is the one that it waits for, or waited
-- for last. work_base is what success and failures would add up to if its attempt had done nothing.
-- No two live tasks have the same dedupe_key.
--
-- Every state change leaves one partial index and enters another, so no state change can be a
-- heap-only update. With a fill factor of 90 the row version after a claim still fits on the same
-- page, and progress updates, which touch no index, are heap-only.
--
-- Dead row versions slow claims down. Autovacuum therefore starts after 1,000 rows plus 1 % of the
-- table instead of the default 20 %, and runs without cost delays.
CREATE TABLE perdure_task_state (
  shard          integer          NOT NULL,
  id             uuid             NOT NULL,
  batch          uuid             NOT NULL,
  run            integer          NOT NULL,
  kind           text COLLATE "C" NOT NULL,
  queue          text COLLATE "C",
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
  unmet_failed   integer          NOT NULL DEFAULT 0,
  observers      smallint         NOT NULL DEFAULT 0,
  superseded_by  uuid,
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
  limits         text,
  limit_key      text COLLATE "C",
  work_base      bigint           NOT NULL DEFAULT 0,
  dedupe_key     text COLLATE "C",
  schedule       uuid,
  CONSTRAINT perdure_task_state_key PRIMARY KEY (shard, id),
  CONSTRAINT perdure_task_state_known_state CHECK (
    state IN ('waiting', 'pending', 'claimed', 'running',
              'retry_pending', 'success', 'failure', 'canceled')),
  CONSTRAINT perdure_task_state_leased_has_owner_or_handle CHECK (
    state NOT IN ('claimed', 'running')
    OR owner IS NOT NULL
    OR (handle_epoch IS NOT NULL AND times_out_at IS NOT NULL)),
  CONSTRAINT perdure_task_state_unleased_has_no_owner CHECK (
    state IN ('claimed', 'running')
    OR (owner IS NULL AND lease_until IS NULL
        AND times_out_at IS NULL AND cancel_action IS NULL)),
  CONSTRAINT perdure_task_state_started CHECK (state <> 'running' OR started_at IS NOT NULL),
  CONSTRAINT perdure_task_state_ended CHECK (
    (state IN ('success', 'failure', 'canceled')) = (ended_at IS NOT NULL)),
  CONSTRAINT perdure_task_state_give_up_reason CHECK (
    (state = 'failure') = (give_up_reason IS NOT NULL)),
  CONSTRAINT perdure_task_state_counts CHECK (
    epoch >= 0 AND losses >= 0 AND hold >= 0
    AND retry_base >= 0 AND retry_base <= attempt),
  CONSTRAINT perdure_task_state_unmet CHECK (
    unmet >= unmet_failed AND unmet_failed >= 0
    AND CASE state
      WHEN 'waiting' THEN unmet > 0
      ELSE unmet = 0 OR ended_at IS NOT NULL
    END),
  CONSTRAINT perdure_task_state_limits CHECK (
    (limits IS NULL) = (limit_key IS NULL) AND (limits IS NULL) = (hold & 2 = 0)),
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

-- The indexes that a claim reads. They leave out paused, blocked and waiting tasks. A claim reads
-- only its own queue, and with priority 0 it stops at the first task that is not due yet, because
-- claim_at then equals due_at. A task with a queue is found under the queue, never under its kind.
CREATE INDEX perdure_task_state_claim
  ON perdure_task_state (shard, COALESCE(queue, kind), claim_at)
  WHERE state IN ('pending', 'retry_pending') AND hold = 0 AND priority = 0;
CREATE INDEX perdure_task_state_claim_by_priority
  ON perdure_task_state (shard, COALESCE(queue, kind), claim_at, due_at)
  WHERE state IN ('pending', 'retry_pending') AND hold = 0 AND priority <> 0;

-- Tasks that wait for a limit. Those with a priority come apart, as above. The planner would rewrite
-- a comparison of priority with 0, and not find the index.
CREATE INDEX perdure_task_state_limited
  ON perdure_task_state (
    shard, limit_key, COALESCE(queue, kind), (CASE WHEN priority = 0 THEN 0 ELSE 1 END), claim_at,
    due_at)
  WHERE state IN ('pending', 'retry_pending') AND hold = 2;

CREATE UNIQUE INDEX perdure_task_state_dedupe ON perdure_task_state (shard, dedupe_key)
  WHERE dedupe_key IS NOT NULL AND ended_at IS NULL;

-- The live tasks of a schedule.
CREATE INDEX perdure_task_state_schedule ON perdure_task_state (shard, schedule, id)
  WHERE schedule IS NOT NULL AND ended_at IS NULL;

-- Leased tasks. The index stays small: it holds only tasks that are claimed or running now.
CREATE INDEX perdure_task_state_leased ON perdure_task_state (shard, owner)
  WHERE state IN ('claimed', 'running');
CREATE INDEX perdure_task_state_inactive ON perdure_task_state (shard, times_out_at)
  WHERE times_out_at IS NOT NULL;
CREATE INDEX perdure_task_state_deadline ON perdure_task_state (shard, deadline_at)
  WHERE deadline_at IS NOT NULL AND ended_at IS NULL;
CREATE INDEX perdure_task_state_ended_at ON perdure_task_state (shard, ended_at)
  WHERE ended_at IS NOT NULL;

-- Pending retries in the order in which they are due. Only tasks that are retried are indexed here.
-- With the kind and the hold, the retries of a time are counted without reading the table.
CREATE INDEX perdure_task_state_retry ON perdure_task_state (shard, due_at, id)
  INCLUDE (kind, hold)
  WHERE state = 'retry_pending';

-- Live tasks that are neither claimable nor leased, and do not wait for a limit only. Together with
-- the two claim indexes, the index of tasks with limits and that of leased tasks this covers all live
-- tasks, so they can be counted without reading ended ones, and paused and parked tasks can be listed.
CREATE INDEX perdure_task_state_not_claimable ON perdure_task_state (shard, id)
  WHERE state = 'waiting' OR (state IN ('pending', 'retry_pending') AND hold NOT IN (0, 2));

-- Reviving a task makes its batch active again, and fails if retention is already deleting the
-- batch, or if the batch has a later run. Retention marks a batch only if last_active_at has not changed since it was read, so a
-- revive and retention cannot miss each other. The trigger fires only for a revive, and because it
-- is an AFTER trigger it takes no additional row lock for other updates.
CREATE FUNCTION perdure_touch_revived_batch() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  being_deleted boolean;
  current_run integer;
BEGIN
  UPDATE perdure_batch b
  SET last_active_at = GREATEST(b.last_active_at, NEW.updated_at)
  WHERE b.shard = NEW.shard
    AND b.id = NEW.batch
  RETURNING b.deleted_up_to IS NOT NULL, b.run INTO being_deleted, current_run;
  IF being_deleted THEN
    RAISE EXCEPTION 'task % cannot be revived: its batch is being deleted', NEW.id
      USING ERRCODE = 'check_violation';
  END IF;
  IF current_run > NEW.run THEN
    RAISE EXCEPTION 'task % cannot be revived: its batch has a later run', NEW.id
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER perdure_task_state_revived
  AFTER UPDATE OF ended_at ON perdure_task_state
  FOR EACH ROW
  WHEN (OLD.ended_at IS NOT NULL AND NEW.ended_at IS NULL)
  EXECUTE FUNCTION perdure_touch_revived_batch();

-- One row per ended lease. Rows are never updated.
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
    outcome IN ('success', 'failure', 'lost', 'handed_back', 'snoozed', 'canceled', 'resolved'))
);

-- The nodes. A node is alive while dead_at is null and expires_at is in the future.
CREATE TABLE perdure_node (
  id         text COLLATE "C" NOT NULL,
  name       text             NOT NULL,
  kinds      text             NOT NULL,
  joined_at  timestamptz      NOT NULL,
  expires_at timestamptz      NOT NULL,
  dead_at    timestamptz,
  CONSTRAINT perdure_node_key PRIMARY KEY (id)
);

-- A task with its state, its definition and the record of its last lease. A pending retry has the
-- attempt number after that of its last failure, and keeps it if the task ends before the retry
-- runs. A revive clears the failure, so the view then shows no record. The message of a parked task
-- says why it is parked. search_text is what a text search matches, and status is what people see:
-- the state, or paused (hold 1) or parked (hold 8) while that keeps the task from being claimed.
-- OFFSET 0 keeps the planner from looking up the definition by shard and id alone. Without
-- statistics it prefers that, and it reads the whole primary key.
CREATE VIEW perdure_task_view AS
SELECT
  s.shard, s.id, s.batch, s.run, s.kind, s.queue, s.priority, s.state, s.hold, s.due_at, s.epoch,
  s.handle_epoch, s.owner, s.lease_until, s.attempt, s.losses, s.retry_base, s.retry_since,
  s.unmet, s.unmet_failed, s.prev_delay_ms, s.timeout_ms, s.times_out_at, s.deadline_at, s.started_at, s.ended_at,
  s.updated_at, s.failure_kind, s.give_up_reason, s.success, s.failures, s.expected_count,
  s.cancel_action, s.limits, s.limit_key, s.work_base, s.dedupe_key, t.created_at, t.name, t.payload,
  t.metadata, t.metadata_index, t.policy, t.policy_as_given, t.strategy, t.idempotency_key,
  t.local_id, t.actions, t.trace, t.rules, a.message, a.code, a.result,
  concat_ws(chr(10), s.kind, t.name, t.local_id, a.message) AS search_text,
  CASE
    WHEN s.state NOT IN ('waiting', 'pending', 'retry_pending') OR s.hold & 9 = 0 THEN s.state
    WHEN s.hold & 1 <> 0 THEN 'paused'
    ELSE 'parked'
  END AS status
FROM perdure_task_state s
CROSS JOIN LATERAL (
  SELECT
    t.created_at, t.name, t.payload, t.metadata, t.metadata_index, t.policy, t.policy_as_given,
    t.strategy, t.idempotency_key, t.local_id, t.actions, t.trace, t.rules
  FROM perdure_task t
  WHERE t.shard = s.shard AND t.batch = s.batch AND t.id = s.id
  OFFSET 0
) t
LEFT JOIN perdure_attempt a
  ON a.shard = s.shard AND a.task = s.id AND a.epoch = s.epoch
  AND (s.state IN ('retry_pending', 'failure', 'success')
    OR (s.state = 'canceled' AND s.failure_kind IS NOT NULL)
    OR (s.state = 'pending' AND s.hold & 8 <> 0))
  AND (a.number = s.attempt OR (a.number = s.attempt - 1 AND s.failure_kind IS NOT NULL));
