-- name: insert
-- Repeated it changes nothing: the tasks come with the row of their batch, or in the transaction that
-- has just added it. So only one row for each batch needs to be looked for, not each of the tasks.
WITH clock AS MATERIALIZED (
  SELECT COALESCE(CAST(:now AS timestamptz), clock_timestamp()) AS now
),
batched AS (
  INSERT INTO perdure_batch (shard, id, created_at, size, live_at)
  SELECT :shard, b.id, clock.now, b.size, clock.now
  FROM clock
  CROSS JOIN unnest(CAST(:batches AS uuid[]), CAST(:sizes AS integer[])) AS b (id, size)
  WHERE :from = 0
  ON CONFLICT DO NOTHING
  RETURNING id
),
given AS MATERIALIZED (
  SELECT
    g.batch, g.id, g.kind, g.name, g.payload, g.metadata, g.facets, g.policy, g.strategy,
    g.timeout_ms, g.deadline_at, g.priority, g.idempotency_key, g.local_id, g.lane, g.actions, g.trace,
    g.expected_count, g.state, g.epoch, g.attempt, g.prev_delay_ms, g.failure_kind,
    COALESCE(g.due_at, clock.now + g.due_in_ms * INTERVAL '1 millisecond') AS due_at,
    clock.now - g.age_ms * INTERVAL '1 millisecond' AS retry_since,
    clock.now - g.started_ago_ms * INTERVAL '1 millisecond' AS started_at
  FROM clock
  CROSS JOIN unnest(
    CAST(:of_batches AS uuid[]), CAST(:ids AS uuid[]), CAST(:kinds AS text[]),
    CAST(:names AS text[]), CAST(:payloads AS text[]), CAST(:metadata AS text[]),
    CAST(:facets AS text[]), CAST(:policies AS text[]), CAST(:strategies AS text[]), CAST(:timeouts_ms AS bigint[]),
    CAST(:deadlines_at AS timestamptz[]), CAST(:priorities AS integer[]),
    CAST(:idempotency_keys AS text[]), CAST(:local_ids AS text[]), CAST(:lanes AS text[]),
    CAST(:actions AS text[]), CAST(:traces AS text[]), CAST(:expected_counts AS bigint[]),
    CAST(:dues_in_ms AS bigint[]), CAST(:dues_at AS timestamptz[]), CAST(:states AS text[]),
    CAST(:epochs AS bigint[]), CAST(:attempts AS bigint[]), CAST(:prev_delays_ms AS bigint[]),
    CAST(:failure_kinds AS text[]), CAST(:ages_ms AS bigint[]),
    CAST(:started_ago_ms AS bigint[])
  ) AS g (
    batch, id, kind, name, payload, metadata, facets, policy, strategy, timeout_ms, deadline_at,
    priority, idempotency_key, local_id, lane, actions, trace, expected_count, due_in_ms, due_at, state,
    epoch, attempt, prev_delay_ms, failure_kind, age_ms, started_ago_ms
  )
  WHERE :from > 0
     OR g.batch IN (SELECT batched.id FROM batched)
),
added AS (
  INSERT INTO perdure_task_state (
    shard, id, batch, run, kind, lane, priority, state, hold, due_at, claim_at, epoch, attempt,
    losses, retry_base, retry_since, prev_delay_ms, unmet, timeout_ms, deadline_at, started_at,
    updated_at, failure_kind, success, failures, expected_count
  )
  SELECT
    :shard, g.id, g.batch, 0, g.kind, g.lane, g.priority, g.state, 0, g.due_at,
    g.due_at - g.priority * INTERVAL '1 second', g.epoch, g.attempt, 0,
    0, COALESCE(g.retry_since, g.due_at), g.prev_delay_ms, 0, g.timeout_ms, g.deadline_at,
    g.started_at, clock.now, g.failure_kind, 0, 0, g.expected_count
  FROM given g
  CROSS JOIN clock
)
INSERT INTO perdure_task (
  shard, batch, id, created_at, name, payload, metadata, facets, policy, strategy,
  idempotency_key, local_id, actions, trace
)
SELECT
  :shard, g.batch, g.id, clock.now, g.name, g.payload, g.metadata, g.facets, g.policy, g.strategy,
  g.idempotency_key, g.local_id, g.actions, g.trace
