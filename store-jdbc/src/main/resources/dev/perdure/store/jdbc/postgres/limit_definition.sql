-- name: missing
-- Limits without a row.
SELECT g.key
FROM unnest(CAST(:keys AS text[])) AS g (key)
WHERE NOT EXISTS (
  SELECT
  FROM perdure_limit l
  WHERE l.shard = :shard
    AND l.key = g.key
  OFFSET 0
);

-- name: of_waiting
-- What a task that waits for each limit says about it. For limits without a row that no submission
-- has described.
SELECT t.queue, t.limits, t.kind, t.metadata, t.rules
FROM unnest(CAST(:keys AS text[])) AS g (key)
CROSS JOIN LATERAL (
  -- insert: definition
    AND s.limit_key = g.key
    AND s.state IN ('pending', 'retry_pending')
    AND s.hold = 2
  LIMIT 1
) t;

-- name: of_tasks
SELECT t.queue, t.limits, t.kind, t.metadata, t.rules
FROM unnest(CAST(:ids AS uuid[])) AS g (id)
CROSS JOIN LATERAL (
  -- insert: definition
    AND s.id = g.id
  LIMIT 1
) t;

-- part: definition
  SELECT COALESCE(s.queue, s.kind) AS queue, s.limits, s.kind, v.metadata, v.rules
  FROM perdure_task_state s
  CROSS JOIN LATERAL (
    SELECT t.metadata, t.rules
    FROM perdure_task t
    WHERE t.shard = :shard
      AND t.batch = s.batch
      AND t.id = s.id
    LIMIT 1
  ) v
  WHERE s.shard = :shard
