-- name: insert
-- Repeated with the same ids it changes nothing: a task's definition is added with its state only.
WITH clock AS MATERIALIZED (
  SELECT COALESCE(CAST(:now AS timestamptz), clock_timestamp()) AS now
),
given AS MATERIALIZED (
  SELECT
    g.id, g.kind, g.name, g.payload, g.metadata, g.policy, g.strategy, g.timeout_ms,
    g.deadline_at, g.priority, g.idempotency_key, g.local_id, g.state, g.epoch, g.attempt,
    g.prev_delay_ms, g.failure_kind,
    COALESCE(g.due_at, clock.now + g.due_in_ms * INTERVAL '1 millisecond') AS due_at,
    clock.now - g.age_ms * INTERVAL '1 millisecond' AS retry_since,
    clock.now - g.started_ago_ms * INTERVAL '1 millisecond' AS started_at
  FROM clock
  CROSS JOIN unnest(
    CAST(:ids AS uuid[]), CAST(:kinds AS text[]), CAST(:names AS text[]),
    CAST(:payloads AS text[]), CAST(:metadata AS text[]), CAST(:policies AS text[]),
    CAST(:strategies AS text[]), CAST(:timeouts_ms AS bigint[]),
    CAST(:deadlines_at AS timestamptz[]), CAST(:priorities AS integer[]),
    CAST(:idempotency_keys AS text[]), CAST(:local_ids AS text[]),
    CAST(:dues_in_ms AS bigint[]), CAST(:dues_at AS timestamptz[]), CAST(:states AS text[]),
    CAST(:epochs AS bigint[]), CAST(:attempts AS bigint[]), CAST(:prev_delays_ms AS bigint[]),
    CAST(:failure_kinds AS text[]), CAST(:ages_ms AS bigint[]),
    CAST(:started_ago_ms AS bigint[])
  ) AS g (
    id, kind, name, payload, metadata, policy, strategy, timeout_ms, deadline_at, priority,
    idempotency_key, local_id, due_in_ms, due_at, state, epoch, attempt, prev_delay_ms,
    failure_kind, age_ms, started_ago_ms
  )
),
batched AS (
  INSERT INTO batch (shard, id, created_at, size, live_at)
  SELECT :shard, :batch, clock.now, :size, clock.now
  FROM clock
  ON CONFLICT DO NOTHING
),
added AS (
  INSERT INTO task_state (
    shard, id, batch, run, kind, priority, state, hold, due_at, claim_at, epoch, attempt, losses,
    retry_base, retry_since, prev_delay_ms, unmet, timeout_ms, deadline_at, started_at, updated_at,
    failure_kind, success, failures
  )
  SELECT
    :shard, g.id, :batch, 0, g.kind, g.priority, g.state, 0, g.due_at,
    g.due_at - g.priority * INTERVAL '1 second', g.epoch, g.attempt, 0,
    0, COALESCE(g.retry_since, g.due_at), g.prev_delay_ms, 0, g.timeout_ms, g.deadline_at,
    g.started_at, clock.now, g.failure_kind, 0, 0
  FROM given g
  CROSS JOIN clock
  ON CONFLICT DO NOTHING
  RETURNING id
)
INSERT INTO task (
  shard, batch, id, created_at, name, payload, metadata, policy, strategy, idempotency_key,
  local_id
)
SELECT
  :shard, :batch, g.id, clock.now, g.name, g.payload, g.metadata, g.policy, g.strategy,
  g.idempotency_key, g.local_id
FROM given g
JOIN added
  ON added.id = g.id
CROSS JOIN clock
ON CONFLICT DO NOTHING;

-- name: due
-- in claim