FROM given g
CROSS JOIN clock;

-- name: apply
-- The rows are looked up one by one, through the key. The planner would rather read the whole shard
-- as long as it is small, or seems to be, and keeps such a plan when it has grown. So the shard is
-- given with each change, and the changes seem few, by conditions that hold and look rare.
WITH clock AS MATERIALIZED (
  SELECT COALESCE(CAST(:now AS timestamptz), clock_timestamp()) AS now
),
given AS NOT MATERIALIZED (
  SELECT
    g.place, CAST(:shard AS integer) + g.place * 0 AS shard, g.id, g.prior, g.epoch, g.at_attempt,
    g.worker, g.inactive, g.next, g.due_in_ms, g.due_at, g.attempt, g.losses, g.retry_base,
    g.prev_delay_ms, g.hold_set, g.hold_clear, g.reason, g.anew, g.outcome, g.failure_kind,
    g.status, g.code, g.message, g.exception_types, g.stack, g.delay_ms, g.result,
    g.next IN ('claimed', 'running') AS held,
    g.next IN ('pending', 'retry_pending') AS claimable,
    g.next IN ('success', 'failure', 'canceled') AS ended,
    g.prior = 'claimed' AND g.next = 'running' AS starts,
    COALESCE(g.entrusts, false) AS entrusts,
    g.cancel_action,
    COALESCE(g.success, 0) AS success,
    COALESCE(g.failures, 0) AS failures
  FROM unnest(
    CAST(:places AS integer[]), CAST(:ids AS uuid[]), CAST(:priors AS text[]),
    CAST(:epochs AS bigint[]), CAST(:at_attempts AS bigint[]), CAST(:workers AS text[]),
    CAST(:inactives AS boolean[]), CAST(:nexts AS text[]), CAST(:dues_in_ms AS bigint[]),
    CAST(:dues_at AS timestamptz[]), CAST(:attempts AS bigint[]), CAST(:losses AS integer[]),
    CAST(:retry_bases AS bigint[]), CAST(:prev_delays_ms AS bigint[]),
    CAST(:hold_sets AS integer[]), CAST(:hold_clears AS integer[]), CAST(:reasons AS text[]),
    CAST(:anews AS boolean[]),
    CAST(:outcomes AS text[]), CAST(:failure_kinds AS text[]), CAST(:statuses AS integer[]),
    CAST(:codes AS text[]), CAST(:messages AS text[]), CAST(:exception_types AS text[]),
    CAST(:stacks AS text[]), CAST(:delays_ms AS bigint[]), CAST(:results AS text[]),
    CAST(:entrusts AS boolean[]), CAST(:cancel_actions AS text[]),
    CAST(:successes AS bigint[]), CAST(:failed AS bigint[])
  ) AS g (
    place, id, prior, epoch, at_attempt, worker, inactive, next, due_in_ms, due_at, attempt, losses,
    retry_base, prev_delay_ms, hold_set, hold_clear, reason, anew, outcome, failure_kind, status,
    code, message, exception_types, stack, delay_ms, result, entrusts, cancel_action, success,
    failures
  )
  WHERE g.place * 0 = 0
    AND g.attempt * 0 = 0
),
written AS (
  UPDATE perdure_task_state s
  SET state = g.next,
      hold = (s.hold & ~g.hold_clear) | g.hold_set,
      due_at = COALESCE(
        g.due_at, clock.now + g.due_in_ms * INTERVAL '1 millisecond', s.due_at),
      claim_at = COALESCE(
        g.due_at, clock.now + g.due_in_ms * INTERVAL '1 millisecond', s.due_at)
        - s.priority * INTERVAL '1 second',
      retry_since = CASE
        WHEN g.anew THEN COALESCE(
          g.due_at, clock.now + g.due_in_ms * INTERVAL '1 millisecond', s.due_at)
        ELSE s.retry_since
      END,
      attempt = g.attempt,
      losses = g.losses,
      retry_base = g.retry_base,
      prev_delay_ms = g.prev_delay_ms,
      owner = CASE WHEN g.held AND NOT g.entrusts THEN s.owner END,
      lease_until = CASE WHEN g.held AND NOT g.entrusts THEN s.lease_until END,
      handle_epoch = CASE WHEN s.attempt = g.attempt THEN s.handle_epoch END,
      cancel_action = CASE
        WHEN g.entrusts THEN g.cancel_action
        WHEN g.held THEN s.cancel_action
      END,
      started_at = CASE WHEN g.starts THEN clock.now ELSE s.started_at END,
      times_out_at = CASE
        WHEN g.starts OR g.entrusts THEN clock.now + s.timeout_ms * INTERVAL '1 millisecond'
        WHEN g.held THEN s.times_out_at
      END,
      ended_at = CASE WHEN g.ended THEN clock.now END,
      updated_at = clock.now,
      failure_kind = CASE
        WHEN g.outcome IS NOT NULL THEN g.failure_kind
        WHEN g.anew THEN NULL
        ELSE s.failure_kind
      END,
      give_up_reason = g.reason,
      success = s.success + g.success,
      failures = s.failures + g.failures
  FROM given g
  CROSS JOIN clock
  WHERE s.shard = g.shard
    AND s.id = g.id
    AND s.state = g.prior
    AND s.epoch = g.epoch
    AND s.attempt = g.at_attempt
    AND CASE
      WHEN NOT g.inactive THEN true
      WHEN g.outcome = 'lost'
        THEN s.owner IS NOT NULL AND COALESCE(s.lease_until <= clock.now, true)
      ELSE COALESCE(s.times_out_at <= clock.now, false)
    END
    AND (NOT g.starts OR s.hold & 1 = 0)
    AND s.success <= 9223372036854775807 - g.success
    AND s.failures <= 9223372036854775807 - g.failures
  RETURNING
    g.place, g.id, g.epoch, g.at_attempt, g.outcome, g.failure_kind, g.status, g.code, g.message,
    g.exception_types, g.stack, g.delay_ms, g.result, g.worker, s.started_at,
    CASE WHEN g.claimable THEN s.due_at END AS next_at
),
noted AS (
  INSERT INTO perdure_attempt (
    shard, task, epoch, number, worker, started_at, ended_at, outcome, failure_kind, status, code,
    message, exception_types, stack, delay_ms, next_at, result
  )
  SELECT
    :shard, w.id, w.epoch, w.at_attempt, w.worker, w.started_at, clock.now, w.outcome,
    w.failure_kind, w.status, w.code, w.message, w.exception_types, w.stack, w.delay_ms,
    w.next_at, w.result
  FROM written w
  CROSS JOIN clock
  WHERE w.outcome IS NOT NULL
)
SELECT w.place
FROM written w;

