-- name: insert
-- in task_state.insert

-- name: strategies
SELECT t.strategy, count(*) AS tasks
FROM task_state s
JOIN task t
  ON t.shard = s.shard AND t.batch = s.batch AND t.id = s.id
WHERE s.state = 'retry_pending'
  AND t.strategy IS NOT NULL
GROUP BY t.strategy;

-- name: purge
-- in task_state.purge