-- name: claim
-- First it looks how much of each kind and sort is to be had, without locks, so that no more rows
-- are locked than are taken; then it locks the first that are free. A node's row is locked last and
-- only when there is something to take: whoever marks it dead waits for this claim, or this claim
-- finds it dead, and a claim in vain writes nothing at all.
-- The rows are updated by an array of keys and not by a join, which under a generic plan could
-- become a scan of the whole table; the definitions are fetched one by one for that reason.
-- The failure before is read from the row as it was, which a SELECT inside the statement still
-- sees: a join with what was due would compare every row with every other where no statistics are.
WITH clock AS MATERIALIZED (
  SELECT COALESCE(CAST(:now AS timestamptz), clock_timestamp()) AS now
),
share AS MATERIALIZED (
  SELECT seen.kind, seen.weighted, count(*) AS size
  FROM (
    SELECT room.kind, d.weighted
    FROM unnest(CAST(:kinds AS text[]), CAST(:frees AS integer[])) AS room (kind, free)
    CROSS JOIN LATERAL (
      SELECT plain.claim_at, false AS weighted
      FROM (
        SELECT s.claim_at
        FROM task_state s
        WHERE s.shard = :shard
          AND s.kind = room.kind
          AND s.state IN ('pending', 'retry_pending')
          AND s.hold = 0
          AND s.priority = 0
          AND s.claim_at <= (SELECT clock.now FROM clock)
          AND (s.deadline_at IS NULL OR s.deadline_at > (SELECT clock.now FROM clock))
        ORDER BY s.claim_at
        LIMIT room.free
      ) plain
      UNION ALL
      SELECT weighted.claim_at, true AS weighted
      FROM (
        SELECT s.claim_at
        FROM task_state s
        WHERE s.shard = :shard
          AND s.kind = room.kind
          AND s.state IN ('pending', 'retry_pending')
          AND s.hold = 0
          AND s.priority <> 0
          AND s.claim_at <= (SELECT clock.now FROM clock) + INTERVAL '1000 seconds'
          AND s.due_at <= (SELECT clock.now FROM clock)
          AND (s.deadline_at IS NULL OR s.deadline_at > (SELECT clock.now FROM clock))
        ORDER BY s.claim_at
        LIMIT room.free
      ) weighted
      ORDER BY claim_at
      LIMIT room.free
    ) d
    ORDER BY d.claim_at
    LIMIT :limit
  ) seen
  GROUP BY seen.kind, seen.weighted
),
due AS MATERIALIZED (
  SELECT d.id
  FROM share
  CROSS JOIN LATERAL (
    SELECT plain.id
    FROM (
      SELECT s.id
      FROM task_state s
      WHERE s.shard = :shard
        AND s.kind = share.kind
        AND s.state IN ('pending', 'retry_pending')
        AND s.hold = 0
        AND s.priority = 0
        AND s.claim_at <= (SELECT clock.now FROM clock)
        AND (s.deadline_at IS NULL OR s.deadline_at > (SELECT clock.now FROM clock))
      ORDER BY s.claim_at
      LIMIT CASE WHEN share.weighted THEN 0 ELSE share.size END
      FOR UPDATE SKIP LOCKED
    ) plain
    UNION ALL
    SELECT weighted.id
    FROM (
      SELECT s.id
      FROM task_state s
      WHERE s.shard = :shard
        AND s.kind = share.kind
        AND s.state IN ('pending', 'retry_pending')
        AND s.hold = 0
        AND s.priority <> 0
        AND s.claim_at <= (SELECT clock.now FROM clock) + INTERVAL '1000 seconds'
        AND s.due_at <= (SELECT clock.now FROM clock)
        AND (s.deadline_at IS NULL OR s.deadline_at > (SELECT clock.now FROM clock))
      ORDER BY s.claim_at
      LIMIT CASE WHEN share.weighted THEN share.size ELSE 0 END
      FOR UPDATE SKIP LOCKED
    ) weighted
  ) d
),
claimer AS MATERIALIZED (
  SELECT n.id
  FROM node n
  CROSS JOIN clock
  WHERE n.id = :node
    AND n.dead_at IS NULL
    AND n.valid_until > clock.now
    AND EXISTS (SELECT FROM due)
  FOR SHARE OF n
),
claimed AS (
  UPDATE task_state s
  SET state = CASE WHEN :start THEN 'running' ELSE 'claimed' END,
      epoch = s.epoch + 1,
      owner = :worker,
      lease_until = clock.now + CAST(:lease_ms AS bigint) * INTERVAL '1 millisecond',
      handle_epoch = NULL,
      started_at = CASE WHEN :start THEN clock.now END,
      times_out_at = CASE WHEN :start THEN clock.now + s.timeout_ms * INTERVAL '1 millisecond' END,
      ended_at = NULL,
      updated_at = clock.now,
      failure_kind = NULL,
      give_up_reason = NULL
  FROM clock
  WHERE s.shard = :shard
    AND s.id = ANY (ARRAY(SELECT due.id FROM due))
    AND s.state IN ('pending', 'retry_pending')
    AND s.hold = 0
    AND (CAST(:node AS text) IS NULL OR EXISTS (SELECT FROM claimer))
  RETURNING
    s.id, s.batch, s.run, s.kind, s.priority, s.state, s.hold, s.due_at, s.epoch, s.owner,
    s.attempt, s.losses, s.retry_base, s.retry_since, s.prev_delay_ms, s.timeout_ms, s.deadline_at,
    s.started_at, s.ended_at, s.updated_at, s.failure_kind, s.give_up_reason, s.success,
    s.failures, s.expected_count, s.claim_at,
    (SELECT b.failure_kind FROM task_state b WHERE b.shard = s.shard AND b.id = s.id)
      AS failure_before
)
SELECT
  clock.now, c.id, c.batch, c.run, c.kind, c.priority, c.state, c.hold, c.due_at, c.epoch, c.owner,
  c.attempt, c.losses, c.retry_base, c.retry_since, c.prev_delay_ms, c.timeout_ms, c.deadline_at,
  c.started_at, c.ended_at, c.updated_at, c.failure_kind, c.give_up_reason, c.success,
  c.failures, c.expected_count, c.created_at, c.name, c.payload, c.metadata, c.policy, c.strategy,
  c.idempotency_key, c.local_id, NULL AS message, NULL AS code, NULL AS result, c.failure_before
