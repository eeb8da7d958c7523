-- name: insert
INSERT INTO perdure_task_state (
  shard, id, batch, run, kind, queue, priority, state, hold, due_at, claim_at, epoch, attempt,
  losses, retry_base, retry_since, prev_delay_ms, unmet, unmet_failed, observers, timeout_ms,
  deadline_at, started_at, updated_at, failure_kind, success, failures, expected_count, limits,
  limit_key, dedupe_key, error
)
VALUES (
  :shard, :id, :batch, 0, :kind, :queue, :priority, :state, CASE WHEN :limits IS NULL THEN 0 ELSE 2 END,
  COALESCE(:due_at, :now + :due_in_ms),
  COALESCE(:due_at, :now + :due_in_ms) - :priority * 1000, :epoch, :attempt, 0,
  0, COALESCE(:now - :age_ms, :due_at, :now + :due_in_ms), :prev_delay_ms, :unmet, :unmet_failed,
  :observers, :timeout_ms, :deadline_at, :now - :started_ago_ms, :now, :failure_kind, 0, 0,
  :expected_count, :limits, :limit_key, :dedupe_key, :error
);

-- name: apply
UPDATE perdure_task_state
SET state = :to_state,
    hold = (hold & ~:hold_clear) | :hold_set,
    due_at = COALESCE(
      :due_at, :now + :due_in_ms,
      CASE WHEN :restarts_expiry THEN max(due_at, :now) ELSE due_at END),
    claim_at = COALESCE(
      :due_at, :now + :due_in_ms,
      CASE WHEN :restarts_expiry THEN max(due_at, :now) ELSE due_at END) - priority * 1000,
    retry_since = CASE
      WHEN :restarts_expiry THEN COALESCE(:due_at, :now + :due_in_ms, max(due_at, :now))
      ELSE retry_since
    END,
    epoch = CASE WHEN :outcome = 'resolved' THEN epoch + 1 ELSE epoch END,
    observers = CASE
      WHEN ended_at IS NOT NULL AND observers & 2 <> 0 THEN observers | 128
      ELSE observers
    END,
    unmet = CASE WHEN :waives THEN 0 ELSE unmet END,
    unmet_failed = CASE WHEN :waives THEN 0 ELSE unmet_failed END,
    attempt = :attempt,
    losses = :losses,
    retry_base = :retry_base,
    prev_delay_ms = :prev_delay_ms,
    owner = CASE WHEN :leased AND NOT :hands_off THEN owner END,
    lease_until = CASE WHEN :leased AND NOT :hands_off THEN lease_until END,
    handle_epoch = CASE WHEN attempt = :attempt THEN handle_epoch END,
    cancel_action = CASE
      WHEN :hands_off THEN :cancel_action
      WHEN :leased THEN cancel_action
    END,
    started_at = CASE WHEN :starts THEN :now ELSE started_at END,
    times_out_at = CASE
      WHEN :starts OR :hands_off THEN :now + timeout_ms
      WHEN :leased THEN times_out_at
    END,
    ended_at = CASE WHEN :ended THEN :now END,
    updated_at = :now,
    failure_kind = CASE
      WHEN :outcome IS NOT NULL THEN :failure_kind
      WHEN :restarts_expiry THEN NULL
      ELSE failure_kind
    END,
    give_up_reason = :give_up_reason,
    error = CASE WHEN :to_state IN ('retry_pending', 'failure') THEN COALESCE(error, :error) END,
    success = success + :success,
    failures = failures + :failures,
    work_base = CASE
      WHEN attempt = :attempt THEN work_base
      ELSE min(success + :success, 4000000000000000000) + min(failures + :failures, 4000000000000000000)
    END
WHERE shard = :shard
  AND id = :id
  AND state = :from_state
  AND epoch = :epoch
  AND attempt = :expected_attempt
  AND CASE
    WHEN NOT :require_inactive THEN true
    WHEN :lost THEN owner IS NOT NULL AND COALESCE(lease_until <= :now, true)
    ELSE COALESCE(times_out_at <= :now, false)
  END
  AND (NOT :starts OR hold & 1 = 0)
  AND success <= 9223372036854775807 - :success
  AND failures <= 9223372036854775807 - :failures
  AND unmet = COALESCE(:expected_unmet, unmet)
  AND unmet_failed = COALESCE(:expected_unmet_failed, unmet_failed)
  AND (superseded_by IS NULL OR :outcome IS NOT 'resolved')
  AND (observers & 35 <> 0 OR limits IS NOT NULL) = :observed;

