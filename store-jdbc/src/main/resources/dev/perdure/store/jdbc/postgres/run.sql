-- part: run
  r.batch, r.run, r.started_at, r.ended_at, r.outcome, r.failed_task, r.failure_kind,
  r.failure_reason, r.give_up_reason, r.delay_ms, r.next_at

-- part: tasks
FROM (
  SELECT t.id
  FROM perdure_task t
  WHERE t.shard = :shard
    AND t.batch = :batch
    AND t.id >= (
      SELECT COALESCE(b.first_task, CAST('00000000-0000-0000-0000-000000000000' AS uuid))
      FROM perdure_batch b
      WHERE b.shard = :shard AND b.id = :batch)
  ORDER BY t.id
  OFFSET 0
) t
CROSS JOIN LATERAL (
  SELECT
    s.id, s.state, s.ended_at, s.give_up_reason, s.deadline_at, s.observers, s.dedupe_key
  FROM perdure_task_state s
  WHERE s.shard = :shard
    AND s.id = t.id
    AND s.run = :run
  OFFSET 0
) s

-- name: insert
INSERT INTO perdure_run (shard, batch, run, started_at, open, schedule)
VALUES (
  :shard, :batch, :run, COALESCE(CAST(:now AS timestamptz), clock_timestamp()), :open,
  (
    SELECT p.schedule
    FROM perdure_run p
    WHERE p.shard = :shard
      AND p.batch = :batch
      AND p.run = CAST(:run AS integer) - 1
  )
)
ON CONFLICT DO NOTHING;

-- name: list
SELECT
  -- insert: run
FROM perdure_run r
WHERE r.shard = :shard
  AND r.batch = ANY (CAST(:batches AS uuid[]))
ORDER BY r.batch, r.run;

-- name: lock
-- Rows that another transaction is writing are skipped, as in graph.lock_for_propagation.
SELECT r.batch, r.run
FROM (
  SELECT CAST(:shard AS integer) + g.item_index * 0 AS shard, g.batch, g.run
  FROM unnest(
    CAST(:item_indexes AS integer[]), CAST(:batches AS uuid[]), CAST(:runs AS integer[])
  ) AS g (item_index, batch, run)
  WHERE g.item_index * 0 = 0
    AND (g.item_index + 1) * 0 = 0
) g
JOIN perdure_run r ON r.shard = g.shard AND r.batch = g.batch AND r.run = g.run
FOR NO KEY UPDATE OF r SKIP LOCKED;

-- name: add_open
-- A run whose tasks changed has not ended, and the next one does not start, until that is decided
-- anew. A run that has been followed by another one stays as it is.
UPDATE perdure_run r
SET open = r.open + g.delta,
    version = r.version + 1,
    ended_at = CASE WHEN EXISTS (
      SELECT
      FROM perdure_batch b
      WHERE b.shard = r.shard AND b.id = r.batch AND b.run > r.run) THEN r.ended_at END,
    outcome = CASE WHEN EXISTS (
      SELECT
      FROM perdure_batch b
      WHERE b.shard = r.shard AND b.id = r.batch AND b.run > r.run) THEN r.outcome END,
    next_at = NULL
FROM (
  SELECT CAST(:shard AS integer) + g.item_index * 0 AS shard, g.batch, g.run, g.delta
  FROM unnest(
    CAST(:item_indexes AS integer[]), CAST(:batches AS uuid[]), CAST(:runs AS integer[]),
    CAST(:deltas AS integer[])
  ) AS g (item_index, batch, run, delta)
  WHERE g.item_index * 0 = 0
    AND (g.item_index + 1) * 0 = 0
) g
WHERE r.shard = g.shard
  AND r.batch = g.batch
  AND r.run = g.run;

-- name: complete
SELECT r.batch, r.run, r.version
FROM perdure_run r
CROSS JOIN LATERAL (
  SELECT b.id
  FROM perdure_batch b
  WHERE b.shard = r.shard
    AND b.id = r.batch
    AND b.run = r.run
  OFFSET 0
) b
WHERE r.shard = :shard
  AND r.open = 0
  AND r.outcome IS NULL
