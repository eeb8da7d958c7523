-- name: missing
-- in limit.lock

-- name: of_waiting
-- What a task that waits for a limit says about it. For a limit without a row that no submission has
-- described.
SELECT s.limits, s.kind, t.metadata, t.rules
FROM perdure_task_state s INDEXED BY perdure_task_state_limited
JOIN perdure_task t
  ON t.shard = s.shard AND t.batch = s.batch AND t.id = s.id
WHERE s.shard = :shard
  AND s.limit_key = :key
  AND s.state IN ('pending', 'retry_pending')
  AND s.hold = 2
LIMIT 1;

-- name: of_tasks
SELECT COALESCE(s.queue, s.kind) AS queue, s.limits, s.kind, t.metadata, t.rules
FROM perdure_task_state s
JOIN perdure_task t
  ON t.shard = s.shard AND t.batch = s.batch AND t.id = s.id
WHERE s.shard = :shard
  AND s.id = :id;
