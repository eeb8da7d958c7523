-- name: insert
INSERT INTO batch (shard, id, created_at, size)
VALUES (:shard, :id, :now, :size)
ON CONFLICT DO NOTHING;

-- name: purge
DELETE FROM batch
WHERE shard = :shard
  AND id = :batch;
