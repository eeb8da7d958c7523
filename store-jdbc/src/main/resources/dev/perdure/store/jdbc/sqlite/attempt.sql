-- name: insert
-- Written before task_state.apply, with the same guard.
INSERT INTO perdure_attempt (
  shard, task, epoch, number, worker, started_at, ended_at, outcome, failure_kind, status, code,
  message, exception_types, stack, delay_ms, next_at, result
)
SELECT
  s.shard, s.id, CASE WHEN :outcome = 'resolved' THEN s.epoch + 1 ELSE s.epoch END, s.attempt,
  :worker,
  CASE WHEN :outcome <> 'resolved' THEN s.started_at END, :now, :outcome, :failure_kind, :status,
  :code, :message, :exception_types, :stack, :delay_ms,
  CASE WHEN :claimable THEN COALESCE(:due_at, :now + :due_in_ms, s.due_at) END, :result
FROM perdure_task_state s
WHERE s.shard = :shard
  AND s.id = :id
  AND s.state = :from_state
  AND s.epoch = :epoch
  AND s.attempt = :expected_attempt
  AND CASE
    WHEN NOT :require_inactive THEN true
    WHEN :lost THEN s.owner IS NOT NULL AND COALESCE(s.lease_until <= :now, true)
    ELSE COALESCE(s.times_out_at <= :now, false)
  END
  AND s.success <= 9223372036854775807 - :success
  AND s.failures <= 9223372036854775807 - :failures
  AND (s.superseded_by IS NULL OR :outcome <> 'resolved');

-- name: insert_imported
-- Written with task_state.insert, for a task that has attempts from before its submission.
INSERT INTO perdure_attempt (
  shard, task, epoch, number, worker, started_at, ended_at, outcome, failure_kind, status, code,
  message, exception_types, stack, delay_ms, next_at
)
VALUES (
  :shard, :id, :epoch, :number, :worker, :now - :started_ago_ms, :now - :ended_ago_ms, :outcome,
  :failure_kind, :status, :code, :message, :exception_types, :stack, :delay_ms,
  :now - :ended_ago_ms + :delay_ms
);

-- name: list_of_task
SELECT
  a.task, a.epoch, a.number, a.worker, a.started_at, a.ended_at, a.outcome, a.failure_kind,
  a.status, a.code, a.message, a.exception_types, a.stack, a.delay_ms, a.next_at, a.result
FROM perdure_attempt a
WHERE a.shard = :shard
  AND a.task = :id
ORDER BY a.epoch DESC
LIMIT :limit + 0;

-- name: list_rows
-- Without stack traces and results, which can be large.
SELECT
  a.task, a.epoch, a.number, a.worker, a.started_at, a.ended_at, a.outcome, a.failure_kind,
  a.status, a.code, a.message, a.exception_types, NULL AS stack, a.stack IS NOT NULL AS has_stack,
  a.delay_ms, a.next_at, NULL AS result
FROM perdure_attempt a
WHERE a.shard = :shard
  AND a.task = :id
  AND a.epoch < :before
ORDER BY a.epoch DESC
LIMIT :limit + 0;

-- name: find
SELECT
  a.task, a.epoch, a.number, a.worker, a.started_at, a.ended_at, a.outcome, a.failure_kind,
  a.status, a.code, a.message, a.exception_types, a.stack, a.delay_ms, a.next_at, a.result
FROM perdure_attempt a
WHERE a.shard = :shard
  AND a.task = :id
  AND a.epoch = :epoch;

-- name: sum_delays
-- Reads only the newest tasks so that the cost is bounded. Only failures count: the delay of a loss
-- or a snooze was not chosen by a policy.
SELECT count(r.delay_ms) AS delay_count, COALESCE(sum(r.delay_ms), 0) AS delay_total_ms
FROM (
  SELECT CASE WHEN a.outcome = 'failure' THEN a.delay_ms END AS delay_ms
  FROM perdure_attempt a
  WHERE a.shard = :shard
  ORDER BY a.task DESC, a.epoch DESC
  LIMIT :limit + 0
) r;

-- name: delete
DELETE FROM perdure_attempt
WHERE shard = :shard
  AND task IN (SELECT unhex(j.value) FROM json_each(:ids) j);
