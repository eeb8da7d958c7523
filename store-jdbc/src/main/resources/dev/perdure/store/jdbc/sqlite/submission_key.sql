-- name: take
-- Changes a row only if the key is free or has expired.
INSERT INTO perdure_submission_key (shard, id, content_digest, batch, taken_at, deduplicated)
VALUES (:shard, :id, :content_digest, :batch, :now, :deduplicated)
ON CONFLICT (shard, id) DO UPDATE
SET content_digest = excluded.content_digest,
    batch = excluded.batch,
    taken_at = excluded.taken_at,
    deduplicated = excluded.deduplicated
WHERE perdure_submission_key.taken_at <= excluded.taken_at - :retention_ms;

-- name: find
SELECT k.content_digest, k.batch, k.deduplicated
FROM perdure_submission_key k
WHERE k.shard = :shard
  AND k.id = :id;

-- name: is_taken
SELECT EXISTS (
  SELECT 1
  FROM perdure_submission_key k
  WHERE k.shard = :shard
    AND k.id = :id
    AND k.taken_at > :now - :retention_ms
) AS found;

-- name: delete_expired
DELETE FROM perdure_submission_key
WHERE shard = :shard
  AND id IN (
    SELECT expired.id
    FROM perdure_submission_key expired INDEXED BY perdure_submission_key_taken
    WHERE expired.shard = :shard
      AND expired.taken_at <= :now - :retention_ms
    ORDER BY expired.taken_at
    LIMIT :limit + 0);
