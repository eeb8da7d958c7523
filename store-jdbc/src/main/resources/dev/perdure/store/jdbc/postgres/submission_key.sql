-- name: take
-- Changes a row only if the key is free or has expired. The row is locked in any case, so a
-- concurrent submission with the same key waits for this transaction to end and then sees its
-- result.
INSERT INTO perdure_submission_key AS k (shard, id, content_digest, batch, taken_at, deduplicated)
SELECT :shard, :id, :content_digest, :batch, clock.now, :deduplicated
FROM (SELECT COALESCE(CAST(:now AS timestamptz), clock_timestamp()) AS now) clock
ON CONFLICT (shard, id) DO UPDATE
SET content_digest = excluded.content_digest,
    batch = excluded.batch,
    taken_at = excluded.taken_at,
    deduplicated = excluded.deduplicated
WHERE k.taken_at <= excluded.taken_at - :retention_ms * INTERVAL '1 millisecond';

-- name: find
SELECT k.content_digest, k.batch, k.deduplicated
FROM perdure_submission_key k
WHERE k.shard = :shard
  AND k.id = :id;

-- name: is_taken
SELECT EXISTS (
  SELECT
  FROM perdure_submission_key k
  WHERE k.shard = :shard
    AND k.id = :id
    AND k.taken_at
      > COALESCE(CAST(:now AS timestamptz), clock_timestamp())
        - :retention_ms * INTERVAL '1 millisecond'
) AS found;

-- name: delete_expired
DELETE FROM perdure_submission_key k
WHERE k.shard = :shard
  AND k.id = ANY (ARRAY(
    SELECT expired.id
    FROM perdure_submission_key expired
    WHERE expired.shard = :shard
      AND expired.taken_at
        <= COALESCE(CAST(:now AS timestamptz), clock_timestamp())
          - :retention_ms * INTERVAL '1 millisecond'
    ORDER BY expired.taken_at
    LIMIT :limit
    FOR UPDATE SKIP LOCKED));