-- name: supersede
UPDATE perdure_task_state
SET superseded_by = :new_id
WHERE shard = :shard
  AND id = :old_id;

-- name: current_state
SELECT s.id, s.state, s.epoch, s.attempt
FROM perdure_task_state s
WHERE s.shard = :shard
  AND s.id = :id;

-- name: backlog
-- Each part reads an index that holds nothing else. The small indexes come first, so the limit cuts
-- off the last one.
SELECT
  l.state,
  l.hold,
  l.kind,
  l.queue,
  count(*) AS tasks,
  count(*) FILTER (
    WHERE l.state IN ('pending', 'retry_pending') AND l.hold = 0 AND l.due_at <= :now) AS due,
  count(*) FILTER (WHERE l.state = 'retry_pending' AND l.due_at > :now) AS retries_waiting,
  count(*) FILTER (WHERE l.attempt > 0) AS retried,
  min(l.due_at) FILTER (
    WHERE l.state IN ('pending', 'retry_pending') AND l.hold = 0 AND l.due_at <= :now
  ) AS oldest_due_ms
FROM (
  SELECT s.state, s.kind, s.queue, s.hold, s.due_at, s.attempt
  FROM perdure_task_state s INDEXED BY perdure_task_state_leased
  WHERE s.shard = :shard
    AND s.state IN ('claimed', 'running')
  UNION ALL
  SELECT s.state, s.kind, s.queue, s.hold, s.due_at, s.attempt
  FROM perdure_task_state s INDEXED BY perdure_task_state_not_claimable
  WHERE s.shard = :shard
    AND (s.state = 'waiting' OR (s.state IN ('pending', 'retry_pending') AND s.hold NOT IN (0, 2)))
  UNION ALL
  SELECT s.state, s.kind, s.queue, s.hold, s.due_at, s.attempt
  FROM perdure_task_state s INDEXED BY perdure_task_state_limited
  WHERE s.shard = :shard
    AND s.state IN ('pending', 'retry_pending')
    AND s.hold = 2
  UNION ALL
  SELECT s.state, s.kind, s.queue, s.hold, s.due_at, s.attempt
  FROM perdure_task_state s INDEXED BY perdure_task_state_claim_by_priority
  WHERE s.shard = :shard
    AND s.state IN ('pending', 'retry_pending')
    AND s.hold = 0
    AND s.priority <> 0
  UNION ALL
  SELECT s.state, s.kind, s.queue, s.hold, s.due_at, s.attempt
  FROM perdure_task_state s INDEXED BY perdure_task_state_claim
  WHERE s.shard = :shard
    AND s.state IN ('pending', 'retry_pending')
    AND s.hold = 0
    AND s.priority = 0
  LIMIT :limit + 0
) l
GROUP BY l.state, l.hold, l.kind, l.queue;

-- name: count_failed
-- The failed tasks that ended after an instant.
SELECT count(*) AS tasks
FROM (
  SELECT s.ended_at
  FROM perdure_task_state s INDEXED BY perdure_task_state_failed_at
  WHERE s.shard = :shard
    AND s.state = 'failure'
    AND s.ended_at > :after
  ORDER BY s.ended_at DESC
  LIMIT :limit + 0
) f;

-- name: count_ended
SELECT
  e.state,
  count(*) AS tasks,
  count(*) FILTER (WHERE e.attempt > 0) AS retried,
  count(*) FILTER (WHERE e.give_up_reason = 'exhausted') AS exhausted
FROM (
  SELECT s.state, s.attempt, s.give_up_reason
  FROM perdure_task_state s INDEXED BY perdure_task_state_ended_at
  WHERE s.shard = :shard
    AND s.ended_at IS NOT NULL
  ORDER BY s.ended_at DESC
  LIMIT :limit + 0
) e
GROUP BY e.state;

-- name: delete
DELETE FROM perdure_task_state
WHERE shard = :shard
  AND id IN (SELECT unhex(j.value) FROM json_each(:ids) j)
  AND ended_at IS NOT NULL;
