-- name: any
-- in claim.take

-- name: open
-- Locks limits that have events, or that are due to be looked at, applies their events, and finds the
-- first tasks that wait for each. A limit that another claim has locked is left to that claim, so
-- claims at the same time look at different limits.
-- What a limit has used is read from the locked row, and is therefore current. The waiting tasks are
-- read in the snapshot of the statement: one that was claimed meanwhile is found out when it is taken.
-- Only an event that frees nothing can be about a limit whose row is missing.
-- The planner cannot see how many queues there are, since they come from a subquery. If it could, it
-- would plan every execution again, which takes longer than most of them.
WITH clock AS MATERIALIZED (
  SELECT COALESCE(CAST(:now AS timestamptz), clock_timestamp()) AS now
),
keys AS MATERIALIZED (
  SELECT k.key, min(k.since) AS since, bool_or(k.may_be_missing) AS may_be_missing
  FROM (
    SELECT e.key, e.created_at AS since, e.freed = 0 AS may_be_missing
    FROM unnest((SELECT CAST(:queues AS text[]))) AS q (queue)
    CROSS JOIN LATERAL (
      SELECT e.key, e.created_at, e.freed
      FROM perdure_limit_event e
      WHERE e.shard = :shard
        AND e.queue = q.queue
      ORDER BY e.number
      LIMIT :max_events
    ) e
    UNION ALL
    SELECT l.key, l.look_at, false
    FROM unnest((SELECT CAST(:queues AS text[]) || CAST('perdure:any' AS text))) AS q (queue)
    CROSS JOIN LATERAL (
      SELECT l.key, l.look_at
      FROM perdure_limit l
      WHERE l.shard = :shard
        AND l.queue = q.queue
        AND l.look_at <= (SELECT clock.now FROM clock)
        AND (q.queue <> 'perdure:any' OR EXISTS (
          SELECT
          FROM perdure_task_state s
          WHERE s.shard = :shard
            AND s.limit_key = l.key
            AND s.state IN ('pending', 'retry_pending')
            AND s.hold = 2
            AND COALESCE(s.queue, s.kind) = ANY (CAST(:queues AS text[]))
          OFFSET 0
        ))
      ORDER BY l.look_at
      LIMIT :max_events
    ) l
  ) k
  GROUP BY k.key
  ORDER BY min(k.since), k.key
),
locked AS MATERIALIZED (
  SELECT
    l.key, l.queue, l.type, l.max, l.per_ms, l.burst, l.used, l.next_start_at, l.look_at, k.since
  FROM keys k
  CROSS JOIN LATERAL (
    SELECT
      l.key, l.queue, l.type, l.max, l.per_ms, l.burst, l.used, l.next_start_at, l.look_at
    FROM perdure_limit l
    WHERE l.shard = :shard
      AND l.key = k.key
    FOR UPDATE SKIP LOCKED
  ) l
  LIMIT :max_limits
),
missing AS MATERIALIZED (
  SELECT k.key
  FROM keys k
  WHERE k.may_be_missing
    AND (
      SELECT count(*)
      FROM (
        SELECT
        FROM perdure_limit l
        WHERE l.shard = :shard
          AND l.key = k.key
        LIMIT 1
      ) found
    ) = 0
  LIMIT :max_limits
),
applied AS (
  DELETE FROM perdure_limit_event e
  USING (
    SELECT CAST(:shard AS integer) + g.number * 0 AS shard, g.queue, g.number
    FROM locked l
    CROSS JOIN LATERAL (
      SELECT e.queue, e.number
      FROM perdure_limit_event e
      WHERE e.shard = :shard
        AND e.key = l.key
      LIMIT :max_events_of_key
    ) g
    WHERE g.number * 0 = 0
      AND (g.number + 1) * 0 = 0
  ) g
  WHERE e.shard = g.shard
    AND e.queue = g.queue
    AND e.number = g.number
  RETURNING e.key, e.queue, e.number, e.freed, e.max, e.per_ms, e.burst
),
changes AS MATERIALIZED (
  SELECT
    a.key, sum(a.freed) AS freed, min(a.queue) AS queue, max(a.queue) AS last_queue,
    (array_agg(a.max ORDER BY a.number DESC) FILTER (WHERE a.max IS NOT NULL))[1] AS max,
    (array_agg(a.per_ms ORDER BY a.number DESC) FILTER (WHERE a.max IS NOT NULL))[1] AS per_ms,
    (array_agg(a.burst ORDER BY a.number DESC) FILTER (WHERE a.max IS NOT NULL))[1] AS burst
  FROM applied a
  GROUP BY a.key
),
opened AS MATERIALIZED (
  SELECT
    l.key, l.type, l.next_start_at, l.look_at, l.since,
    CASE
      WHEN COALESCE(c.queue, l.queue) = l.queue AND COALESCE(c.last_queue, l.queue) = l.queue
        THEN l.queue
      ELSE 'perdure:any'
    END AS queue,
    COALESCE(c.max, l.max) AS max,
    COALESCE(c.per_ms, l.per_ms) AS per_ms,
    COALESCE(c.burst, l.burst) AS burst,
    GREATEST(l.used - COALESCE(c.freed, 0), 0) AS used
  FROM locked l
  LEFT JOIN changes c
    ON c.key = l.key
)
SELECT
  clock.now, counts.keys > counts.locked + counts.missing AS skipped, o.missing, o.key, o.queue,
  o.type, o.max, o.per_ms, o.burst, o.used, o.next_start_at, o.look_at, o.since, w.id, w.task_queue,
  w.claim_at, w.due_at, w.limits, w.work
