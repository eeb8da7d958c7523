-- name: take
-- Changes a row when the key is free, or is so again. In any case the row is locked and stays: whoever
-- comes at the same time waits for the end of the other's transaction, and then sees it.
INSERT INTO perdure_submission_key AS k (shard, id, content, batch, taken_at)
SELECT :shard, :id, :content, :batch, clock.now
FROM (SELECT COALESCE(CAST(:now AS timestamptz), clock_timestamp()) AS now) clock
ON CONFLICT (shard, id) DO UPDATE
SET content = excluded.content,
    batch = excluded.batch,
    taken_at = excluded.taken_at
WHERE k.taken_at <= excluded.taken_at - :kept_ms * INTERVAL '1 millisecond';

-- name: find
SELECT k.content, k.batch
FROM perdure_submission_key k
WHERE k.shard = :shard
  AND k.id = :id;

-- name: forget
DELETE FROM perdure_submission_key k
WHERE k.shard = :shard
  AND k.id = ANY (ARRAY(
    SELECT old.id
    FROM perdure_submission_key old
    WHERE old.shard = :shard
      AND old.taken_at
        <= COALESCE(CAST(:now AS timestamptz), clock_timestamp())
          - :kept_ms * INTERVAL '1 millisecond'
    ORDER BY old.taken_at
    LIMIT :limit
    FOR UPDATE SKIP LOCKED));