-- name: standing
SELECT s.id, s.state, s.epoch, s.attempt
FROM perdure_task_state s
WHERE s.shard = :shard
  AND s.id = ANY (CAST(:ids AS uuid[]));

-- name: sign
-- A row that somebody is writing is passed over: a handler may end its attempt in a transaction that
-- stays open for long, and waiting for it would keep the other rows locked meanwhile.
WITH clock AS MATERIALIZED (
  SELECT COALESCE(CAST(:now AS timestamptz), clock_timestamp()) AS now
),
free AS MATERIALIZED (
  SELECT s.id
  FROM perdure_task_state s
  WHERE s.shard = :shard
    AND s.id = ANY (CAST(:ids AS uuid[]))
    AND s.state IN ('claimed', 'running')
  FOR UPDATE SKIP LOCKED
)
UPDATE perdure_task_state s
SET times_out_at = CASE
      WHEN s.times_out_at IS NOT NULL THEN clock.now + s.timeout_ms * INTERVAL '1 millisecond'
    END,
    lease_until = CASE
      WHEN s.lease_until IS NOT NULL
        THEN COALESCE(clock.now + g.lease_ms * INTERVAL '1 millisecond', s.lease_until)
    END,
    success = COALESCE(g.success, s.success),
    expected_count = COALESCE(g.expected_count, s.expected_count),
    updated_at = clock.now