FROM clock
CROSS JOIN (
  SELECT
    (SELECT count(*) FROM keys) AS keys,
    (SELECT count(*) FROM locked) AS locked,
    (SELECT count(*) FROM missing) AS missing
) counts
LEFT JOIN (
  SELECT
    false AS missing, opened.key, opened.queue, opened.type, opened.max, opened.per_ms, opened.burst,
    opened.used, opened.next_start_at, opened.look_at, opened.since
  FROM opened
  UNION ALL
  SELECT true, missing.key, NULL, NULL, 0, NULL, 0, 0, NULL, NULL, NULL
  FROM missing
) o
  ON true
LEFT JOIN LATERAL (
  SELECT d.id, d.task_queue, d.claim_at, d.due_at, d.limits, d.work
  FROM (
    -- insert: waiting
      AND CASE WHEN s.priority = 0 THEN 0 ELSE 1 END = 0
      AND s.claim_at <= clock.now
    ORDER BY s.claim_at
    LIMIT CASE
      WHEN o.missing THEN 0
      WHEN o.type = 'concurrency' THEN LEAST(GREATEST(o.max - o.used, 0), :limit)
      ELSE :limit
    END)
    UNION ALL
    -- insert: waiting
      AND CASE WHEN s.priority = 0 THEN 0 ELSE 1 END = 1
      AND s.claim_at <= clock.now + INTERVAL '1000 seconds'
      AND s.due_at <= clock.now
    ORDER BY s.claim_at
    LIMIT CASE
      WHEN o.missing THEN 0
      WHEN o.type = 'concurrency' THEN LEAST(GREATEST(o.max - o.used, 0), :limit)
      ELSE :limit
    END)
  ) d
  ORDER BY d.claim_at, d.id
  LIMIT :limit
) w
  ON true
ORDER BY o.since, o.key, w.claim_at, w.id;

-- name: waiting
SELECT w.id, w.task_queue, w.due_at, w.limits, w.work
FROM (SELECT COALESCE(CAST(:now AS timestamptz), clock_timestamp()) AS now) clock
CROSS JOIN (SELECT CAST(:key AS text) AS key) o
CROSS JOIN LATERAL (
  SELECT d.id, d.task_queue, d.claim_at, d.due_at, d.limits, d.work
  FROM (
    -- insert: waiting
      AND CASE WHEN s.priority = 0 THEN 0 ELSE 1 END = 0
      AND s.claim_at <= clock.now
    ORDER BY s.claim_at
    LIMIT :limit)
    UNION ALL
    -- insert: waiting
      AND CASE WHEN s.priority = 0 THEN 0 ELSE 1 END = 1
      AND s.claim_at <= clock.now + INTERVAL '1000 seconds'
      AND s.due_at <= clock.now
    ORDER BY s.claim_at
    LIMIT :limit)
  ) d
  ORDER BY d.claim_at, d.id
  LIMIT :limit
) w
ORDER BY w.claim_at, w.id;

