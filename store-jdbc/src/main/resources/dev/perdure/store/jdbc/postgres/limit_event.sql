-- name: insert
-- in task_state.insert, task_state.apply, graph.propagate and graph.copy

-- name: rules
-- What the last submission says about limits whose row is missing.
SELECT DISTINCT ON (e.key) e.key, e.queue, e.max, e.per_ms, e.burst
FROM unnest(CAST(:queues AS text[])) AS q (queue)
CROSS JOIN LATERAL (
  SELECT e.key, e.queue, e.number, e.max, e.per_ms, e.burst
  FROM perdure_limit_event e
  WHERE e.shard = :shard
    AND e.queue = q.queue
    AND e.key = ANY (CAST(:keys AS text[]))
  ORDER BY e.number
  LIMIT :max_events
) e
ORDER BY e.key, e.max IS NULL, e.number DESC;

-- name: of_queue
-- in limit.open

-- name: of_key
-- in limit.open

-- name: delete
-- in limit.open
