-- part: delivery
  d.id, d.task, d.batch, d.trigger, d.request, d.state, d.epoch, d.attempt, d.created_at, d.retry_since,
  d.due_at, d.lease_until, d.updated_at, d.ended_at, d.failure_kind, d.failure_status, d.failure_message

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
LIMIT :limit;

-- name: claim
-- Taken ones are due again when their lease is over, so that nobody has to look for them.
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
-- Who settles gives back the lease, so that the same end is not written twice.
UPDATE perdure_delivery
SET state = :to_state,
    attempt = attempt + :attempt_increment,
    due_at = COALESCE(:now + :delay_ms, due_at),
    lease_until = NULL,
    updated_at = :now,
    ended_at = CASE WHEN :to_state <> 'pending' THEN :now END,
    failure_kind = CASE WHEN :failure_kind IS NULL THEN failure_kind ELSE :failure_kind END,
    failure_status = CASE WHEN :failure_kind IS NULL THEN failure_status ELSE :failure_status END,
    failure_message = CASE WHEN :failure_kind IS NULL THEN failure_message ELSE :failure_message END
WHERE shard = :shard
  AND id = :id
  AND state = 'pending'
  AND epoch = :epoch
  AND lease_until IS NOT NULL;

-- name: redeliver
-- Of a batch that is being deleted nothing comes back.
UPDATE perdure_delivery
SET state = 'pending',
    attempt = 0,
    retry_since = :now,
    due_at = :now,
    updated_at = :now,
    ended_at = NULL
WHERE shard = :shard
  AND id = :id
  AND state IN ('sent', 'dead')
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
-- :after is beyond all ids for the first page, so that the bound always leads into the key.
SELECT
  -- insert: delivery
FROM perdure_delivery d
WHERE d.shard = :shard
  AND d.id < :after_id
  AND (:trigger IS NULL OR d.trigger = :trigger)
ORDER BY d.id DESC
LIMIT :limit;

-- name: list_sent
SELECT
  -- insert: delivery
FROM perdure_delivery d
WHERE d.shard = :shard
  AND d.state = 'sent'
  AND d.id < :after_id
  AND (:trigger IS NULL OR d.trigger = :trigger)
ORDER BY d.id DESC
LIMIT :limit;

-- name: list_pending
-- Apart from list, so that what is long sent is not on its way.
SELECT
  -- insert: delivery
FROM perdure_delivery d INDEXED BY perdure_delivery_due
WHERE d.shard = :shard
  AND d.state = 'pending'
  AND d.id < :after_id
  AND (:trigger IS NULL OR d.trigger = :trigger)
ORDER BY d.id DESC
LIMIT :limit;

-- name: list_dead
SELECT
  -- insert: delivery
FROM perdure_delivery d INDEXED BY perdure_delivery_dead
WHERE d.shard = :shard
  AND d.state = 'dead'
  AND d.id < :after_id
  AND (:trigger IS NULL OR d.trigger = :trigger)
ORDER BY d.id DESC
LIMIT :limit;

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
LIMIT :limit;

-- name: delete
DELETE FROM perdure_delivery INDEXED BY perdure_delivery_of_batch
WHERE shard = :shard
  AND batch = :batch
  AND task IN (SELECT unhex(j.value) FROM json_each(:ids) j);