-- part: waiting
    (SELECT
      s.id, COALESCE(s.queue, s.kind) AS task_queue, s.claim_at, s.due_at, s.limits,
      GREATEST(
        LEAST(COALESCE(s.expected_count, 0), 4000000000000000000) - (
          LEAST(s.success, 4000000000000000000) + LEAST(s.failures, 4000000000000000000)
          - s.work_base), 0) AS work
    FROM perdure_task_state s
    WHERE s.shard = :shard
      AND s.limit_key = o.key
      AND s.state IN ('pending', 'retry_pending')
      AND s.hold = 2
      AND COALESCE(s.queue, s.kind) = ANY (CAST(:queues AS text[]))
      AND (s.deadline_at IS NULL OR s.deadline_at > clock.now)

-- name: create
-- In the order of the keys, so that two claims do not deadlock.
INSERT INTO perdure_limit (
  shard, key, queue, type, max, per_ms, burst, used, look_at, updated_at
)
SELECT :shard, g.key, g.queue, g.type, g.max, g.per_ms, g.burst, 0, clock.now, clock.now
FROM (SELECT COALESCE(CAST(:now AS timestamptz), clock_timestamp()) AS now) clock
CROSS JOIN unnest(
  CAST(:keys AS text[]), CAST(:limit_queues AS text[]), CAST(:types AS text[]),
  CAST(:max AS bigint[]), CAST(:per_ms AS bigint[]), CAST(:burst AS integer[])
) AS g (key, queue, type, max, per_ms, burst)
ORDER BY g.key
ON CONFLICT DO NOTHING;

-- name: lock
SELECT
  l.key, l.queue, l.type, l.max, l.per_ms, l.burst, l.used, l.next_start_at, l.look_at
FROM unnest(CAST(:keys AS text[])) AS g (key)
CROSS JOIN LATERAL (
  SELECT
    l.key, l.queue, l.type, l.max, l.per_ms, l.burst, l.used, l.next_start_at, l.look_at
  FROM perdure_limit l
  WHERE l.shard = :shard
    AND l.key = g.key
  FOR UPDATE SKIP LOCKED
) l;

-- name: due
-- in open

-- name: later
-- When the next task is due that waits for a limit. It is unknown if very many have a priority, or if
-- tasks of other queues wait.
SELECT
  g.key, LEAST(unprioritized.due_at, prioritized.due_at) AS next_due,
  prioritized.tasks >= 100 OR (g.shared AND EXISTS (
    SELECT
    FROM perdure_task_state s
    WHERE s.shard = :shard
      AND s.limit_key = g.key
      AND s.state IN ('pending', 'retry_pending')
      AND s.hold = 2
  )) AS unknown
FROM (SELECT COALESCE(CAST(:now AS timestamptz), clock_timestamp()) AS now) clock
CROSS JOIN unnest(CAST(:keys AS text[]), CAST(:shared AS boolean[])) AS g (key, shared)
LEFT JOIN LATERAL (
  SELECT s.due_at
  FROM perdure_task_state s
  WHERE s.shard = :shard
    AND s.limit_key = g.key
    AND s.state IN ('pending', 'retry_pending')
    AND s.hold = 2
    AND CASE WHEN s.priority = 0 THEN 0 ELSE 1 END = 0
    AND s.claim_at > clock.now
  ORDER BY s.claim_at
  LIMIT 1
) unprioritized
  ON true
CROSS JOIN LATERAL (
  SELECT min(p.due_at) AS due_at, count(*) AS tasks
  FROM (
    SELECT s.due_at
    FROM perdure_task_state s
    WHERE s.shard = :shard
      AND s.limit_key = g.key
      AND s.state IN ('pending', 'retry_pending')
      AND s.hold = 2
      AND CASE WHEN s.priority = 0 THEN 0 ELSE 1 END = 1
      AND s.due_at > clock.now
    ORDER BY s.claim_at
    LIMIT 100
  ) p
) prioritized;

-- name: definitions
-- The definition of a task for each limit. For a limit whose row is missing, and that no submission
-- has described.
SELECT g.key, t.kind, t.metadata, t.rules
FROM unnest(CAST(:keys AS text[])) AS g (key)
CROSS JOIN LATERAL (
  SELECT v.kind, v.metadata, v.rules
  FROM perdure_task_state s
  CROSS JOIN LATERAL (
    SELECT s.kind, t.metadata, t.rules
    FROM perdure_task t
    WHERE t.shard = :shard
      AND t.batch = s.batch
      AND t.id = s.id
    LIMIT 1
  ) v
  WHERE s.shard = :shard
    AND s.limit_key = g.key
    AND s.state IN ('pending', 'retry_pending')
    AND s.hold = 2
  LIMIT 1
) t;

-- name: work
-- What the claimed and running tasks of these limits still have to do.
SELECT
  k.key,
  CAST(LEAST(sum(GREATEST(
    LEAST(COALESCE(s.expected_count, 0), 4000000000000000000) - (
      LEAST(s.success, 4000000000000000000) + LEAST(s.failures, 4000000000000000000)
      - s.work_base), 0)), 9223372036854775807) AS bigint) AS work
FROM perdure_task_state s
CROSS JOIN LATERAL unnest(string_to_array(s.limits, chr(10))) AS k (key)
WHERE s.shard = :shard
  AND s.state IN ('claimed', 'running')
  AND s.limits IS NOT NULL
  AND k.key = ANY (CAST(:keys AS text[]))
GROUP BY k.key;

-- name: move
-- To another limit, which is reached. A task that another transaction is writing stays. For
-- hold - 2 = 0 see claim.take_limited.
WITH waiting AS MATERIALIZED (
  SELECT w.shard, w.id, g.key
  FROM unnest(CAST(:ids AS uuid[]), CAST(:keys AS text[])) AS g (id, key)
  CROSS JOIN LATERAL (
    SELECT s.shard, s.id
    FROM perdure_task_state s
    WHERE s.shard = :shard
      AND s.id = g.id
      AND s.state IN ('pending', 'retry_pending')
      AND s.hold - 2 = 0
    FOR UPDATE SKIP LOCKED
  ) w
)
UPDATE perdure_task_state s
SET limit_key = w.key
FROM waiting w
WHERE s.shard = w.shard
  AND s.id = w.id
  AND s.state IN ('pending', 'retry_pending')
  AND s.hold - 2 = 0;

-- name: of_task
-- in task_state.apply
