-- name: insert
INSERT INTO perdure_batch (shard, id, created_at, size, live_at)
VALUES (:shard, :id, :now, :size, :now)
ON CONFLICT DO NOTHING;

-- name: old
-- The batches that may be old enough, together no larger than the limit but at least one, and until
-- when each has lived. A task that has not ended lives now, and so does a batch of which something is
-- still to be delivered.
SELECT summed.id, summed.live_at, CASE WHEN EXISTS (
    SELECT 1
    FROM perdure_delivery d INDEXED BY perdure_delivery_of_batch
    WHERE d.shard = :shard
      AND d.batch = summed.id
      AND d.state = 'pending')
  THEN :now ELSE COALESCE((
  SELECT max(COALESCE(s.ended_at, :now))
  FROM perdure_task t
  CROSS JOIN perdure_task_state s
    ON s.shard = t.shard AND s.id = t.id
  WHERE t.shard = :shard
    AND t.batch = summed.id), summed.live_at) END AS lived_at
FROM (
  SELECT
    first.id,
    first.live_at,
    sum(first.size) OVER (ORDER BY first.live_at, first.id) AS total,
    row_number() OVER (ORDER BY first.live_at, first.id) AS place
  FROM (
    SELECT b.id, b.live_at, b.size
    FROM perdure_batch b INDEXED BY perdure_batch_old
    WHERE b.shard = :shard
      AND b.gone_to IS NULL
      AND b.live_at < :now - :age_ms
    ORDER BY b.live_at
    LIMIT :limit
  ) first
) summed
WHERE summed.total <= :limit
   OR summed.place = 1;

-- name: look
-- Notes what was seen of one, unless it was brought back to life since then.
UPDATE perdure_batch
SET live_at = :lived_at,
    gone_to = CASE WHEN :lived_at < :now - :age_ms THEN zeroblob(16) END
WHERE shard = :shard
  AND id = :batch
  AND live_at = :live_at
  AND gone_to IS NULL;

-- name: keep
-- A batch of which something is sent again lives from now on.
UPDATE perdure_batch
SET live_at = max(live_at, :now)
WHERE shard = :shard
  AND id = (SELECT d.batch FROM perdure_delivery d WHERE d.shard = :shard AND d.id = :delivery)
  AND gone_to IS NULL;

-- name: going
SELECT b.id, b.size, b.gone_to
FROM perdure_batch b INDEXED BY perdure_batch_going
WHERE b.shard = :shard
  AND b.gone_to IS NOT NULL
ORDER BY b.id
LIMIT :limit;

-- name: purge
-- A task that was submitted once more since then lives, and its batch with it.
DELETE FROM perdure_batch
WHERE shard = :shard
  AND id = :batch
  AND NOT EXISTS (SELECT 1 FROM perdure_task t WHERE t.shard = :shard AND t.batch = :batch);

-- name: move
UPDATE perdure_batch
SET gone_to = :gone_to,
    live_at = CASE WHEN :gone_to IS NULL THEN :now ELSE live_at END
WHERE shard = :shard
  AND id = :batch;
