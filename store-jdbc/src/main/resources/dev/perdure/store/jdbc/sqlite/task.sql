-- name: insert
INSERT INTO task (
  shard, batch, id, created_at, name, payload, metadata, policy, strategy, idempotency_key,
  local_id
)
VALUES (
  :shard, :batch, :id, :now, :name, :payload, :metadata, :policy, :strategy, :idempotency_key,
  :local_id
)
ON CONFLICT DO NOTHING;

-- name: strategies
SELECT t.strategy, count(*) AS tasks
FROM task_state s
JOIN task t
  ON t.shard = s.shard AND t.batch = s.batch AND t.id = s.id
WHERE s.state = 'retry_pending'
  AND t.strategy IS NOT NULL
GROUP BY t.strategy;

-- name: purge
DELETE FROM task
WHERE shard = :shard
  AND batch = :batch;
