-- name: insert
INSERT INTO perdure_task (
  shard, batch, id, created_at, name, payload, metadata, metadata_index, policy, policy_as_given,
  strategy, idempotency_key, local_id, actions, trace, rules
)
VALUES (
  :shard, :batch, :id, :now, :name, :payload, :metadata, :metadata_index, :policy,
  :policy_as_given, :strategy, :idempotency_key, :local_id, :actions, :trace, :rules
);

-- name: replace
UPDATE perdure_task
SET payload = :payload,
    policy = :policy,
    policy_as_given = :policy_as_given,
    strategy = :strategy
WHERE shard = :shard
  AND batch = :batch
  AND id = :id;

-- name: copy
INSERT INTO perdure_task (
  shard, batch, id, created_at, name, payload, metadata, metadata_index, policy, policy_as_given,
  strategy, idempotency_key, local_id, actions, trace, rules
)
SELECT
  t.shard, t.batch, :new_id, :now, t.name, t.payload, t.metadata, t.metadata_index, t.policy,
  t.policy_as_given, t.strategy, t.idempotency_key, t.local_id, t.actions, t.trace, t.rules
FROM perdure_task t
WHERE t.shard = :shard
  AND t.batch = :batch
  AND t.id = :old_id;

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
    SELECT s.shard, s.batch, s.id
    FROM perdure_task_state s INDEXED BY perdure_task_state_not_claimable
    WHERE s.shard = :shard
      AND (s.state = 'waiting' OR (s.state IN ('pending', 'retry_pending') AND s.hold NOT IN (0, 2)))
      AND s.state = 'retry_pending'
    UNION ALL
    SELECT s.shard, s.batch, s.id
    FROM perdure_task_state s INDEXED BY perdure_task_state_limited
    WHERE s.shard = :shard
      AND s.state IN ('pending', 'retry_pending')
      AND s.hold = 2
      AND s.state = 'retry_pending'
    UNION ALL
    SELECT s.shard, s.batch, s.id
    FROM perdure_task_state s INDEXED BY perdure_task_state_claim_by_priority
    WHERE s.shard = :shard
      AND s.state IN ('pending', 'retry_pending')
      AND s.hold = 0
      AND s.priority <> 0
      AND s.state = 'retry_pending'
    UNION ALL
    SELECT s.shard, s.batch, s.id
    FROM perdure_task_state s INDEXED BY perdure_task_state_claim
    WHERE s.shard = :shard
      AND s.state IN ('pending', 'retry_pending')
      AND s.hold = 0
      AND s.priority = 0
      AND s.state = 'retry_pending'
    LIMIT :limit + 0
  ) retries
) r
WHERE r.strategy IS NOT NULL
GROUP BY r.strategy;

-- name: next_to_delete
-- A task whose dependents have not been updated is kept.
SELECT
  t.id,
  s.ended_at IS NOT NULL AND NOT EXISTS (
    SELECT 1
    FROM perdure_propagation_event e
    WHERE e.shard = s.shard AND e.task = s.id) AS ended
FROM perdure_task t
JOIN perdure_task_state s
  ON s.shard = t.shard AND s.id = t.id
WHERE t.shard = :shard
  AND t.batch = :batch
  AND t.id > :deleted_up_to
ORDER BY t.id
LIMIT :limit + 0;

-- name: delete
DELETE FROM perdure_task
WHERE shard = :shard
  AND batch = :batch
  AND id IN (SELECT unhex(j.value) FROM json_each(:ids) j);
