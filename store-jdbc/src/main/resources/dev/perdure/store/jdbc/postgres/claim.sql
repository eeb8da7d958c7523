-- part: lease
  SET state = CASE WHEN :start THEN 'running' ELSE 'claimed' END,
      epoch = s.epoch + 1,
      owner = :worker,
      lease_until = clock.now + CAST(:lease_ms AS bigint) * INTERVAL '1 millisecond',
      handle_epoch = CASE
        WHEN s.queue IS NOT NULL THEN COALESCE(s.handle_epoch, s.epoch + 1)
      END,
      started_at = CASE WHEN :start THEN clock.now END,
      times_out_at = CASE WHEN :start THEN clock.now + s.timeout_ms * INTERVAL '1 millisecond' END,
      updated_at = clock.now,
      failure_kind = NULL,
      error = NULL,
      give_up_reason = NULL

-- part: returned
  RETURNING
    s.id, s.batch, s.run, s.kind, s.queue, s.priority, s.state, s.hold, s.due_at, s.epoch,
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
    END AS previous_failure_kind,
    s.observers & 64 <> 0 AS has_parents, s.dedupe_key, s.limits

-- part: claimer
claimer AS MATERIALIZED (
  SELECT n.id
  FROM perdure_node n
  CROSS JOIN clock
  WHERE n.id = :node
    AND n.dead_at IS NULL
    AND n.expires_at > clock.now
    AND EXISTS (SELECT FROM due)
  FOR SHARE OF n
),

-- part: columns
  clock.now, c.id, c.batch, c.run, c.kind, c.queue, c.priority, c.state, c.hold, c.due_at, c.epoch,
  c.handle_epoch, c.owner, c.attempt, c.losses, c.retry_base, c.retry_since, c.prev_delay_ms,
  c.timeout_ms, c.deadline_at, c.started_at, c.ended_at, c.updated_at, c.failure_kind,
  c.give_up_reason, c.success, c.failures, c.expected_count, c.cancel_action, c.created_at, c.name,
  c.payload, c.metadata, c.policy, c.policy_as_given, c.strategy, c.idempotency_key, c.local_id,
  c.actions, c.trace, c.rules, c.dedupe_key, NULL AS message, NULL AS code, NULL AS result, NULL AS error, c.previous_failure_kind,
  c.has_parents

-- part: definitions
LEFT JOIN (
  SELECT
    claimed.id, claimed.batch, claimed.run, claimed.kind, claimed.queue, claimed.priority,
    claimed.state, claimed.hold, claimed.due_at, claimed.epoch, claimed.handle_epoch, claimed.owner,
    claimed.attempt, claimed.losses, claimed.retry_base, claimed.retry_since, claimed.prev_delay_ms,
    claimed.timeout_ms, claimed.deadline_at, claimed.started_at, claimed.ended_at,
    claimed.updated_at, claimed.failure_kind, claimed.give_up_reason, claimed.success,
    claimed.failures, claimed.expected_count, claimed.cancel_action, claimed.claim_at,
    claimed.previous_failure_kind, claimed.has_parents, claimed.dedupe_key, definition.created_at,
    definition.name,
    definition.payload, definition.metadata, definition.policy, definition.policy_as_given,
    definition.strategy, definition.idempotency_key, definition.local_id, definition.actions,
    definition.trace, definition.rules
  FROM claimed
  CROSS JOIN LATERAL (
    SELECT
      t.created_at, t.name, t.payload, t.metadata, t.policy, t.policy_as_given, t.strategy,
      t.idempotency_key, t.local_id, t.actions, t.trace, t.rules
    FROM perdure_task t
    WHERE t.shard = :shard
      AND t.batch = claimed.batch
      AND t.id = claimed.id
    LIMIT 1
  ) definition
) c
  ON true

-- name: due
-- in take

