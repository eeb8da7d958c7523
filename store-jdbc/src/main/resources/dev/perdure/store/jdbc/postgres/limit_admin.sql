-- name: tasks_of_batch
-- Tasks of a batch, with what a change of their limits needs to know; kind is null for others.
SELECT t.id, t.metadata, s.kind, s.queue, s.limits
FROM (
  SELECT t.id, t.metadata
  FROM perdure_task t
  WHERE t.shard = :shard
    AND t.batch = :batch
    AND t.id > :after
  ORDER BY t.id
  LIMIT :limit
) t
LEFT JOIN LATERAL (
  SELECT s.kind, COALESCE(s.queue, s.kind) AS queue, s.limits
  FROM perdure_task_state s
  WHERE s.shard = :shard
    AND s.id = t.id
    AND s.kind = :kind
    AND s.ended_at IS NULL
  LIMIT 1
) s
  ON true
ORDER BY t.id;

-- name: uncounted
-- The first live task of a kind whose number of items is unknown.
SELECT t.id
FROM perdure_task t
CROSS JOIN LATERAL (
  SELECT
  FROM perdure_task_state s
  WHERE s.shard = :shard
    AND s.id = t.id
    AND s.kind = :kind
    AND s.ended_at IS NULL
    AND s.expected_count IS NULL
  LIMIT 1
) s
WHERE t.shard = :shard
  AND t.batch = :batch
ORDER BY t.id
LIMIT 1;

-- name: change
-- Returns the tasks that it changed. One that another transaction is writing is left out.
-- insert: live
    FOR UPDATE SKIP LOCKED
  ) w
),
-- insert: changed

-- name: change_locked
-- Waits for the other transaction. A handler can keep it open for long, so only one task is locked.
-- insert: live
    FOR UPDATE
  ) w
),
-- insert: changed

