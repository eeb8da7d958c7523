-- name: insert
-- in task_state.apply

-- name: insert_imported
-- Written after task_state.insert, in the same transaction, for tasks that have attempts from
-- before their submission. Repeating it changes nothing: existing records stay as they are.
WITH clock AS MATERIALIZED (
  SELECT COALESCE(CAST(:now AS timestamptz), clock_timestamp()) AS now
)
INSERT INTO perdure_attempt (
  shard, task, epoch, number, worker, started_at, ended_at, outcome, failure_kind, status, code,
  message, exception_types, stack, delay_ms, next_at
)
SELECT
  :shard, p.task, p.epoch, p.number, p.worker,
  clock.now - p.started_ago_ms * INTERVAL '1 millisecond',
  clock.now - p.ended_ago_ms * INTERVAL '1 millisecond',
  p.outcome, p.failure_kind, p.status, p.code, p.message, p.exception_types, p.stack, p.delay_ms,
  clock.now + (p.delay_ms - p.ended_ago_ms) * INTERVAL '1 millisecond'
FROM unnest(
  CAST(:tasks AS uuid[]), CAST(:epochs AS bigint[]), CAST(:numbers AS bigint[]),
  CAST(:workers AS text[]), CAST(:started_ago_ms AS bigint[]), CAST(:ended_ago_ms AS bigint[]),
  CAST(:outcomes AS text[]), CAST(:failure_kinds AS text[]), CAST(:statuses AS integer[]),
  CAST(:codes AS text[]), CAST(:messages AS text[]), CAST(:exception_types AS text[]),
  CAST(:stacks AS text[]), CAST(:delays_ms AS bigint[])
) AS p (
  task, epoch, number, worker, started_ago_ms, ended_ago_ms, outcome, failure_kind, status, code,
  message, exception_types, stack, delay_ms
)
CROSS JOIN clock
ON CONFLICT DO NOTHING;

-- name: list_of_task
SELECT
  a.task, a.epoch, a.number, a.worker, a.started_at, a.ended_at, a.outcome, a.failure_kind,
  a.status, a.code, a.message, a.exception_types, a.stack, a.delay_ms, a.next_at, a.result
FROM perdure_attempt a
WHERE a.shard = :shard
  AND a.task = :id
ORDER BY a.epoch DESC
LIMIT :limit;

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
LIMIT :limit;

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
  LIMIT :limit
) r;

-- name: delete
-- in batch.delete