-- name: take
-- First it counts, without locks, how many due tasks each queue has with and without a priority, so
-- that it locks no more rows than it claims. Then it locks the first of those that no other claim
-- has locked. The node's row is locked last, and only if there is something to claim: marking the
-- node dead either waits for this claim, or this claim finds the node dead. A claim that finds
-- nothing writes nothing.
-- Tasks of kinds with limits are left out: they get those first.
-- The rows are updated by an array of keys, not by a join: under a generic plan a join could become
-- a scan of the whole table. The definitions are looked up one by one for the same reason.
-- The previous failure is read from the row as it was before the update, which a subquery in
-- RETURNING still sees. A join with the due rows would compare every row with every other one when
-- there are no statistics. A first attempt has no previous failure and skips the lookup.
WITH clock AS MATERIALIZED (
  SELECT COALESCE(CAST(:now AS timestamptz), clock_timestamp()) AS now
),
limited_kinds AS MATERIALIZED (
  SELECT ARRAY(
    SELECT k.kind
    FROM perdure_kind_limit k
    WHERE k.shard = :shard) AS kinds
),
quota AS MATERIALIZED (
  SELECT candidate.queue, candidate.prioritized, count(*) AS size
  FROM (
    SELECT capacity.queue, d.prioritized
    FROM unnest(CAST(:queues AS text[]), CAST(:free_slots AS integer[]))
      AS capacity (queue, free_slots)
    CROSS JOIN LATERAL (
      SELECT unprioritized.claim_at, false AS prioritized
      FROM (
        SELECT s.claim_at
        FROM perdure_task_state s
        WHERE s.shard = :shard
          AND COALESCE(s.queue, s.kind) = capacity.queue
          AND s.state IN ('pending', 'retry_pending')
          AND s.hold = 0
          AND s.priority = 0
          AND s.claim_at <= (SELECT clock.now FROM clock)
          AND (s.deadline_at IS NULL OR s.deadline_at > (SELECT clock.now FROM clock))
          AND (s.queue IS NULL
            OR s.kind <> ALL (CAST((SELECT k.kinds FROM limited_kinds k) AS text[])))
        ORDER BY s.claim_at
        LIMIT capacity.free_slots
      ) unprioritized
      UNION ALL
      SELECT prioritized.claim_at, true AS prioritized
      FROM (
        SELECT s.claim_at
        FROM perdure_task_state s
        WHERE s.shard = :shard
          AND COALESCE(s.queue, s.kind) = capacity.queue
          AND s.state IN ('pending', 'retry_pending')
          AND s.hold = 0
          AND s.priority <> 0
          AND s.claim_at <= (SELECT clock.now FROM clock) + INTERVAL '1000 seconds'
          AND s.due_at <= (SELECT clock.now FROM clock)
          AND (s.deadline_at IS NULL OR s.deadline_at > (SELECT clock.now FROM clock))
          AND (s.queue IS NULL
            OR s.kind <> ALL (CAST((SELECT k.kinds FROM limited_kinds k) AS text[])))
        ORDER BY s.claim_at
        LIMIT capacity.free_slots
      ) prioritized
      ORDER BY claim_at
      LIMIT capacity.free_slots
    ) d
    WHERE capacity.queue <> ALL (CAST((SELECT k.kinds FROM limited_kinds k) AS text[]))
    ORDER BY d.claim_at
    LIMIT :limit
  ) candidate
  GROUP BY candidate.queue, candidate.prioritized
),
due AS MATERIALIZED (
  SELECT d.id
  FROM quota
  CROSS JOIN LATERAL (
    SELECT unprioritized.id
    FROM (
      SELECT s.id
      FROM perdure_task_state s
      WHERE s.shard = :shard
        AND COALESCE(s.queue, s.kind) = quota.queue
        AND s.state IN ('pending', 'retry_pending')
        AND s.hold = 0
        AND s.priority = 0
        AND s.claim_at <= (SELECT clock.now FROM clock)
        AND (s.deadline_at IS NULL OR s.deadline_at > (SELECT clock.now FROM clock))
        AND (s.queue IS NULL
          OR s.kind <> ALL (CAST((SELECT k.kinds FROM limited_kinds k) AS text[])))
      ORDER BY s.claim_at
      LIMIT CASE WHEN quota.prioritized THEN 0 ELSE quota.size END
      FOR UPDATE SKIP LOCKED
    ) unprioritized
    UNION ALL
    SELECT prioritized.id
    FROM (
      SELECT s.id
      FROM perdure_task_state s
      WHERE s.shard = :shard
        AND COALESCE(s.queue, s.kind) = quota.queue
        AND s.state IN ('pending', 'retry_pending')
        AND s.hold = 0
        AND s.priority <> 0
        AND s.claim_at <= (SELECT clock.now FROM clock) + INTERVAL '1000 seconds'
        AND s.due_at <= (SELECT clock.now FROM clock)
        AND (s.deadline_at IS NULL OR s.deadline_at > (SELECT clock.now FROM clock))
        AND (s.queue IS NULL
          OR s.kind <> ALL (CAST((SELECT k.kinds FROM limited_kinds k) AS text[])))
      ORDER BY s.claim_at
      LIMIT CASE WHEN quota.prioritized THEN quota.size ELSE 0 END
      FOR UPDATE SKIP LOCKED
    ) prioritized
  ) d
),
-- insert: claimer
limited AS MATERIALIZED (
  SELECT (SELECT cardinality(k.kinds) > 0 FROM limited_kinds k) OR EXISTS (
    SELECT
    FROM unnest(CAST(:queues AS text[])) AS q (queue)
    CROSS JOIN LATERAL (
      SELECT e.number
      FROM perdure_limit_event e
      WHERE e.shard = :shard
        AND e.queue = q.queue
      ORDER BY e.number
      LIMIT 1
    ) e
  ) OR EXISTS (
    SELECT
    FROM unnest(CAST(:queues AS text[]) || CAST('perdure:any' AS text)) AS q (queue)
    CROSS JOIN LATERAL (
      SELECT l.look_at
      FROM perdure_limit l
      WHERE l.shard = :shard
        AND l.queue = q.queue
        AND l.look_at <= (SELECT clock.now FROM clock)
      ORDER BY l.look_at
      LIMIT 1
    ) l
  ) AS found
),
claimed AS (
  UPDATE perdure_task_state s
  -- insert: lease
  FROM clock
  WHERE s.shard = :shard
    AND s.id = ANY (ARRAY(SELECT due.id FROM due))
    AND s.state IN ('pending', 'retry_pending')
    AND s.hold = 0
    AND (CAST(:node AS text) IS NULL OR EXISTS (SELECT FROM claimer))
  -- insert: returned
)
SELECT
  -- insert: columns
  , limited.found AS has_limited
