-- The same tables as on PostgreSQL. Ids are 16 bytes, instants are milliseconds since 1970.

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
  shard          INTEGER NOT NULL,
  id             BLOB    NOT NULL,
  created_at     INTEGER NOT NULL,
  size           INTEGER NOT NULL,
  last_active_at INTEGER NOT NULL,
  deleted_up_to  BLOB,
  name           TEXT,
  context         TEXT,
  policy          TEXT,
  policy_as_given TEXT,
  actions         TEXT,
  follow_ups      TEXT,
  run             INTEGER NOT NULL DEFAULT 0,
  first_task      BLOB,
  stopped_at      INTEGER,
  CONSTRAINT perdure_batch_key PRIMARY KEY (shard, id),
  CONSTRAINT perdure_batch_has_tasks CHECK (size > 0)
) STRICT, WITHOUT ROWID;

CREATE INDEX perdure_batch_last_active ON perdure_batch (shard, last_active_at)
  WHERE deleted_up_to IS NULL;
CREATE INDEX perdure_batch_deleting ON perdure_batch (shard, id)
  WHERE deleted_up_to IS NOT NULL;

-- Submission keys make a submission repeatable. Each row has a digest of the key, the batch that
-- was submitted under it, and a digest of the submission's content. A key expires after 24 hours.
-- deduplicated lists the tasks of the answer if some of them existed already, one id per line, with
-- an = before those that did. A batch without a key then has a row too, under the id of the batch.
CREATE TABLE perdure_submission_key (
  shard          INTEGER NOT NULL,
  id             TEXT    NOT NULL,
  content_digest TEXT    NOT NULL,
  batch          BLOB    NOT NULL,
  taken_at       INTEGER NOT NULL,
  deduplicated   TEXT,
  CONSTRAINT perdure_submission_key_key PRIMARY KEY (shard, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX perdure_submission_key_taken ON perdure_submission_key (shard, taken_at);

-- The definition of a task, read when the task is claimed or shown. The primary key
-- includes the batch, which task_state also has, so one index serves a single task and a whole
-- batch. metadata_index holds digests of the metadata fields, for filters.
CREATE TABLE perdure_task (
  shard           INTEGER NOT NULL,
  batch           BLOB    NOT NULL,
  id              BLOB    NOT NULL,
  created_at      INTEGER NOT NULL,
  name            TEXT,
  payload         TEXT    NOT NULL,
  metadata        TEXT,
  metadata_index  TEXT,
  policy          TEXT,
  policy_as_given TEXT,
  strategy        TEXT,
  idempotency_key TEXT,
  local_id        TEXT,
  actions         TEXT,
  trace           TEXT,
  rules           TEXT,
  CONSTRAINT perdure_task_key PRIMARY KEY (shard, batch, id)
) STRICT, WITHOUT ROWID;

-- Finds a parent by its local id.
CREATE INDEX perdure_task_local_id ON perdure_task (shard, batch, local_id)
  WHERE local_id IS NOT NULL;

-- The current state of a task: one narrow row for its whole life. unmet counts the dependencies of
-- the task that are not satisfied, unmet_failed those among them that can no longer be. observers
-- says who must learn of the end of the task. Its bits: 1 tasks depend on it, 2 the run of its batch
-- is counted, 4 its end is counted there, 8 its batch has a retry policy, 16 it is canceled when all
-- tasks that depend on it have ended, 32 a task that it depends on is, 128 it was revived or
-- resolved and its run does not know yet. With 1, 2 or 32 the end is recorded as an event. Bit 64
-- only tells claims that it depends on tasks. superseded_by is the same task of the next run, once
-- there is one. limits are the keys of its limits, one per line; limit_key is the one that it waits
-- for, or waited for last. work_base is what success and failures would add up to if its attempt had
-- done nothing. No two live tasks have the same dedupe_key.
CREATE TABLE perdure_task_state (
  shard          INTEGER NOT NULL,
  id             BLOB    NOT NULL,
  batch          BLOB    NOT NULL,
  run            INTEGER NOT NULL,
  kind           TEXT    NOT NULL,
  queue          TEXT,
  priority       INTEGER NOT NULL,
  state          TEXT    NOT NULL,
  hold           INTEGER NOT NULL,
  due_at         INTEGER NOT NULL,
  claim_at       INTEGER NOT NULL,
  epoch          INTEGER NOT NULL,
  handle_epoch   INTEGER,
  owner          TEXT,
  lease_until    INTEGER,
  attempt        INTEGER NOT NULL,
  losses         INTEGER NOT NULL,
  retry_base     INTEGER NOT NULL,
  retry_since    INTEGER NOT NULL,
  prev_delay_ms  INTEGER,
  unmet          INTEGER NOT NULL,
  unmet_failed   INTEGER NOT NULL DEFAULT 0,
  observers      INTEGER NOT NULL DEFAULT 0,
  superseded_by  BLOB,
  timeout_ms     INTEGER,
  times_out_at   INTEGER,
  deadline_at    INTEGER,
  started_at     INTEGER,
  ended_at       INTEGER,
  updated_at     INTEGER NOT NULL,
  failure_kind   TEXT,
  give_up_reason TEXT,
  success        INTEGER NOT NULL,
  failures       INTEGER NOT NULL,
  expected_count INTEGER,
  cancel_action  TEXT,
  limits         TEXT,
  limit_key      TEXT,
  work_base      INTEGER NOT NULL DEFAULT 0,
  dedupe_key     TEXT,
  schedule       BLOB,
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
    claim_at = due_at - priority * 1000)
) STRICT, WITHOUT ROWID;

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
    shard, limit_key, COALESCE(queue, kind), CASE WHEN priority = 0 THEN 0 ELSE 1 END, claim_at,
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
CREATE INDEX perdure_task_state_retry ON perdure_task_state (shard, due_at, id, kind, hold)
  WHERE state = 'retry_pending';

-- Live tasks that are neither claimable nor leased, and do not wait for a limit only. Together with
-- the two claim indexes, the index of tasks with limits and that of leased tasks this covers all live
-- tasks, so they can be counted without reading ended ones, and paused and parked tasks can be listed.
CREATE INDEX perdure_task_state_not_claimable ON perdure_task_state (shard, id)
  WHERE state = 'waiting' OR (state IN ('pending', 'retry_pending') AND hold NOT IN (0, 2));

-- Reviving a task makes its batch active again, and fails if retention is already deleting the
-- batch, or if the batch has a later run. Retention marks a batch only if last_active_at has not changed since it was read, so a
-- revive and retention cannot miss each other.
CREATE TRIGGER perdure_task_state_revived
  AFTER UPDATE OF ended_at ON perdure_task_state
  FOR EACH ROW
  WHEN OLD.ended_at IS NOT NULL AND NEW.ended_at IS NULL
BEGIN
  SELECT RAISE(ABORT, 'a task cannot be revived while its batch is being deleted')
  FROM perdure_batch
  WHERE shard = NEW.shard
    AND id = NEW.batch
    AND deleted_up_to IS NOT NULL;
  SELECT RAISE(ABORT, 'a task cannot be revived when its batch has a later run')
  FROM perdure_batch
  WHERE shard = NEW.shard
    AND id = NEW.batch
    AND run > NEW.run;
  UPDATE perdure_batch
  SET last_active_at = NEW.updated_at
  WHERE shard = NEW.shard
    AND id = NEW.batch
    AND last_active_at < NEW.updated_at;
END;

-- One row per ended lease. Rows are never updated.
CREATE TABLE perdure_attempt (
  shard           INTEGER NOT NULL,
  task            BLOB    NOT NULL,
  epoch           INTEGER NOT NULL,
  number          INTEGER NOT NULL,
  worker          TEXT,
  started_at      INTEGER,
  ended_at        INTEGER NOT NULL,
  outcome         TEXT    NOT NULL,
  failure_kind    TEXT,
  status          INTEGER NOT NULL,
  code            TEXT,
  message         TEXT,
  exception_types TEXT,
  stack           TEXT,
  delay_ms        INTEGER,
  next_at         INTEGER,
  result          TEXT,
  CONSTRAINT perdure_attempt_key PRIMARY KEY (shard, task, epoch),
  CONSTRAINT perdure_attempt_outcome CHECK (
    outcome IN ('success', 'failure', 'lost', 'handed_back', 'snoozed', 'canceled', 'resolved'))
) STRICT, WITHOUT ROWID;

-- The nodes. A node is alive while dead_at is null and expires_at is in the future.
CREATE TABLE perdure_node (
  id         TEXT    NOT NULL,
  name       TEXT    NOT NULL,
  kinds      TEXT    NOT NULL,
  joined_at  INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  dead_at    INTEGER,
  CONSTRAINT perdure_node_key PRIMARY KEY (id)
) STRICT, WITHOUT ROWID;

-- A task with its state, its definition and the record of its last lease. A pending retry has the
-- attempt number after that of its last failure, and keeps it if the task ends before the retry
-- runs. A revive clears the failure, so the view then shows no record. The message of a parked task
-- says why it is parked. search_text is what a text search matches, and status is what people see:
-- the state, or paused (hold 1) or parked (hold 8) while that keeps the task from being claimed.
CREATE VIEW perdure_task_view AS
SELECT
  s.shard, s.id, s.batch, s.run, s.kind, s.queue, s.priority, s.state, s.hold, s.due_at, s.epoch,
  s.handle_epoch, s.owner, s.lease_until, s.attempt, s.losses, s.retry_base, s.retry_since,
  s.unmet, s.unmet_failed, s.prev_delay_ms, s.timeout_ms, s.times_out_at, s.deadline_at, s.started_at, s.ended_at,
  s.updated_at, s.failure_kind, s.give_up_reason, s.success, s.failures, s.expected_count,
  s.cancel_action, s.limits, s.limit_key, s.work_base, s.dedupe_key, t.created_at, t.name, t.payload,
  t.metadata, t.metadata_index, t.policy, t.policy_as_given, t.strategy, t.idempotency_key,
  t.local_id, t.actions, t.trace, t.rules, a.message, a.code, a.result,
  concat_ws(char(10), s.kind, t.name, t.local_id, a.message) AS search_text,
  CASE
    WHEN s.state NOT IN ('waiting', 'pending', 'retry_pending') OR s.hold & 9 = 0 THEN s.state
    WHEN s.hold & 1 <> 0 THEN 'paused'
    ELSE 'parked'
  END AS status
FROM perdure_task_state s
JOIN perdure_task t
  ON t.shard = s.shard AND t.batch = s.batch AND t.id = s.id
LEFT JOIN perdure_attempt a
  ON a.shard = s.shard AND a.task = s.id AND a.epoch = s.epoch
  AND (s.state IN ('retry_pending', 'failure', 'success')
    OR (s.state = 'canceled' AND s.failure_kind IS NOT NULL)
    OR (s.state = 'pending' AND s.hold & 8 <> 0))
  AND (a.number = s.attempt OR (a.number = s.attempt - 1 AND s.failure_kind IS NOT NULL));