FROM clock
LEFT JOIN (
  SELECT
    claimed.id, claimed.batch, claimed.run, claimed.kind, claimed.priority, claimed.state,
    claimed.hold, claimed.due_at, claimed.epoch, claimed.owner, claimed.attempt, claimed.losses,
    claimed.retry_base, claimed.retry_since, claimed.prev_delay_ms, claimed.timeout_ms,
    claimed.deadline_at, claimed.started_at, claimed.ended_at, claimed.updated_at,
    claimed.failure_kind, claimed.give_up_reason, claimed.success, claimed.failures,
    claimed.expected_count, claimed.claim_at, claimed.failure_before,
    defined.created_at, defined.name, defined.payload, defined.metadata, defined.policy,
    defined.strategy, defined.idempotency_key, defined.local_id
  FROM claimed
  CROSS JOIN LATERAL (
    SELECT
      t.created_at, t.name, t.payload, t.metadata, t.policy, t.strategy, t.idempotency_key,
      t.local_id
    FROM task t
    WHERE t.shard = :shard
      AND t.batch = claimed.batch
      AND t.id = claimed.id
    LIMIT 1
  ) defined
) c
  ON true
ORDER BY c.claim_at, c.id;

-- name: next_due
-- Where tasks have a priority their order is not that of their instants: then it is not known.
SELECT
  CAST(ceil(1000 * min(EXTRACT(epoch FROM plain.due_at - clock.now))) AS bigint) AS wait_ms,
  count(weighted.id) AS weighted
