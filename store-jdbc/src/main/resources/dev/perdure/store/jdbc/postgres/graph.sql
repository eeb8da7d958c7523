-- name: observe
-- Marks parents of new tasks, so that their ends are recorded, and locks them until the tasks are
-- stored: a parent that ends meanwhile waits, and then sees the mark. The rows are locked in the
-- order of their ids, and looked up by primary key, as in task_state.apply.
WITH input AS NOT MATERIALIZED (
  SELECT CAST(:shard AS integer) + g.item_index * 0 AS shard, g.id
  FROM unnest(CAST(:item_indexes AS integer[]), CAST(:ids AS uuid[])) AS g (item_index, id)
  WHERE g.item_index * 0 = 0
    AND (g.item_index + 1) * 0 = 0
),
locked AS MATERIALIZED (
  SELECT s.shard, s.id
  FROM input g
  JOIN perdure_task_state s ON s.shard = g.shard AND s.id = g.id
  ORDER BY s.id
  FOR UPDATE OF s
)
UPDATE perdure_task_state s
SET observers = s.observers | 1
FROM locked g
WHERE s.shard = g.shard
  AND s.id = g.id
RETURNING
  s.id, s.state, s.give_up_reason, s.unmet, s.unmet_failed, s.observers, s.superseded_by;

-- name: lock
-- The rows are locked in the order of their ids, as in observe, and looked up by primary key, as in
-- task_state.apply. A task that was resolved counts as live until its run knows: the run is decided
-- anew.
SELECT
  s.id, s.observers, s.dedupe_key, s.ended_at IS NULL OR s.observers & 128 <> 0 AS live
FROM (
  SELECT CAST(:shard AS integer) + g.item_index * 0 AS shard, g.id
  FROM unnest(CAST(:item_indexes AS integer[]), CAST(:ids AS uuid[])) AS g (item_index, id)
  WHERE g.item_index * 0 = 0
    AND (g.item_index + 1) * 0 = 0
) g
JOIN perdure_task_state s ON s.shard = g.shard AND s.id = g.id
ORDER BY s.id
FOR UPDATE OF s;

-- name: lock_for_propagation
-- Rows that another transaction is writing are skipped, so that propagation never waits: a caller's
-- transaction can hold the row of a parent for a long time.
SELECT
  s.id, s.batch, s.run, s.state, s.give_up_reason, s.unmet, s.unmet_failed, s.observers,
  s.superseded_by IS NOT NULL AS superseded,
  s.observers & 8 = 0 OR s.superseded_by IS NOT NULL OR EXISTS (
    SELECT
    FROM perdure_run r
    WHERE r.shard = s.shard
      AND r.batch = s.batch
      AND r.run = s.run
      AND r.outcome IS NOT NULL
      AND r.next_at IS NULL) AS settled
FROM (
  SELECT CAST(:shard AS integer) + g.item_index * 0 AS shard, g.id
  FROM unnest(CAST(:item_indexes AS integer[]), CAST(:ids AS uuid[])) AS g (item_index, id)
  WHERE g.item_index * 0 = 0
    AND (g.item_index + 1) * 0 = 0
) g
JOIN perdure_task_state s ON s.shard = g.shard AND s.id = g.id
FOR NO KEY UPDATE OF s SKIP LOCKED;

-- name: propagate
-- The rows are locked by lock_for_propagation. A released task is due now, unless it was submitted
-- for later.
WITH clock AS MATERIALIZED (
  SELECT COALESCE(CAST(:now AS timestamptz), clock_timestamp()) AS now
),
input AS NOT MATERIALIZED (
  SELECT
    CAST(:shard AS integer) + g.item_index * 0 AS shard, g.id, g.from_state, g.to_state, g.unmet,
    g.unmet_failed, g.from_state <> g.to_state AS released
  FROM unnest(
    CAST(:item_indexes AS integer[]), CAST(:ids AS uuid[]), CAST(:from_states AS text[]),
    CAST(:to_states AS text[]), CAST(:unmet AS integer[]), CAST(:unmet_failed AS integer[])
  ) AS g (item_index, id, from_state, to_state, unmet, unmet_failed)
  WHERE g.item_index * 0 = 0
    AND (g.item_index + 1) * 0 = 0
),
updated AS (
  UPDATE perdure_task_state s
  SET state = g.to_state,
      unmet = g.unmet,
      unmet_failed = g.unmet_failed,
      due_at = CASE WHEN g.released THEN GREATEST(s.due_at, clock.now) ELSE s.due_at END,
      claim_at = CASE WHEN g.released THEN GREATEST(s.due_at, clock.now) ELSE s.due_at END
        - s.priority * INTERVAL '1 second',
      retry_since = CASE
        WHEN g.released THEN GREATEST(s.due_at, clock.now)
        ELSE s.retry_since
      END,
      updated_at = CASE WHEN g.released THEN clock.now ELSE s.updated_at END
  FROM input g
  CROSS JOIN clock
  WHERE s.shard = g.shard
    AND s.id = g.id
    AND s.state = g.from_state
    AND s.state NOT IN ('claimed', 'running')
  RETURNING COALESCE(s.queue, s.kind) AS queue, CASE WHEN g.released THEN s.limits END AS limits
)
INSERT INTO perdure_limit_event (shard, queue, key, freed, created_at)
SELECT DISTINCT CAST(:shard AS integer), w.queue, k.key, 0, clock.now
FROM updated w
CROSS JOIN LATERAL unnest(string_to_array(w.limits, chr(10))) AS k (key)
CROSS JOIN clock
WHERE w.limits IS NOT NULL;

