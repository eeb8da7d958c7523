-- name: insert
-- in task_state.insert, task_state.apply, graph.propagate and graph.copy

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

-- name: of_key
-- in limit.open

-- name: delete
-- in limit.open
