-- name: insert
-- Most events are written in task_state.insert, task_state.apply, graph.propagate and graph.copy.
INSERT INTO perdure_limit_event (shard, queue, key, freed, max, per_ms, burst, created_at)
SELECT
  :shard, g.queue, g.key, 0, g.max, g.per_ms, g.burst,
  COALESCE(CAST(:now AS timestamptz), clock_timestamp())
FROM unnest(
  CAST(:event_queues AS text[]), CAST(:event_keys AS text[]), CAST(:event_max AS bigint[]),
  CAST(:event_per_ms AS bigint[]), CAST(:event_burst AS integer[])
) AS g (queue, key, max, per_ms, burst);

-- name: rules
-- What the last submission says about limits whose row is missing.
SELECT g.key, e.queue, e.max, e.per_ms, e.burst
FROM unnest(CAST(:keys AS text[])) AS g (key)
CROSS JOIN LATERAL (
  SELECT e.queue, e.max, e.per_ms, e.burst
  FROM perdure_limit_event e
  WHERE e.shard = :shard
    AND e.key = g.key
  ORDER BY e.max IS NULL, e.number DESC
  LIMIT 1
) e;

-- name: of_queue
-- in limit.open

-- name: of_keys
-- in limit.open

-- name: delete
-- in limit.open

-- name: delete_unexplained
-- Events of limits that do not exist and for which no task waits: tasks that began to wait and were
-- canceled or paused since. When they wait again, there is another event.
DELETE FROM perdure_limit_event e
WHERE e.shard = :shard
  AND e.key = ANY (CAST(:keys AS text[]))
  AND e.max IS NULL
  AND e.freed >= 0
  -- insert: unused
;

-- name: delete_old
-- The same, but old ones. No worker claims from their queue, so no claim has looked at them.
DELETE FROM perdure_limit_event e
USING (
  SELECT CAST(:shard AS integer) + o.number * 0 AS shard, o.queue, o.number, o.key
  FROM (
    SELECT e.queue, e.number, e.key, e.created_at, e.freed
    FROM perdure_limit_event e
    WHERE e.shard = :shard
    ORDER BY e.queue, e.number
    LIMIT :limit
  ) o
  WHERE o.created_at < COALESCE(CAST(:now AS timestamptz), clock_timestamp())
      - CAST(:age_ms AS bigint) * INTERVAL '1 millisecond'
    AND o.freed >= 0
    AND o.number * 0 = 0
    AND (o.number + 1) * 0 = 0
) o
WHERE e.shard = o.shard
  AND e.queue = o.queue
  AND e.number = o.number
  -- insert: unused
;

-- part: unused
  AND NOT EXISTS (
    SELECT
    FROM perdure_limit l
    WHERE l.shard = :shard
      AND l.key = e.key
    OFFSET 0
  )
  AND NOT EXISTS (
    SELECT
    FROM perdure_task_state s
    WHERE s.shard = :shard
      AND s.limit_key = e.key
      AND s.state IN ('pending', 'retry_pending')
      AND s.hold = 2
    OFFSET 0
  )