ORDER BY r.batch
LIMIT :limit;

-- name: tasks
-- What the tasks of a run have come to, and which of them failed first by itself.
SELECT
  count(*) FILTER (WHERE s.ended_at IS NULL) AS live,
  count(*) FILTER (WHERE s.state = 'failure') AS failed,
  count(*) FILTER (WHERE s.state = 'canceled') AS canceled,
  min(s.deadline_at) AS deadline_at,
  (array_agg(s.id ORDER BY s.ended_at, s.id) FILTER (
    WHERE s.state = 'failure' AND s.give_up_reason <> 'upstream_failed'))[1] AS failed_task,
  (array_agg(s.id ORDER BY s.ended_at, s.id) FILTER (
    WHERE s.state = 'failure'))[1] AS first_failed_task,
  (array_agg(s.id ORDER BY s.id DESC))[1] AS last_task
-- insert: tasks
;

-- name: end
-- Not if a task of the run was revived or resolved since the run was read, whether the run knows it
-- (version) or not (observers 128). A batch that was stopped since does not run again.
UPDATE perdure_run r
SET ended_at = COALESCE(CAST(:now AS timestamptz), clock_timestamp()),
    outcome = :outcome,
    failed_task = :failed_task,
    failure_kind = :failure_kind,
    failure_reason = :failure_reason,
    give_up_reason = :give_up_reason,
    delay_ms = :delay_ms,
    next_at = COALESCE(CAST(:now AS timestamptz), clock_timestamp())
      + CAST(:delay_ms AS bigint) * INTERVAL '1 millisecond'
WHERE r.shard = :shard
  AND r.batch = :batch
  AND r.run = :run
  AND r.open = 0
  AND r.outcome IS NULL
  AND r.version = :version
  AND NOT EXISTS (
    SELECT
    -- insert: tasks
    WHERE s.ended_at IS NULL OR s.observers & 128 <> 0)
  AND (CAST(:delay_ms AS bigint) IS NULL
    OR NOT EXISTS (
      SELECT
      FROM perdure_batch b
      WHERE b.shard = r.shard AND b.id = r.batch AND b.stopped_at IS NOT NULL));

-- name: announce_end
-- Tells the tasks of other batches that depend on the run.
INSERT INTO perdure_propagation_event (shard, task, created_at)
SELECT :shard, s.id, COALESCE(CAST(:now AS timestamptz), clock_timestamp())
-- insert: tasks
WHERE s.observers & 9 = 9;

-- name: due
SELECT r.batch, r.run
FROM perdure_run r
WHERE r.shard = :shard
  AND r.next_at <= COALESCE(CAST(:now AS timestamptz), clock_timestamp())
ORDER BY r.next_at
LIMIT :limit;

-- name: begin_next
-- Guards the start of the next run: only one node can start it.
UPDATE perdure_run r
SET next_at = NULL
WHERE r.shard = :shard
  AND r.batch = :batch
  AND r.run = :run
  AND r.open = 0
  AND r.next_at <= COALESCE(CAST(:now AS timestamptz), clock_timestamp());

-- name: put_off
-- The next run cannot start yet. COALESCE keeps the planner from reading the index of all runs that
-- wait.
UPDATE perdure_run r
SET next_at = COALESCE(CAST(:now AS timestamptz), clock_timestamp())
      + :delay_ms * INTERVAL '1 millisecond'
WHERE r.shard = :shard
  AND r.batch = :batch
  AND r.run = :run
  AND COALESCE(r.next_at <= COALESCE(CAST(:now AS timestamptz), clock_timestamp()), false);

-- name: reopen
-- The next run cannot start, because the batch was stopped: the run is decided again.
UPDATE perdure_run r
SET ended_at = NULL,
    outcome = NULL,
    next_at = NULL,
    version = r.version + 1
