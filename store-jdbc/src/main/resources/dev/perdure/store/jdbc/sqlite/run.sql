-- part: run
  r.batch, r.run, r.started_at, r.ended_at, r.outcome, r.failed_task, r.failure_kind,
  r.failure_reason, r.give_up_reason, r.delay_ms, r.next_at

-- part: tasks
FROM perdure_task t
CROSS JOIN perdure_task_state s
  ON s.shard = t.shard AND s.id = t.id AND s.run = :run
WHERE t.shard = :shard
  AND t.batch = :batch
  AND t.id >= (
    SELECT COALESCE(b.first_task, zeroblob(16))
    FROM perdure_batch b
    WHERE b.shard = :shard AND b.id = :batch)

-- name: insert
INSERT INTO perdure_run (shard, batch, run, started_at, open, schedule)
VALUES (
  :shard, :batch, :run, :now, :open,
  (
    SELECT p.schedule
    FROM perdure_run p
    WHERE p.shard = :shard
      AND p.batch = :batch
      AND p.run = :run - 1
  )
)
ON CONFLICT DO NOTHING;

-- name: list
SELECT
  -- insert: run
FROM perdure_run r
WHERE r.shard = :shard
  AND r.batch IN (SELECT unhex(j.value) FROM json_each(:batches) j)
ORDER BY r.batch, r.run;

-- name: lock
-- The writer is alone, so there is nothing to lock.
SELECT r.run
FROM perdure_run r
WHERE r.shard = :shard
  AND r.batch = :batch
  AND r.run = :run;

-- name: add_open
-- A run whose tasks changed has not ended, and the next one does not start, until that is decided
-- anew. A run that has been followed by another one stays as it is.
UPDATE perdure_run
SET open = open + :delta,
    version = version + 1,
    ended_at = CASE WHEN EXISTS (
      SELECT 1
      FROM perdure_batch b
      WHERE b.shard = perdure_run.shard AND b.id = perdure_run.batch AND b.run > perdure_run.run) THEN ended_at END,
    outcome = CASE WHEN EXISTS (
      SELECT 1
      FROM perdure_batch b
      WHERE b.shard = perdure_run.shard AND b.id = perdure_run.batch AND b.run > perdure_run.run) THEN outcome END,
    next_at = NULL
WHERE shard = :shard
  AND batch = :batch
  AND run = :run;

-- name: complete
SELECT r.batch, r.run, r.version
FROM perdure_run r INDEXED BY perdure_run_complete
WHERE r.shard = :shard
  AND r.open = 0
  AND r.outcome IS NULL
  AND EXISTS (
    SELECT 1
    FROM perdure_batch b
    WHERE b.shard = r.shard AND b.id = r.batch AND b.run = r.run)
ORDER BY r.batch
LIMIT :limit + 0;

-- name: tasks
-- What the tasks of a run have come to, and which of them failed first by itself.
SELECT
  count(*) FILTER (WHERE s.ended_at IS NULL) AS live,
  count(*) FILTER (WHERE s.state = 'failure') AS failed,
  count(*) FILTER (WHERE s.state = 'canceled') AS canceled,
  min(s.deadline_at) AS deadline_at,
  max(s.id) AS last_task,
  (
    SELECT s.id
    -- insert: tasks
      AND s.state = 'failure'
      AND s.give_up_reason <> 'upstream_failed'
    ORDER BY s.ended_at, s.id
    LIMIT 1) AS failed_task,
  (
    SELECT s.id
    -- insert: tasks
      AND s.state = 'failure'
    ORDER BY s.ended_at, s.id
    LIMIT 1) AS first_failed_task
-- insert: tasks
;

-- name: end
-- Not if a task of the run was revived or resolved since the run was read, whether the run knows it
-- (version) or not (observers 128). A batch that was stopped since does not run again.
UPDATE perdure_run
SET ended_at = :now,
    outcome = :outcome,
    failed_task = :failed_task,
    failure_kind = :failure_kind,
    failure_reason = :failure_reason,
    give_up_reason = :give_up_reason,
    delay_ms = :delay_ms,
    next_at = :now + :delay_ms
WHERE shard = :shard
  AND batch = :batch
  AND run = :run
  AND open = 0
  AND outcome IS NULL
  AND version = :version
  AND NOT EXISTS (
    SELECT 1
    -- insert: tasks
      AND (s.ended_at IS NULL OR s.observers & 128 <> 0))
  AND (:delay_ms IS NULL
    OR NOT EXISTS (
      SELECT 1
      FROM perdure_batch b
      WHERE b.shard = perdure_run.shard
        AND b.id = perdure_run.batch
        AND b.stopped_at IS NOT NULL));

-- name: announce_end
-- Tells the tasks of other batches that depend on the run.
INSERT INTO perdure_propagation_event (shard, task, created_at)
SELECT s.shard, s.id, :now
-- insert: tasks
  AND s.observers & 9 = 9;

-- name: due
SELECT r.batch, r.run
FROM perdure_run r INDEXED BY perdure_run_next
WHERE r.shard = :shard
  AND r.next_at <= :now
