-- name: due
-- in take

-- name: take
-- First it looks how much of each kind and sort is to be had, without locks, so that no more rows
-- are locked than are taken; then it locks the first that are free. A node's row is locked last and
-- only when there is something to take: whoever marks it dead waits for this claim, or this claim
-- finds it dead, and a claim in vain writes nothing at all.
-- The rows are updated by an array of keys and not by a join, which under a generic plan could
-- become a scan of the whole table; the definitions are fetched one by one for that reason.
-- The failure before is read from the row as it was, which a SELECT inside the statement still
-- sees: a join with what was due would compare every row with every other where no statistics are.
-- A first lease has none, and is not looked up.
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
        FROM perdure_task_state s
        WHERE s.shard = :shard
          AND COALESCE(s.lane, s.kind) = room.kind
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
        FROM perdure_task_state s
        WHERE s.shard = :shard
          AND COALESCE(s.lane, s.kind) = room.kind
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
      FROM perdure_task_state s
      WHERE s.shard = :shard
        AND COALESCE(s.lane, s.kind) = share.kind
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
      FROM perdure_task_state s
      WHERE s.shard = :shard
        AND COALESCE(s.lane, s.kind) = share.kind
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
  FROM perdure_node n
  CROSS JOIN clock
  WHERE n.id = :node
    AND n.dead_at IS NULL
    AND n.valid_until > clock.now
    AND EXISTS (SELECT FROM due)
  FOR SHARE OF n
),
claimed AS (
  UPDATE perdure_task_state s
  SET state = CASE WHEN :start THEN 'running' ELSE 'claimed' END,
      epoch = s.epoch + 1,
      owner = :worker,
      lease_until = clock.now + CAST(:lease_ms AS bigint) * INTERVAL '1 millisecond',
      handle_epoch = CASE
        WHEN s.lane IS NOT NULL THEN COALESCE(s.handle_epoch, s.epoch + 1)
      END,
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
    s.id, s.batch, s.run, s.kind, s.lane, s.priority, s.state, s.hold, s.due_at, s.epoch,
    s.handle_epoch, s.owner, s.attempt, s.losses, s.retry_base, s.retry_since, s.prev_delay_ms,
    s.timeout_ms, s.deadline_at, s.started_at, s.ended_at, s.updated_at, s.failure_kind,
    s.give_up_reason, s.success, s.failures, s.expected_count, s.cancel_action, s.claim_at,
    CASE
      WHEN s.attempt > 0 THEN (
        SELECT b.failure_kind
        FROM perdure_task_state b
        WHERE b.shard = s.shard
          AND b.id = s.id
      )
    END AS failure_before
)
SELECT
  clock.now, c.id, c.batch, c.run, c.kind, c.lane, c.priority, c.state, c.hold, c.due_at, c.epoch,
  c.handle_epoch, c.owner, c.attempt, c.losses, c.retry_base, c.retry_since, c.prev_delay_ms,
  c.timeout_ms, c.deadline_at, c.started_at, c.ended_at, c.updated_at, c.failure_kind,
  c.give_up_reason, c.success, c.failures, c.expected_count, c.cancel_action, c.created_at, c.name,
  c.payload, c.metadata, c.policy, c.strategy, c.idempotency_key, c.local_id, c.actions, c.trace,
  NULL AS message, NULL AS code, NULL AS result, c.failure_before
FROM clock
LEFT JOIN (
  SELECT
    claimed.id, claimed.batch, claimed.run, claimed.kind, claimed.lane, claimed.priority,
    claimed.state, claimed.hold, claimed.due_at, claimed.epoch, claimed.handle_epoch,
    claimed.owner, claimed.attempt, claimed.losses, claimed.retry_base, claimed.retry_since,
    claimed.prev_delay_ms, claimed.timeout_ms, claimed.deadline_at, claimed.started_at,
    claimed.ended_at, claimed.updated_at, claimed.failure_kind, claimed.give_up_reason,
    claimed.success, claimed.failures, claimed.expected_count, claimed.cancel_action,
    claimed.claim_at, claimed.failure_before,
    defined.created_at, defined.name, defined.payload, defined.metadata, defined.policy,
    defined.strategy, defined.idempotency_key, defined.local_id, defined.actions, defined.trace
  FROM claimed
  CROSS JOIN LATERAL (
    SELECT
      t.created_at, t.name, t.payload, t.metadata, t.policy, t.strategy, t.idempotency_key,
      t.local_id, t.actions, t.trace
    FROM perdure_task t
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
  FROM perdure_task_state s
  WHERE s.shard = :shard
    AND COALESCE(s.lane, s.kind) = k.kind
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
  FROM perdure_task_state s
  WHERE s.shard = :shard
    AND COALESCE(s.lane, s.kind) = k.kind
    AND s.state IN ('pending', 'retry_pending')
    AND s.hold = 0
    AND s.priority <> 0
  LIMIT 1
) weighted
  ON true;