FROM (SELECT COALESCE(CAST(:now AS timestamptz), clock_timestamp()) AS now) clock
CROSS JOIN unnest(CAST(:kinds AS text[])) AS k (kind)
LEFT JOIN LATERAL (
  SELECT s.due_at
  FROM task_state s
  WHERE s.shard = :shard
    AND s.kind = k.kind
    AND s.state IN ('pending', 'retry_pending')
    AND s.hold = 0
    AND s.priority = 0
    AND (s.deadline_at IS NULL OR s.deadline_at > clock.now)
  ORDER BY s.claim_at
  LIMIT 1
) plain
  ON true
LEFT JOIN LATERAL (
  SELECT s.id
  FROM task_state s
  WHERE s.shard = :shard
    AND s.kind = k.kind
    AND s.state IN ('pending', 'retry_pending')
    AND s.hold = 0
    AND s.priority <> 0
  LIMIT 1
) weighted
  ON true;

-- name: apply
-- The owner goes with the lease; the record names it from the row as it was, which a SELECT inside
-- the statement still sees. It cannot be another's: an epoch has one owner for all its life.
WITH clock AS MATERIALIZED (
  SELECT COALESCE(CAST(:now AS timestamptz), clock_timestamp()) AS now
),
given AS NOT MATERIALIZED (
  SELECT
    g.place, g.id, g.prior, g.epoch, g.at_attempt, g.inactive, g.next, g.due_in_ms, g.due_at,
    g.attempt, g.losses, g.retry_base, g.prev_delay_ms, g.hold_set, g.hold_clear, g.reason,
    g.anew, g.outcome, g.failure_kind, g.status, g.code, g.message, g.exception_types, g.stack,
    g.delay_ms, g.result,
    g.next IN ('claimed', 'running') AS held,
    g.next IN ('pending', 'retry_pending') AS claimable,
    g.next IN ('success', 'failure', 'canceled') AS ended,
    g.prior = 'claimed' AND g.next = 'running' AS starts
  FROM unnest(
    CAST(:places AS integer[]), CAST(:ids AS uuid[]), CAST(:priors AS text[]),
    CAST(:epochs AS bigint[]), CAST(:at_attempts AS bigint[]), CAST(:inactives AS boolean[]),
    CAST(:nexts AS text[]), CAST(:dues_in_ms AS bigint[]), CAST(:dues_at AS timestamptz[]),
    CAST(:attempts AS bigint[]), CAST(:losses AS integer[]), CAST(:retry_bases AS bigint[]),
    CAST(:prev_delays_ms AS bigint[]), CAST(:hold_sets AS integer[]),
    CAST(:hold_clears AS integer[]), CAST(:reasons AS text[]), CAST(:anews AS boolean[]),
    CAST(:outcomes AS text[]), CAST(:failure_kinds AS text[]), CAST(:statuses AS integer[]),
    CAST(:codes AS text[]), CAST(:messages AS text[]), CAST(:exception_types AS text[]),
    CAST(:stacks AS text[]), CAST(:delays_ms AS bigint[]), CAST(:results AS text[])
  ) AS g (
    place, id, prior, epoch, at_attempt, inactive, next, due_in_ms, due_at, attempt, losses,
    retry_base, prev_delay_ms, hold_set, hold_clear, reason, anew, outcome, failure_kind, status,
    code, message, exception_types, stack, delay_ms, result
  )
),
written AS (
  UPDATE task_state s
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
      owner = CASE WHEN g.held THEN s.owner END,
      lease_until = CASE WHEN g.held THEN s.lease_until END,
      handle_epoch = CASE WHEN g.held THEN s.handle_epoch END,
      started_at = CASE WHEN g.starts THEN clock.now ELSE s.started_at END,
      times_out_at = CASE
        WHEN g.starts THEN clock.now + s.timeout_ms * INTERVAL '1 millisecond'
        WHEN g.held THEN s.times_out_at
      END,
      ended_at = CASE WHEN g.ended THEN clock.now END,
      updated_at = clock.now,
      failure_kind = CASE
        WHEN g.outcome IS NOT NULL THEN g.failure_kind
        WHEN g.anew THEN NULL
        ELSE s.failure_kind
      END,
      give_up_reason = g.reason
  FROM given g
  CROSS JOIN clock
  WHERE s.shard = :shard
    AND s.id = g.id
    AND s.state = g.prior
    AND s.epoch = g.epoch
    AND s.attempt = g.at_attempt
    AND CASE
      WHEN NOT g.inactive THEN true
      WHEN g.outcome = 'lost' THEN COALESCE(s.lease_until <= clock.now, true)
      ELSE COALESCE(s.times_out_at <= clock.now, false)
    END
    AND (NOT g.starts OR s.hold & 1 = 0)
  RETURNING
    g.place, g.id, g.epoch, g.at_attempt, g.outcome, g.failure_kind, g.status, g.code, g.message,
    g.exception_types, g.stack, g.delay_ms, g.result, s.started_at,
    CASE WHEN g.claimable THEN s.due_at END AS next_at,
    (SELECT b.owner FROM task_state b WHERE b.shard = s.shard AND b.id = s.id) AS owner
),
noted AS (
  INSERT INTO attempt (
    shard, task, epoch, number, worker, started_at, ended_at, outcome, failure_kind, status, code,
    message, exception_types, stack, delay_ms, next_at, result
  )
  SELECT
    :shard, w.id, w.epoch, w.at_attempt, w.owner, w.started_at, clock.now, w.outcome,
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
FROM task_state s
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
  FROM task_state s
  WHERE s.shard = :shard
    AND s.id = ANY (CAST(:ids AS uuid[]))
    AND s.state IN ('claimed', 'running')
  FOR UPDATE SKIP LOCKED
)
UPDATE task_state s
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
FROM task_state s
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
  count(*) FILTER (WHERE l.attempt > 0) AS retried,
  count(l.prev_delay_ms) AS delays,
  COALESCE(sum(l.prev_delay_ms), 0) AS delays_ms