ORDER BY r.next_at
LIMIT :limit + 0;

-- name: begin_next
-- Guards the start of the next run: only one node can start it.
UPDATE perdure_run
SET next_at = NULL
WHERE shard = :shard
  AND batch = :batch
  AND run = :run
  AND open = 0
  AND next_at <= :now;

-- name: put_off
-- The next run cannot start yet.
UPDATE perdure_run
SET next_at = :now + :delay_ms
WHERE shard = :shard
  AND batch = :batch
  AND run = :run
  AND next_at <= :now;

-- name: reopen
-- The next run cannot start, because the batch was stopped: the run is decided again.
UPDATE perdure_run
SET ended_at = NULL,
    outcome = NULL,
    next_at = NULL,
    version = version + 1
WHERE shard = :shard
  AND batch = :batch
  AND run = :run;

-- name: insert_ended
-- A batch that kept no runs keeps them from now on, if all its tasks have ended.
INSERT INTO perdure_run (shard, batch, run, started_at, open, ended_at, outcome)
SELECT
  b.shard, b.id, b.run, b.created_at, 0, ended.ended_at,
  CASE
    WHEN ended.failed > 0 THEN 'failure'
    WHEN ended.canceled > 0 THEN 'canceled'
    ELSE 'success'
  END
FROM perdure_batch b
CROSS JOIN (
  SELECT
    max(s.ended_at) AS ended_at,
    count(*) FILTER (WHERE s.ended_at IS NULL) AS live,
    count(*) FILTER (WHERE s.state = 'failure') AS failed,
    count(*) FILTER (WHERE s.state = 'canceled') AS canceled
  -- insert: tasks
) ended
WHERE b.shard = :shard
  AND b.id = :batch
  AND ended.live = 0
  AND ended.ended_at IS NOT NULL
ON CONFLICT DO NOTHING;

-- name: run_again
UPDATE perdure_run
SET next_at = :now
WHERE shard = :shard
  AND batch = :batch
  AND run = :run
  AND outcome IS NOT NULL
  AND NOT EXISTS (
    SELECT 1
    -- insert: tasks
      AND s.observers & 128 <> 0);

-- name: stop
-- A run that ended and waits for the next one is decided again: the batch is final now.
UPDATE perdure_run
SET ended_at = CASE WHEN next_at IS NULL THEN ended_at END,
    outcome = CASE WHEN next_at IS NULL THEN outcome END,
    next_at = NULL,
    version = version + 1
WHERE shard = :shard
  AND batch = :batch
  AND run = (SELECT b.run FROM perdure_batch b WHERE b.shard = :shard AND b.id = :batch);

-- name: tasks_to_copy
-- A task that was resolved counts as live until its run knows: the run is decided anew.
SELECT
  t.id, s.observers, s.dedupe_key, s.ended_at IS NULL OR s.observers & 128 <> 0 AS live
-- insert: tasks
ORDER BY t.id;

-- name: dependencies_to_copy
SELECT d.parent, d.child, d.required
FROM (
  SELECT s.id
  -- insert: tasks
) s
CROSS JOIN perdure_dependency d INDEXED BY perdure_dependency_child
  ON d.shard = :shard AND d.child = s.id;

-- name: first_run_size
-- How many tasks the first run of a batch had: they have the smallest ids. Later runs are not read.
SELECT count(*) AS tasks
FROM perdure_task t
WHERE t.shard = :shard
  AND t.batch = :batch
  AND t.id < (
    SELECT n.id
    FROM perdure_task n
    CROSS JOIN perdure_task_state s
      ON s.shard = n.shard AND s.id = n.id AND s.run > 0
    WHERE n.shard = :shard
      AND n.batch = :batch
    ORDER BY n.id
    LIMIT 1);

-- name: all_tasks
-- The tasks of all runs of a batch.
SELECT
  s.id, s.run, s.superseded_by, s.observers, s.dedupe_key,
  s.ended_at IS NULL OR s.observers & 128 <> 0 AS live
-- insert: all_tasks
ORDER BY t.id;

-- part: all_tasks
FROM perdure_task t
CROSS JOIN perdure_task_state s
  ON s.shard = t.shard AND s.id = t.id
WHERE t.shard = :shard
  AND t.batch = :batch

-- name: all_dependencies
SELECT d.parent, d.child, d.required
FROM (
  SELECT s.id
  -- insert: all_tasks
) s
CROSS JOIN perdure_dependency d INDEXED BY perdure_dependency_child
  ON d.shard = :shard AND d.child = s.id;

-- name: failed_holder
-- The first task of another batch that took the place of one in the current run and did not succeed.
SELECT h.id
FROM (
  SELECT s.superseded_by
  -- insert: all_tasks
) s
CROSS JOIN perdure_task_state h
  ON h.shard = :shard AND h.id = s.superseded_by
WHERE h.batch <> :batch
  AND h.state IN ('failure', 'canceled')
ORDER BY h.ended_at, h.id
LIMIT 1;

-- name: delete
DELETE FROM perdure_run
WHERE shard = :shard
  AND batch = :batch;