FROM clock
CROSS JOIN limited
-- insert: definitions
ORDER BY c.claim_at, c.id;

-- name: take_limited
-- Claims the tasks that LimitedClaim has chosen, and stores what it decided about their limits. All of
-- them are locked. If the node is dead, nothing is claimed and the limits are looked at again. A rate
-- counts from the start of its tasks, which is now.
-- hold - 2 = 0 hides the index of waiting tasks from the planner: with old statistics it would read
-- all of them instead of looking up a few by their ids.
WITH clock AS MATERIALIZED (
  SELECT COALESCE(CAST(:now AS timestamptz), clock_timestamp()) AS now
),
due AS MATERIALIZED (
  SELECT g.id
  FROM unnest(CAST(:ids AS uuid[])) AS g (id)
),
-- insert: claimer
claimed AS (
  UPDATE perdure_task_state s
  -- insert: lease
  FROM clock
  WHERE s.shard = :shard
    AND s.id = ANY (ARRAY(SELECT due.id FROM due))
    AND s.state IN ('pending', 'retry_pending')
    AND s.hold - 2 = 0
    AND (CAST(:node AS text) IS NULL OR EXISTS (SELECT FROM claimer))
  -- insert: returned
),
saved AS (
  UPDATE perdure_limit l
  SET queue = g.queue,
      max = g.max,
      per_ms = g.per_ms,
      burst = g.burst,
      used = g.used + CASE WHEN g.taken THEN g.chosen ELSE 0 END,
      next_start_at = CASE
        WHEN g.taken AND g.chosen > 0
          THEN g.next_start_at + (clock.now - CAST(:opened_at AS timestamptz))
        WHEN g.chosen = 0 THEN g.next_start_at
        ELSE l.next_start_at
      END,
      look_at = CASE WHEN g.taken THEN g.look_at ELSE clock.now END,
      updated_at = clock.now
  FROM (
    SELECT
      CAST(:shard AS integer) + g.item_index * 0 AS shard, g.key, g.max, g.per_ms, g.burst, g.used,
      g.queue, g.next_start_at, g.look_at, g.chosen,
      (SELECT count(*) FROM claimed) = (SELECT count(*) FROM due) AS taken
    FROM unnest(
      CAST(:item_indexes AS integer[]), CAST(:keys AS text[]), CAST(:max AS bigint[]),
      CAST(:per_ms AS bigint[]), CAST(:burst AS integer[]), CAST(:used AS bigint[]),
      CAST(:limit_queues AS text[]), CAST(:next_starts_at AS timestamptz[]),
      CAST(:looks_at AS timestamptz[]), CAST(:chosen AS integer[])
    ) AS g (item_index, key, max, per_ms, burst, used, queue, next_start_at, look_at, chosen)
    WHERE g.item_index * 0 = 0
      AND (g.item_index + 1) * 0 = 0
  ) g
  CROSS JOIN clock
  WHERE l.shard = g.shard
    AND l.key = g.key
)
SELECT
  -- insert: columns
