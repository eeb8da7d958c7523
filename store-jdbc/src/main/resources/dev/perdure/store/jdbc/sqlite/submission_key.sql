-- name: take
-- Changes a row when the key is free, or is so again.
INSERT INTO perdure_submission_key (shard, id, content, batch, taken_at)
VALUES (:shard, :id, :content, :batch, :now)
ON CONFLICT (shard, id) DO UPDATE
SET content = excluded.content,
    batch = excluded.batch,
    taken_at = excluded.taken_at
WHERE perdure_submission_key.taken_at <= excluded.taken_at - :kept_ms;

-- name: find
SELECT k.content, k.batch
FROM perdure_submission_key k
WHERE k.shard = :shard
  AND k.id = :id;

-- name: forget
DELETE FROM perdure_submission_key
WHERE shard = :shard
  AND id IN (
    SELECT old.id
    FROM perdure_submission_key old INDEXED BY perdure_submission_key_old
    WHERE old.shard = :shard
      AND old.taken_at <= :now - :kept_ms
    ORDER BY old.taken_at
    LIMIT :limit);
