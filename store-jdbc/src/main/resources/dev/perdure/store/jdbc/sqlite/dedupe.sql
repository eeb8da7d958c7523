-- name: holders
-- The live task that has this dedupe key.
SELECT s.id, s.batch, s.state, s.observers & 8 <> 0 AS may_run_again
FROM perdure_task_state s INDEXED BY perdure_task_state_dedupe
WHERE s.shard = :shard
  AND s.dedupe_key = :key
  AND s.dedupe_key IS NOT NULL
  AND s.ended_at IS NULL;

-- name: is_dedupe_key_taken
-- Whether a live task has the dedupe key of a task that has ended.
SELECT EXISTS (
  SELECT 1
  FROM perdure_task_state h INDEXED BY perdure_task_state_dedupe
  WHERE h.shard = s.shard
    AND h.dedupe_key = s.dedupe_key
    AND h.dedupe_key IS NOT NULL
    AND h.ended_at IS NULL
) AS taken
FROM perdure_task_state s
WHERE s.shard = :shard
  AND s.id = :id;

-- name: share_holders
-- The writer is alone, so there is nothing to lock.

-- name: lock_holders
-- The writer is alone, so there is nothing to lock.

-- name: replace
-- A task that has never been claimed takes the due time of another one; task.replace does the rest.
UPDATE perdure_task_state
SET due_at = COALESCE(:due_at, :now + :due_in_ms),
    claim_at = COALESCE(:due_at, :now + :due_in_ms) - priority * 1000,
    retry_since = COALESCE(:due_at, :now + :due_in_ms),
    updated_at = :now
WHERE shard = :shard
  AND id = :id
  AND state IN ('waiting', 'pending')
  AND epoch = 0;

-- name: is_stored
SELECT EXISTS (
  SELECT 1
  FROM perdure_batch b
  WHERE b.shard = :shard
    AND b.id = :id
) AS stored;