FROM (
  (
    SELECT s.state, s.kind, s.hold, s.due_at, s.attempt, s.prev_delay_ms
    FROM task_state s
    WHERE s.shard = :shard
      AND s.state IN ('claimed', 'running')
    ORDER BY s.owner
    LIMIT :limit
  )
  UNION ALL
  (
    SELECT s.state, s.kind, s.hold, s.due_at, s.attempt, s.prev_delay_ms
    FROM task_state s
    WHERE s.shard = :shard
      AND (s.state = 'waiting' OR (s.state IN ('pending', 'retry_pending') AND s.hold <> 0))
    ORDER BY s.shard
    LIMIT :limit
  )
  UNION ALL
  (
    SELECT s.state, s.kind, s.hold, s.due_at, s.attempt, s.prev_delay_ms
    FROM task_state s
    WHERE s.shard = :shard
      AND s.state IN ('pending', 'retry_pending')
      AND s.hold = 0
      AND s.priority <> 0
    ORDER BY s.kind, s.claim_at
    LIMIT :limit
  )
  UNION ALL
  (
    SELECT s.state, s.kind, s.hold, s.due_at, s.attempt, s.prev_delay_ms
    FROM task_state s
    WHERE s.shard = :shard
      AND s.state IN ('pending', 'retry_pending')
      AND s.hold = 0
      AND s.priority = 0
    ORDER BY s.kind, s.claim_at
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
  count(*) FILTER (WHERE e.give_up_reason = 'exhausted') AS exhausted,
  count(e.prev_delay_ms) AS delays,
  COALESCE(sum(e.prev_delay_ms), 0) AS delays_ms
FROM (
  SELECT s.state, s.attempt, s.give_up_reason, s.prev_delay_ms
  FROM task_state s
  WHERE s.shard = :shard
    AND s.ended_at IS NOT NULL
  ORDER BY s.ended_at DESC
  LIMIT :limit
) e
GROUP BY e.state;

-- name: purge
-- in batch.purge
