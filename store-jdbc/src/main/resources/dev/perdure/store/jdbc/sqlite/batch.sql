-- name: insert
INSERT INTO perdure_batch (shard, id, created_at, size, last_active_at)
VALUES (:shard, :id, :now, :size, :now)
ON CONFLICT DO NOTHING;

-- name: find_expired
-- Batches whose last known activity is older than the retention period: as many as have :limit
-- tasks in total, but at least one. active_at is when the batch was last active: now if one of its
-- tasks has not ended or one of its deliveries is pending.
SELECT ranked.id, ranked.last_active_at, CASE WHEN EXISTS (
    SELECT 1
    FROM perdure_delivery d INDEXED BY perdure_delivery_of_batch
    WHERE d.shard = :shard
      AND d.batch = ranked.id
      AND d.state = 'pending')
  THEN :now ELSE COALESCE((
  SELECT max(COALESCE(s.ended_at, :now))
  FROM perdure_task t
  CROSS JOIN perdure_task_state s
    ON s.shard = t.shard AND s.id = t.id
  WHERE t.shard = :shard
    AND t.batch = ranked.id), ranked.last_active_at) END AS active_at
FROM (
  SELECT
    oldest.id,
    oldest.last_active_at,
    sum(oldest.size) OVER (ORDER BY oldest.last_active_at, oldest.id) AS total,
    row_number() OVER (ORDER BY oldest.last_active_at, oldest.id) AS position
  FROM (
    SELECT b.id, b.last_active_at, b.size
    FROM perdure_batch b INDEXED BY perdure_batch_last_active
    WHERE b.shard = :shard
      AND b.deleted_up_to IS NULL
      AND b.last_active_at < :now - :age_ms
    ORDER BY b.last_active_at
    LIMIT :limit
  ) oldest
) ranked
WHERE ranked.total <= :limit
   OR ranked.position = 1;

-- name: mark_expired
-- Marks one batch for deletion or moves its last_active_at, unless the batch has become active
-- since it was read.
UPDATE perdure_batch
SET last_active_at = :last_active_at,
    deleted_up_to = CASE WHEN :last_active_at < :now - :age_ms THEN zeroblob(16) END
WHERE shard = :shard
  AND id = :batch
  AND last_active_at = :recorded_active_at
  AND deleted_up_to IS NULL;

-- name: touch
-- A batch with a delivery that is sent again is active now.
UPDATE perdure_batch
SET last_active_at = max(last_active_at, :now)
WHERE shard = :shard
  AND id = (SELECT d.batch FROM perdure_delivery d WHERE d.shard = :shard AND d.id = :delivery)
  AND deleted_up_to IS NULL;

-- name: list_deleting
SELECT b.id, b.size, b.deleted_up_to
FROM perdure_batch b INDEXED BY perdure_batch_deleting
WHERE b.shard = :shard
  AND b.deleted_up_to IS NOT NULL
ORDER BY b.id
LIMIT :limit;

-- name: delete
-- A batch that still has tasks is kept.
DELETE FROM perdure_batch
WHERE shard = :shard
  AND id = :batch
  AND NOT EXISTS (SELECT 1 FROM perdure_task t WHERE t.shard = :shard AND t.batch = :batch);

-- name: save_delete_progress
UPDATE perdure_batch
SET deleted_up_to = :deleted_up_to,
    last_active_at = CASE WHEN :deleted_up_to IS NULL THEN :now ELSE last_active_at END
WHERE shard = :shard
  AND id = :batch;