FROM clock
CROSS JOIN unnest(
  CAST(:places AS integer[]), CAST(:ids AS uuid[]), CAST(:epochs AS bigint[]),
  CAST(:successes AS bigint[]), CAST(:expected_counts AS bigint[]), CAST(:leases_ms AS bigint[])
) AS g (place, id, epoch, success, expected_count, lease_ms)
WHERE s.shard = :shard
  AND s.id = g.id
  AND s.id = ANY (ARRAY(SELECT free.id FROM free))
  AND s.state IN ('claimed', 'running')
  AND s.epoch = g.epoch
RETURNING g.place;

-- name: held_by
SELECT s.id, s.epoch
FROM perdure_task_state s
WHERE s.shard = :shard
  AND s.owner = :owner
  AND s.state IN ('claimed', 'running');

-- name: backlog
-- Each part has an index that holds nothing else; the small ones come first, the limit cuts the
-- last. Where there are no statistics a scan of all that has ended would look as good, but for the
-- order of the index.
SELECT
  l.state,
  l.kind,
  count(*) AS tasks,
  count(*) FILTER (
    WHERE l.state IN ('pending', 'retry_pending') AND l.hold = 0 AND l.due_at <= clock.now) AS due,
  count(*) FILTER (WHERE l.state = 'retry_pending' AND l.due_at > clock.now) AS waiting,
  count(*) FILTER (WHERE l.attempt > 0) AS retried
FROM (
  (
    SELECT s.state, s.kind, s.hold, s.due_at, s.attempt
    FROM perdure_task_state s
    WHERE s.shard = :shard
      AND s.state IN ('claimed', 'running')
    ORDER BY s.owner
    LIMIT :limit
  )
  UNION ALL
  (
    SELECT s.state, s.kind, s.hold, s.due_at, s.attempt
    FROM perdure_task_state s
    WHERE s.shard = :shard
      AND (s.state = 'waiting' OR (s.state IN ('pending', 'retry_pending') AND s.hold <> 0))
    ORDER BY s.shard
    LIMIT :limit
  )
  UNION ALL
  (
    SELECT s.state, s.kind, s.hold, s.due_at, s.attempt
    FROM perdure_task_state s
    WHERE s.shard = :shard
      AND s.state IN ('pending', 'retry_pending')
      AND s.hold = 0
      AND s.priority <> 0
    ORDER BY COALESCE(s.lane, s.kind), s.claim_at
    LIMIT :limit
  )
  UNION ALL
  (
    SELECT s.state, s.kind, s.hold, s.due_at, s.attempt
    FROM perdure_task_state s
    WHERE s.shard = :shard
      AND s.state IN ('pending', 'retry_pending')
      AND s.hold = 0
      AND s.priority = 0
    ORDER BY COALESCE(s.lane, s.kind), s.claim_at
    LIMIT :limit
  )
  LIMIT :limit
) l
CROSS JOIN (SELECT COALESCE(CAST(:now AS timestamptz), statement_timestamp()) AS now) clock
GROUP BY l.state, l.kind;

-- name: ended
SELECT
  e.state,
  count(*) AS tasks,
  count(*) FILTER (WHERE e.attempt > 0) AS retried,
  count(*) FILTER (WHERE e.give_up_reason = 'exhausted') AS exhausted
FROM (
  SELECT s.state, s.attempt, s.give_up_reason
  FROM perdure_task_state s
  WHERE s.shard = :shard
    AND s.ended_at IS NOT NULL
  ORDER BY s.ended_at DESC
  LIMIT :limit
) e
GROUP BY e.state;

-- name: purge
-- in batch.purge
