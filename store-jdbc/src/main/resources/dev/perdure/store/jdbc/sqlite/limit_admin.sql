-- name: tasks_of_batch
-- Tasks of a batch, with what a change of their limits needs to know; kind is null for others.
SELECT
  t.id, t.metadata, s.kind, COALESCE(s.queue, s.kind) AS queue, s.limits,
  s.state IN ('claimed', 'running') AS leased
FROM perdure_task t
LEFT JOIN perdure_task_state s
  ON s.shard = t.shard AND s.id = t.id AND s.kind = :kind AND s.ended_at IS NULL
WHERE t.shard = :shard
  AND t.batch = :batch
  AND t.id > :after
ORDER BY t.id
LIMIT :limit + 0;

-- name: uncounted
-- The first live task of a kind whose number of items is unknown.
SELECT t.id
FROM perdure_task t
JOIN perdure_task_state s
  ON s.shard = t.shard AND s.id = t.id
WHERE t.shard = :shard
  AND t.batch = :batch
  AND s.kind = :kind
  AND s.ended_at IS NULL
  AND s.expected_count IS NULL
ORDER BY t.id
LIMIT 1;

-- name: change
UPDATE perdure_task_state
SET limits = :limits,
    limit_key = :limit_key,
    hold = CASE WHEN :limits IS NULL THEN hold & ~2 ELSE hold | 2 END
WHERE shard = :shard
  AND id = :id
  AND state IN ('waiting', 'pending', 'claimed', 'running', 'retry_pending');

-- name: change_locked
-- in change

-- name: occupy
-- A running task takes a place, also where there is none.
INSERT INTO perdure_limit (
  shard, key, queue, type, max, per_ms, burst, used, look_at, updated_at
)
VALUES (:shard, :key, :queue, :type, :max, :per_ms, :burst, 1, :now, :now)
ON CONFLICT (shard, key) DO UPDATE
SET used = used + 1,
    updated_at = :now;

-- name: change_rules
UPDATE perdure_task
SET rules = :rules
WHERE shard = :shard
  AND batch = :batch
  AND id = :id;

-- name: lock_to_check
SELECT
  l.key, l.queue, l.type, l.max, l.per_ms, l.burst, l.used, l.next_start_at, l.look_at, l.updated_at
FROM perdure_limit l
WHERE l.shard = :shard
  AND l.key > :after
ORDER BY l.key
LIMIT :limit + 0;

-- name: check
SELECT
  (
    SELECT COALESCE(sum(e.freed), 0)
    FROM perdure_limit_event e INDEXED BY perdure_limit_event_of_key
    WHERE e.shard = :shard
      AND e.key = :key
  ) AS freed,
  EXISTS (
    SELECT 1
    FROM perdure_limit_event e INDEXED BY perdure_limit_event_of_key
    WHERE e.shard = :shard
      AND e.key = :key
  ) AS has_events,
  EXISTS (
    SELECT 1
    FROM perdure_task_state s INDEXED BY perdure_task_state_limited
    WHERE s.shard = :shard
      AND s.limit_key = :key
      AND s.state IN ('pending', 'retry_pending')
      AND s.hold = 2
      AND (s.deadline_at IS NULL OR s.deadline_at > :now)
  ) AS has_waiting;

-- name: correct
UPDATE perdure_limit
SET used = :used,
    look_at = :now,
    updated_at = :now
WHERE shard = :shard
  AND key = :key;

-- name: delete
DELETE FROM perdure_limit
WHERE shard = :shard
  AND key = :key;

-- part: usage
  l.key, l.type, l.max, l.per_ms, l.burst, l.next_start_at,
  max(l.used - (
    SELECT COALESCE(sum(e.freed), 0)
    FROM perdure_limit_event e
    WHERE e.shard = :shard
      AND e.key = l.key), 0) AS used,
  (
    SELECT count(*)
    FROM (
      SELECT 1
      FROM perdure_task_state s INDEXED BY perdure_task_state_limited
      WHERE s.shard = :shard
        AND s.limit_key = l.key
        AND s.state IN ('pending', 'retry_pending')
        AND s.hold = 2
      LIMIT :max_counted + 0
    ) w
  ) AS waiting

-- name: list
SELECT
  -- insert: usage
FROM (
  SELECT l.key, l.type, l.max, l.per_ms, l.burst, l.next_start_at, l.used
  FROM perdure_limit l
  WHERE l.shard = :shard
    AND l.key > :after
  ORDER BY l.key
  LIMIT :limit + 0
) l
ORDER BY l.key;

-- name: wait_of
-- Tasks of the same queue that are claimed before this one.
SELECT
  -- insert: usage
  , (
    SELECT count(*)
    FROM (
      SELECT 1
      FROM perdure_task_state o INDEXED BY perdure_task_state_limited
      WHERE o.shard = :shard
        AND o.limit_key = s.limit_key
        AND COALESCE(o.queue, o.kind) = COALESCE(s.queue, s.kind)
        AND CASE WHEN o.priority = 0 THEN 0 ELSE 1 END IN (0, 1)
        AND o.claim_at <= s.claim_at
        AND o.state IN ('pending', 'retry_pending')
        AND o.hold = 2
        AND o.due_at <= :now
        AND (o.claim_at, o.id) < (s.claim_at, s.id)
      LIMIT :max_counted + 0
    ) w
  ) AS ahead
FROM perdure_task_state s
JOIN perdure_limit l
  ON l.shard = s.shard AND l.key = s.limit_key
WHERE s.shard = :shard
  AND s.id = :id
  AND s.state IN ('pending', 'retry_pending')
  AND s.hold = 2
  AND s.due_at <= :now;
