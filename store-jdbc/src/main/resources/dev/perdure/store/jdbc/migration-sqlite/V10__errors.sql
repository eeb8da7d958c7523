-- The fingerprint of the failure: while a retry waits, and after the task failed. Tasks that failed
-- before this column existed have none.
ALTER TABLE perdure_task_state ADD COLUMN error TEXT;

-- Failed tasks by their error. Only tasks that fail are indexed here. With the reason
-- they are counted without reading the table.
CREATE INDEX perdure_task_state_error
  ON perdure_task_state (shard, error, kind, ended_at, id, give_up_reason)
  WHERE state = 'failure';

-- Failed tasks in the order of lists.
CREATE INDEX perdure_task_state_failed ON perdure_task_state (shard, id)
  WHERE state = 'failure';

-- The same view as before, with the columns error and schedule at its end.
DROP VIEW perdure_task_view;
CREATE VIEW perdure_task_view AS
SELECT
  s.shard, s.id, s.batch, s.run, s.kind, s.queue, s.priority, s.state, s.hold, s.due_at, s.epoch,
  s.handle_epoch, s.owner, s.lease_until, s.attempt, s.losses, s.retry_base, s.retry_since,
  s.unmet, s.unmet_failed, s.prev_delay_ms, s.timeout_ms, s.times_out_at, s.deadline_at, s.started_at, s.ended_at,
  s.updated_at, s.failure_kind, s.give_up_reason, s.success, s.failures, s.expected_count,
  s.cancel_action, s.limits, s.limit_key, s.work_base, s.dedupe_key, t.created_at, t.name, t.payload,
  t.metadata, t.metadata_index, t.policy, t.policy_as_given, t.strategy, t.idempotency_key,
  t.local_id, t.actions, t.trace, t.rules, a.message, a.code, a.result,
  concat_ws(char(10), s.kind, t.name, t.local_id, a.message) AS search_text,
  CASE
    WHEN s.state NOT IN ('waiting', 'pending', 'retry_pending') OR s.hold & 9 = 0 THEN s.state
    WHEN s.hold & 1 <> 0 THEN 'paused'
    ELSE 'parked'
  END AS status,
  s.error, s.schedule
FROM perdure_task_state s
JOIN perdure_task t
  ON t.shard = s.shard AND t.batch = s.batch AND t.id = s.id
LEFT JOIN perdure_attempt a
  ON a.shard = s.shard AND a.task = s.id AND a.epoch = s.epoch
  AND (s.state IN ('retry_pending', 'failure', 'success')
    OR (s.state = 'canceled' AND s.failure_kind IS NOT NULL)
    OR (s.state = 'pending' AND s.hold & 8 <> 0))
  AND (a.number = s.attempt OR (a.number = s.attempt - 1 AND s.failure_kind IS NOT NULL));
