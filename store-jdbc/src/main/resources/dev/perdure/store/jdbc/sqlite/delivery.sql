-- part: delivery
  d.id, d.task, d.batch, d.trigger, d.request, d.state, d.epoch, d.attempt, d.created_at,
  d.retry_since, d.due_at, d.lease_until, d.updated_at, d.ended_at, d.failure_kind,
  d.failure_status, d.failure_message

-- name: insert
INSERT INTO perdure_delivery (
  shard, id, task, batch, trigger, request, state, epoch, attempt, created_at, retry_since, due_at,
  updated_at
)
SELECT :shard, :id, s.id, s.batch, :trigger, :request, 'pending', 0, 0, :now, :now, :now, :now
FROM perdure_task_state s
WHERE s.shard = :shard
  AND s.id = :task;

-- name: due
SELECT
  -- insert: delivery
FROM perdure_delivery d INDEXED BY perdure_delivery_due
WHERE d.shard = :shard
  AND d.state = 'pending'
  AND d.due_at <= :now
ORDER BY d.due_at, d.id
LIMIT :limit + 0;

-- name: claim
-- A claimed delivery is due again when its lease ends, so no sweep for abandoned deliveries is
-- needed.
UPDATE perdure_delivery
SET epoch = epoch + 1,
    due_at = :now + :lease_ms,
    lease_until = :now + :lease_ms,
    updated_at = :now
WHERE shard = :shard
  AND id IN (SELECT unhex(j.value) FROM json_each(:ids) j)
  AND state = 'pending';

-- name: extend
UPDATE perdure_delivery
SET due_at = :now + :lease_ms,
    lease_until = :now + :lease_ms,
    updated_at = :now
WHERE shard = :shard
  AND id = :id
  AND state = 'pending'
  AND epoch = :epoch
  AND lease_until IS NOT NULL;

-- name: settle
-- Settling clears the lease, so that the same result cannot be written twice.
UPDATE perdure_delivery
SET state = :to_state,
    attempt = attempt + :attempt_increment,
    due_at = COALESCE(:now + :delay_ms, due_at),
    lease_until = NULL,
    updated_at = :now,
    ended_at = CASE WHEN :to_state <> 'pending' THEN :now END,
    failure_kind = COALESCE(:failure_kind, failure_kind),
    failure_status = CASE WHEN :failure_kind IS NULL THEN failure_status ELSE :failure_status END,
    failure_message = CASE WHEN :failure_kind IS NULL THEN failure_message ELSE :failure_message END
WHERE shard = :shard
  AND id = :id
  AND state = 'pending'
  AND epoch = :epoch
  AND lease_until IS NOT NULL;

-- name: redeliver
-- Changes nothing if the batch is being deleted.
UPDATE perdure_delivery
SET state = 'pending',
    attempt = 0,
    retry_since = :now + :delay_ms,
    due_at = :now + :delay_ms,
    updated_at = :now,
    ended_at = NULL
WHERE shard = :shard
  AND id = :id
  AND state IN ('sent', 'dead')
  AND (:from IS NULL OR state = :from)
  AND EXISTS (
    SELECT 1
    FROM perdure_batch b
    WHERE b.shard = :shard
      AND b.id = perdure_delivery.batch
      AND b.deleted_up_to IS NULL);

-- name: find
SELECT
  -- insert: delivery
FROM perdure_delivery d
WHERE d.shard = :shard
  AND d.id = :id;

-- name: list
-- For the first page :after_id is greater than every id, so that the bound is always an index
-- condition.
SELECT
  -- insert: delivery
FROM perdure_delivery d
WHERE d.shard = :shard
  AND d.id < :after_id
  AND (:trigger IS NULL OR d.trigger = :trigger)
ORDER BY d.id DESC
LIMIT :limit + 0;

-- name: list_sent
SELECT
  -- insert: delivery
FROM perdure_delivery d
WHERE d.shard = :shard
  AND d.state = 'sent'
  AND d.id < :after_id
  AND (:trigger IS NULL OR d.trigger = :trigger)
ORDER BY d.id DESC
LIMIT :limit + 0;

-- name: list_pending
-- Separate from list so that it does not read deliveries that were sent.
SELECT
  -- insert: delivery
FROM perdure_delivery d INDEXED BY perdure_delivery_due
WHERE d.shard = :shard
  AND d.state = 'pending'
  AND d.id < :after_id
  AND (:trigger IS NULL OR d.trigger = :trigger)
ORDER BY d.id DESC
LIMIT :limit + 0;

-- name: list_dead
SELECT
  -- insert: delivery
FROM perdure_delivery d INDEXED BY perdure_delivery_dead
WHERE d.shard = :shard
  AND d.state = 'dead'
  AND d.id < :after_id
  AND (:trigger IS NULL OR d.trigger = :trigger)
ORDER BY d.id DESC
LIMIT :limit + 0;

-- name: list_of_task
SELECT
  -- insert: delivery
FROM perdure_delivery d INDEXED BY perdure_delivery_of_batch
WHERE d.shard = :shard
  AND d.batch = (
    SELECT s.batch
    FROM perdure_task_state s
    WHERE s.shard = :shard
      AND s.id = :task)
  AND d.task = :task
  AND d.id < :after_id
  AND (:state IS NULL OR d.state = :state)
  AND (:trigger IS NULL OR d.trigger = :trigger)
ORDER BY d.id DESC
LIMIT :limit + 0;

-- name: delete
DELETE FROM perdure_delivery INDEXED BY perdure_delivery_of_batch
WHERE shard = :shard
  AND batch = :batch
  AND task IN (SELECT unhex(j.value) FROM json_each(:ids) j);

-- name: count_dead
SELECT count(*) AS deliveries
FROM (
  SELECT d.id
  FROM perdure_delivery d INDEXED BY perdure_delivery_dead
  WHERE d.shard = :shard
    AND d.state = 'dead'
  ORDER BY d.id
  LIMIT :limit + 0
) g;
