-- name: insert
-- in task_state.insert

-- name: replace
-- in dedupe.replace

-- name: copy
INSERT INTO perdure_task (
  shard, batch, id, created_at, name, payload, metadata, metadata_index, policy, policy_as_given,
  strategy, idempotency_key, local_id, actions, trace, rules
)
SELECT
  :shard, t.batch, g.new_id, COALESCE(CAST(:now AS timestamptz), clock_timestamp()), t.name,
  t.payload, t.metadata, t.metadata_index, t.policy, t.policy_as_given, t.strategy,
  t.idempotency_key, t.local_id, t.actions, t.trace, t.rules
FROM unnest(CAST(:old_ids AS uuid[]), CAST(:new_ids AS uuid[])) AS g (old_id, new_id)
CROSS JOIN LATERAL (
  SELECT
    t.batch, t.name, t.payload, t.metadata, t.metadata_index, t.policy, t.policy_as_given,
    t.strategy, t.idempotency_key, t.local_id, t.actions, t.trace, t.rules
  FROM perdure_task t
  WHERE t.shard = :shard
    AND t.batch = :batch
    AND t.id = g.old_id
  LIMIT 1
) t;

-- name: ids_of_batch
-- Ids grow with time, so this is the order of the submission. Later runs do not belong to it.
SELECT t.id
FROM perdure_task t
WHERE t.shard = :shard
  AND t.batch = :batch
  AND (SELECT s.run FROM perdure_task_state s WHERE s.shard = t.shard AND s.id = t.id) = 0
ORDER BY t.id;

-- name: count_by_strategy
SELECT r.strategy, count(*) AS tasks
FROM (
  SELECT (
    SELECT t.strategy
    FROM perdure_task t
    WHERE t.shard = retries.shard AND t.batch = retries.batch AND t.id = retries.id) AS strategy
  FROM (
    (
      SELECT s.shard, s.batch, s.id
      FROM perdure_task_state s
      WHERE s.shard = :shard
        AND (s.state = 'waiting' OR (s.state IN ('pending', 'retry_pending') AND s.hold NOT IN (0, 2)))
        AND s.state = 'retry_pending'
      ORDER BY s.shard
      LIMIT :limit
    )
    UNION ALL
    (
      SELECT s.shard, s.batch, s.id
      FROM perdure_task_state s
      WHERE s.shard = :shard
        AND s.state IN ('pending', 'retry_pending')
        AND s.hold = 2
        AND s.state = 'retry_pending'
      ORDER BY s.limit_key
      LIMIT :limit
    )
    UNION ALL
    (
      SELECT s.shard, s.batch, s.id
      FROM perdure_task_state s
      WHERE s.shard = :shard
        AND s.state IN ('pending', 'retry_pending')
        AND s.hold = 0
        AND s.priority <> 0
        AND s.state = 'retry_pending'
      ORDER BY COALESCE(s.queue, s.kind), s.claim_at
      LIMIT :limit
    )
    UNION ALL
    (
      SELECT s.shard, s.batch, s.id
      FROM perdure_task_state s
      WHERE s.shard = :shard
        AND s.state IN ('pending', 'retry_pending')
        AND s.hold = 0
        AND s.priority = 0
        AND s.state = 'retry_pending'
      ORDER BY COALESCE(s.queue, s.kind), s.claim_at
      LIMIT :limit
    )
    LIMIT :limit
  ) retries
) r
WHERE r.strategy IS NOT NULL
GROUP BY r.strategy;

-- name: next_to_delete
-- in batch.delete

-- name: delete
-- in batch.delete