-- part: live
WITH live AS MATERIALIZED (
  SELECT w.shard, w.id, w.queue, w.leased, w.limits AS old_limits, g.limits, g.limit_key
  FROM unnest(CAST(:ids AS uuid[]), CAST(:limits AS text[]), CAST(:limit_keys AS text[]))
    AS g (id, limits, limit_key)
  CROSS JOIN LATERAL (
    SELECT
      s.shard, s.id, COALESCE(s.queue, s.kind) AS queue, s.limits,
      s.state IN ('claimed', 'running') AS leased
    FROM perdure_task_state s
    WHERE s.shard = :shard
      AND s.id = g.id
      AND s.state IN ('waiting', 'pending', 'claimed', 'running', 'retry_pending')

-- part: changed
-- A claimed or running task leaves its places in the old limits and takes places in the new ones,
-- also where there are none. An event says so: a place that is taken counts as -1 freed.
places AS MATERIALIZED (
  SELECT p.queue, p.key, sum(p.freed) AS freed
  FROM (
    SELECT l.queue, k.key, 1 AS freed
    FROM live l
    CROSS JOIN LATERAL unnest(string_to_array(l.old_limits, chr(10))) AS k (key)
    WHERE l.leased
    UNION ALL
    SELECT l.queue, k.key, -1
    FROM live l
    CROSS JOIN LATERAL unnest(string_to_array(l.limits, chr(10))) AS k (key)
    WHERE l.leased
  ) p
  GROUP BY p.queue, p.key
),
new_limit_events AS (
  INSERT INTO perdure_limit_event (shard, queue, key, freed, created_at)
  SELECT
    :shard, p.queue, p.key, p.freed, COALESCE(CAST(:now AS timestamptz), clock_timestamp())
  FROM places p
  WHERE p.freed <> 0
)
UPDATE perdure_task_state s
SET limits = l.limits,
    limit_key = l.limit_key,
    hold = CASE WHEN l.limits IS NULL THEN s.hold & ~2 ELSE s.hold | 2 END
FROM live l
WHERE s.shard = l.shard
  AND s.id = l.id
  AND s.state IN ('waiting', 'pending', 'claimed', 'running', 'retry_pending')
RETURNING s.id;

-- name: occupy
-- in change

-- name: change_rules
UPDATE perdure_task t
SET rules = :rules
WHERE t.shard = :shard
  AND t.batch = :batch
  AND t.id = ANY (CAST(:ids AS uuid[]));

-- name: lock_to_check
SELECT
  l.key, l.queue, l.type, l.max, l.per_ms, l.burst, l.used, l.next_start_at, l.look_at, l.updated_at
FROM perdure_limit l
WHERE l.shard = :shard
  AND l.key > :after
ORDER BY l.key
LIMIT :limit
FOR UPDATE SKIP LOCKED;

-- name: check
-- In one statement, and therefore one snapshot, after the rows are locked: only an end can change
-- this meanwhile, and it changes both numbers at once.
SELECT
  g.key,
  COALESCE(held.tasks, 0) AS held,
  COALESCE(events.freed, 0) AS freed,
  COALESCE(events.events, 0) > 0 AS has_events,
  (
    SELECT count(*)
    FROM (
      SELECT
      FROM perdure_task_state s
      WHERE s.shard = :shard
        AND s.limit_key = g.key
        AND s.state IN ('pending', 'retry_pending')
        AND s.hold = 2
        AND (s.deadline_at IS NULL OR s.deadline_at > CAST(:now AS timestamptz))
      LIMIT 1
    ) w
  ) > 0 AS has_waiting
FROM unnest(CAST(:keys AS text[])) AS g (key)
LEFT JOIN (
  SELECT k.key, count(*) AS tasks
  FROM perdure_task_state s
  CROSS JOIN LATERAL unnest(string_to_array(s.limits, chr(10))) AS k (key)
  WHERE s.shard = :shard
    AND s.state IN ('claimed', 'running')
    AND s.limits IS NOT NULL
  GROUP BY k.key
) held
  ON held.key = g.key
CROSS JOIN LATERAL (
  SELECT sum(e.freed) AS freed, count(*) AS events
  FROM perdure_limit_event e
  WHERE e.shard = :shard
    AND e.key = g.key
) events;

-- name: correct
UPDATE perdure_limit l
SET used = :used,
    look_at = COALESCE(CAST(:now AS timestamptz), clock_timestamp()),
    updated_at = COALESCE(CAST(:now AS timestamptz), clock_timestamp())
WHERE l.shard = :shard
  AND l.key = :key;

-- name: delete
DELETE FROM perdure_limit l
WHERE l.shard = :shard
  AND l.key = ANY (CAST(:keys AS text[]));

-- part: usage
  l.key, l.type, l.max, l.per_ms, l.burst, l.next_start_at,
  GREATEST(l.used - (
    SELECT COALESCE(sum(e.freed), 0)
    FROM perdure_limit_event e
    WHERE e.shard = :shard
      AND e.key = l.key), 0) AS used,
  (
    SELECT count(*)
    FROM (
      SELECT
      FROM perdure_task_state s
      WHERE s.shard = :shard
        AND s.limit_key = l.key
        AND s.state IN ('pending', 'retry_pending')
        AND s.hold = 2
      LIMIT :max_counted
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
  LIMIT :limit
) l
ORDER BY l.key;

-- name: wait_of
-- Tasks of the same queue that are claimed before this one.
SELECT
  -- insert: usage
  , (
    SELECT count(*)
    FROM (
      SELECT
      FROM perdure_task_state o
      WHERE o.shard = :shard
        AND o.limit_key = s.limit_key
        AND COALESCE(o.queue, o.kind) = COALESCE(s.queue, s.kind)
        AND CASE WHEN o.priority = 0 THEN 0 ELSE 1 END IN (0, 1)
        AND o.claim_at <= s.claim_at
        AND o.state IN ('pending', 'retry_pending')
        AND o.hold = 2
        AND o.due_at <= COALESCE(CAST(:now AS timestamptz), clock_timestamp())
        AND (o.claim_at, o.id) < (s.claim_at, s.id)
      LIMIT :max_counted
    ) w
  ) AS ahead
FROM perdure_task_state s
CROSS JOIN LATERAL (
  SELECT l.key, l.type, l.max, l.per_ms, l.burst, l.next_start_at, l.used
  FROM perdure_limit l
  WHERE l.shard = :shard
    AND l.key = s.limit_key
  LIMIT 1
) l
WHERE s.shard = :shard
  AND s.id = :id
  AND s.state IN ('pending', 'retry_pending')
  AND s.hold = 2
  AND s.due_at <= COALESCE(CAST(:now AS timestamptz), clock_timestamp());