FROM clock
-- insert: definitions
ORDER BY c.claim_at, c.id;

-- name: before
-- in take_limited

-- name: next_due
-- With priorities the claim order differs from the due order, so the next due time is unknown. If it is
-- time to look at a limit of several queues, that may be for the tasks of another queue: the tasks of
-- this one start when they are due.
SELECT
  CAST(ceil(1000 * min(EXTRACT(epoch FROM unprioritized.due_at - clock.now))) AS bigint) AS wait_ms,
  count(prioritized.id) AS prioritized,
  CAST(ceil(1000 * min(EXTRACT(epoch FROM limited.look_at - clock.now))) AS bigint) AS limited_ms
FROM (SELECT COALESCE(CAST(:now AS timestamptz), clock_timestamp()) AS now) clock
CROSS JOIN unnest((SELECT CAST(:queues AS text[]))) AS q (queue)
LEFT JOIN LATERAL (
  SELECT s.due_at
  FROM perdure_task_state s
  WHERE s.shard = :shard
    AND COALESCE(s.queue, s.kind) = q.queue
    AND s.state IN ('pending', 'retry_pending')
    AND s.hold = 0
    AND s.priority = 0
    AND (s.deadline_at IS NULL OR s.deadline_at > clock.now)
  ORDER BY s.claim_at
  LIMIT 1
) unprioritized
  ON true
LEFT JOIN LATERAL (
  SELECT s.id
  FROM perdure_task_state s
  WHERE s.shard = :shard
    AND COALESCE(s.queue, s.kind) = q.queue
    AND s.state IN ('pending', 'retry_pending')
    AND s.hold = 0
    AND s.priority <> 0
  LIMIT 1
) prioritized
  ON true
LEFT JOIN LATERAL (
  SELECT LEAST(
    (
      SELECT min(l.look_at)
      FROM perdure_limit l
      WHERE l.shard = :shard
        AND l.queue = q.queue
        AND l.look_at IS NOT NULL
    ),
    (
      SELECT GREATEST(l.look_at, clock.now + INTERVAL '100 milliseconds')
      FROM perdure_limit l
      WHERE l.shard = :shard
        AND l.queue = 'perdure:any'
        AND l.look_at > clock.now
        AND EXISTS (
          SELECT
          FROM perdure_task_state s
          WHERE s.shard = :shard
            AND s.limit_key = l.key
            AND COALESCE(s.queue, s.kind) = q.queue
            AND s.state IN ('pending', 'retry_pending')
            AND s.hold = 2
          OFFSET 0
        )
      ORDER BY l.look_at
      LIMIT 1
    ),
    (
      SELECT min(GREATEST(
        LEAST(unprioritized.due_at, prioritized.due_at), clock.now + INTERVAL '100 milliseconds'))
      FROM perdure_limit l
      LEFT JOIN LATERAL (
        SELECT s.due_at
        FROM perdure_task_state s
        WHERE s.shard = :shard
          AND s.limit_key = l.key
          AND COALESCE(s.queue, s.kind) = q.queue
          AND s.state IN ('pending', 'retry_pending')
          AND s.hold = 2
          AND CASE WHEN s.priority = 0 THEN 0 ELSE 1 END = 0
          AND (s.deadline_at IS NULL OR s.deadline_at > clock.now)
        ORDER BY s.claim_at
        LIMIT 1
      ) unprioritized
        ON true
      CROSS JOIN LATERAL (
        SELECT LEAST(
          min(p.due_at), CASE WHEN count(*) >= 100 THEN clock.now + INTERVAL '1 second' END) AS due_at
        FROM (
          SELECT s.due_at
          FROM perdure_task_state s
          WHERE s.shard = :shard
            AND s.limit_key = l.key
            AND COALESCE(s.queue, s.kind) = q.queue
            AND s.state IN ('pending', 'retry_pending')
            AND s.hold = 2
            AND CASE WHEN s.priority = 0 THEN 0 ELSE 1 END = 1
            AND (s.deadline_at IS NULL OR s.deadline_at > clock.now)
          ORDER BY s.claim_at
          LIMIT 100
        ) p
      ) prioritized
      WHERE l.shard = :shard
        AND l.queue = 'perdure:any'
        AND l.look_at <= clock.now
        AND (unprioritized.due_at IS NOT NULL OR prioritized.due_at IS NOT NULL)
    ),
    (
      SELECT clock.now
      FROM perdure_limit_event e
      WHERE e.shard = :shard
        AND e.queue = q.queue
      ORDER BY e.number
      LIMIT 1
    )) AS look_at
) limited
  ON true;