-- name: set_counted
-- Sets or clears the bit that says that the run has counted the end of the task. The run now knows
-- of its last change.
UPDATE perdure_task_state s
SET observers = CASE WHEN g.counted THEN s.observers | 4 ELSE s.observers & ~4 END & ~128
FROM (
  SELECT CAST(:shard AS integer) + g.item_index * 0 AS shard, g.id, g.counted
  FROM unnest(
    CAST(:item_indexes AS integer[]), CAST(:ids AS uuid[]), CAST(:counted AS boolean[])
  ) AS g (item_index, id, counted)
  WHERE g.item_index * 0 = 0
    AND (g.item_index + 1) * 0 = 0
) g
WHERE s.shard = g.shard
  AND s.id = g.id;

-- name: copy
-- The tasks of another run. They are due now. The rows of the old ones are locked.
WITH clock AS MATERIALIZED (
  SELECT COALESCE(CAST(:now AS timestamptz), clock_timestamp()) AS now
),
superseded AS (
  UPDATE perdure_task_state s
  SET superseded_by = g.new_id
  FROM (
    SELECT CAST(:shard AS integer) + g.item_index * 0 AS shard, g.old_id, g.new_id
    FROM unnest(
      CAST(:item_indexes AS integer[]), CAST(:old_ids AS uuid[]), CAST(:new_ids AS uuid[])
    ) AS g (item_index, old_id, new_id)
    WHERE g.item_index * 0 = 0
      AND (g.item_index + 1) * 0 = 0
  ) g
  WHERE s.shard = g.shard
    AND s.id = g.old_id
),
copied AS (
  INSERT INTO perdure_task_state (
    shard, id, batch, run, kind, queue, priority, state, hold, due_at, claim_at, epoch, attempt,
    losses, retry_base, retry_since, unmet, unmet_failed, observers, timeout_ms, deadline_at,
    updated_at, success, failures, expected_count, limits, limit_key, dedupe_key,
    schedule
  )
  SELECT
    :shard, g.new_id, s.batch, :run, s.kind, s.queue, s.priority,
    CASE WHEN g.unmet > 0 THEN 'waiting' ELSE 'pending' END, s.hold & 2, clock.now,
    clock.now - s.priority * INTERVAL '1 second', 0, 0, 0, 0, clock.now, g.unmet, g.unmet_failed,
    g.observers, s.timeout_ms, s.deadline_at, clock.now, 0, 0, s.expected_count, s.limits,
    s.limit_key, s.dedupe_key, s.schedule
  FROM clock
  CROSS JOIN unnest(
    CAST(:old_ids AS uuid[]), CAST(:new_ids AS uuid[]), CAST(:unmet AS integer[]),
    CAST(:unmet_failed AS integer[]), CAST(:observers AS integer[])
  ) AS g (old_id, new_id, unmet, unmet_failed, observers)
  CROSS JOIN LATERAL (
    SELECT
      s.batch, s.kind, s.queue, s.priority, s.timeout_ms, s.deadline_at, s.expected_count, s.hold,
      s.limits, s.limit_key, s.dedupe_key, s.schedule
    FROM perdure_task_state s
    WHERE s.shard = :shard
      AND s.id = g.old_id
    LIMIT 1
  ) s
  RETURNING COALESCE(queue, kind) AS queue, limits
)
INSERT INTO perdure_limit_event (shard, queue, key, freed, created_at)
SELECT DISTINCT CAST(:shard AS integer), c.queue, k.key, 0, clock.now
FROM copied c
CROSS JOIN LATERAL unnest(string_to_array(c.limits, chr(10))) AS k (key)
CROSS JOIN clock
WHERE c.limits IS NOT NULL;
