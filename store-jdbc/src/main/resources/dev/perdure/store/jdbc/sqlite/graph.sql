-- name: observe
-- Marks a parent of new tasks, so that its end is recorded.
UPDATE perdure_task_state
SET observers = observers | 1
WHERE shard = :shard
  AND id = :id
RETURNING state, give_up_reason, unmet, unmet_failed, observers, superseded_by;

-- name: lock
-- The writer is alone, so there is nothing to lock.

-- name: lock_for_propagation
-- The writer is alone, so there is nothing to lock.
SELECT
  s.batch, s.run, s.state, s.give_up_reason, s.unmet, s.unmet_failed, s.observers,
  s.superseded_by IS NOT NULL AS superseded,
  s.observers & 8 = 0 OR s.superseded_by IS NOT NULL OR EXISTS (
    SELECT 1
    FROM perdure_run r
    WHERE r.shard = s.shard
      AND r.batch = s.batch
      AND r.run = s.run
      AND r.outcome IS NOT NULL
      AND r.next_at IS NULL) AS settled
FROM perdure_task_state s
WHERE s.shard = :shard
  AND s.id = :id;

-- name: propagate
-- A released task is due now, unless it was submitted for later.
UPDATE perdure_task_state
SET state = :to_state,
    unmet = :unmet,
    unmet_failed = :unmet_failed,
    due_at = CASE WHEN :released THEN max(due_at, :now) ELSE due_at END,
    claim_at = CASE WHEN :released THEN max(due_at, :now) ELSE due_at END - priority * 1000,
    retry_since = CASE WHEN :released THEN max(due_at, :now) ELSE retry_since END,
    updated_at = CASE WHEN :released THEN :now ELSE updated_at END
WHERE shard = :shard
  AND id = :id
  AND state = :from_state
  AND state NOT IN ('claimed', 'running');

-- name: set_counted
-- Sets or clears the bit that says that the run has counted the end of the task. The run now knows
-- of its last change.
UPDATE perdure_task_state
SET observers = CASE WHEN :counted THEN observers | 4 ELSE observers & ~4 END & ~128
WHERE shard = :shard
  AND id = :id;

-- name: copy
-- A task of another run. It is due now.
INSERT INTO perdure_task_state (
  shard, id, batch, run, kind, queue, priority, state, hold, due_at, claim_at, epoch, attempt,
  losses, retry_base, retry_since, unmet, unmet_failed, observers, timeout_ms, deadline_at,
  updated_at, success, failures, expected_count, limits, limit_key, dedupe_key,
  schedule
)
SELECT
  s.shard, :new_id, s.batch, :run, s.kind, s.queue, s.priority,
  CASE WHEN :unmet > 0 THEN 'waiting' ELSE 'pending' END, s.hold & 2, :now, :now - s.priority * 1000, 0, 0,
  0, 0, :now, :unmet, :unmet_failed, :observers, s.timeout_ms, s.deadline_at, :now, 0, 0,
  s.expected_count, s.limits, s.limit_key, s.dedupe_key, s.schedule
FROM perdure_task_state s
WHERE s.shard = :shard
  AND s.id = :old_id;