WHERE r.shard = :shard
  AND r.batch = :batch
  AND r.run = :run;

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
UPDATE perdure_run r
SET next_at = COALESCE(CAST(:now AS timestamptz), clock_timestamp())
WHERE r.shard = :shard
  AND r.batch = :batch
  AND r.run = :run
  AND r.outcome IS NOT NULL
  AND NOT EXISTS (
    SELECT
    -- insert: tasks
    WHERE s.observers & 128 <> 0);

-- name: stop
-- A run that ended and waits for the next one is decided again: the batch is final now. A decision
-- that is being written is waited for, and one that comes later is not written.
UPDATE perdure_run r
SET ended_at = CASE WHEN r.next_at IS NULL THEN r.ended_at END,
    outcome = CASE WHEN r.next_at IS NULL THEN r.outcome END,
    next_at = NULL,
    version = r.version + 1
WHERE r.shard = :shard
  AND r.batch = :batch
  AND r.run = (SELECT b.run FROM perdure_batch b WHERE b.shard = :shard AND b.id = :batch);

-- name: tasks_to_copy
SELECT
  s.id, s.observers, s.dedupe_key, s.ended_at IS NULL OR s.observers & 128 <> 0 AS live
-- insert: tasks
ORDER BY s.id;

-- name: dependencies_to_copy
SELECT d.parent, d.child, d.required
-- insert: tasks
CROSS JOIN LATERAL (
  SELECT e.parent, e.child, e.required
  FROM perdure_dependency e
  WHERE e.shard = :shard
    AND e.child = s.id
  OFFSET 0
) d;

-- name: first_run_size
-- How many tasks the first run of a batch had: they have the smallest ids. Later runs are not read.
SELECT count(*) AS tasks
FROM perdure_task t
WHERE t.shard = :shard
  AND t.batch = :batch
  AND t.id < (
    SELECT n.id
    FROM (
      SELECT n.id
      FROM perdure_task n
      WHERE n.shard = :shard
        AND n.batch = :batch
      ORDER BY n.id
      OFFSET 0
    ) n
    CROSS JOIN LATERAL (
      SELECT
      FROM perdure_task_state s
      WHERE s.shard = :shard
        AND s.id = n.id
        AND s.run > 0
      OFFSET 0
    ) s
    ORDER BY n.id
    LIMIT 1);

-- name: all_tasks
-- The tasks of all runs of a batch.
SELECT
  s.id, s.run, s.superseded_by, s.observers, s.dedupe_key,
  s.ended_at IS NULL OR s.observers & 128 <> 0 AS live
-- insert: all_tasks
ORDER BY s.id;

-- part: all_tasks
FROM (
  SELECT t.id
  FROM perdure_task t
  WHERE t.shard = :shard
    AND t.batch = :batch
  ORDER BY t.id
  OFFSET 0
) t
CROSS JOIN LATERAL (
  SELECT
    s.id, s.run, s.ended_at, s.superseded_by, s.observers, s.dedupe_key
  FROM perdure_task_state s
  WHERE s.shard = :shard
    AND s.id = t.id
  OFFSET 0
) s

-- name: all_dependencies
SELECT d.parent, d.child, d.required
-- insert: all_tasks
CROSS JOIN LATERAL (
  SELECT e.parent, e.child, e.required
  FROM perdure_dependency e
  WHERE e.shard = :shard
    AND e.child = s.id
  OFFSET 0
) d;

-- name: failed_holder
-- The first task of another batch that took the place of one in the current run and did not succeed.
SELECT h.id
-- insert: all_tasks
CROSS JOIN LATERAL (
  SELECT h.id, h.ended_at
  FROM perdure_task_state h
  WHERE h.shard = :shard
    AND h.id = s.superseded_by
    AND h.batch <> :batch
    AND h.state IN ('failure', 'canceled')
  OFFSET 0
) h
ORDER BY h.ended_at, h.id
LIMIT 1;

-- name: delete
-- in batch.delete
