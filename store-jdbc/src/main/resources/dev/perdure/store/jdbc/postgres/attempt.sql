-- name: insert
-- in task_state.apply

-- name: of_task
SELECT
  a.task, a.epoch, a.number, a.worker, a.started_at, a.ended_at, a.outcome, a.failure_kind,
  a.status, a.code, a.message, a.exception_types, a.stack, a.delay_ms, a.next_at, a.result
FROM attempt a
WHERE a.shard = :shard
  AND a.task = :id
ORDER BY a.epoch DESC
LIMIT :limit;

-- name: purge
-- in batch.purge
