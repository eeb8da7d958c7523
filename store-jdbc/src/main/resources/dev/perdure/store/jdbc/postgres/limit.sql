-- name: any
-- in claim.take

-- name: open
-- Locks limits that have events, or that are due to be looked at, applies their events, and finds the
-- first tasks that wait for each. A limit that another claim has locked is left to that claim, so
-- claims at the same time look at different limits. A limit of several queues is looked at only if a
-- task of these queues is due: one of another queue may be due for long if no claim serves that.
-- What a limit has used is read from the locked row, and is therefore current. The waiting tasks are
-- locked too, without those that another transaction is writing.
-- An event that frees a place is never about a limit whose row is missing.
-- The planner cannot see how many queues there are, since they come from a subquery. If it could, it
-- would plan every execution again, which takes longer than most of them.
WITH clock AS MATERIALIZED (
  SELECT COALESCE(CAST(:now AS timestamptz), clock_timestamp()) AS now
),
keys AS MATERIALIZED (
  SELECT k.key, min(k.since) AS since, bool_or(k.may_be_missing) AS may_be_missing
  FROM (
    SELECT e.key, e.created_at AS since, e.freed <= 0 AS may_be_missing
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
          FROM unnest((SELECT CAST(:queues AS text[]))) AS own (queue)
          CROSS JOIN LATERAL (
            SELECT
            FROM perdure_task_state s
            WHERE s.shard = :shard
              AND s.limit_key = l.key
              AND COALESCE(s.queue, s.kind) = own.queue
              AND s.state IN ('pending', 'retry_pending')
              AND s.hold = 2
              AND CASE WHEN s.priority = 0 THEN 0 ELSE 1 END = 0
              AND s.claim_at <= (SELECT clock.now FROM clock)
              AND (s.deadline_at IS NULL OR s.deadline_at > (SELECT clock.now FROM clock))
            UNION ALL
            SELECT
            FROM perdure_task_state s
            WHERE s.shard = :shard
              AND s.limit_key = l.key
              AND COALESCE(s.queue, s.kind) = own.queue
              AND s.state IN ('pending', 'retry_pending')
              AND s.hold = 2
              AND CASE WHEN s.priority = 0 THEN 0 ELSE 1 END = 1
              AND s.claim_at <= (SELECT clock.now FROM clock) + INTERVAL '1000 seconds'
              AND s.due_at <= (SELECT clock.now FROM clock)
              AND (s.deadline_at IS NULL OR s.deadline_at > (SELECT clock.now FROM clock))
            LIMIT 1
          ) due
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
      ORDER BY e.number
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
  clock.now, counts.keys > counts.locked + counts.missing AS skipped, counts.has_kinds, o.missing,
  o.key, o.queue, o.type, o.max, o.per_ms, o.burst, o.used, o.next_start_at, o.look_at, o.since,
  w.id, w.kind, w.task_queue, w.claim_at, w.due_at, w.limits, w.work
FROM clock
CROSS JOIN (
  SELECT
    (SELECT count(*) FROM keys) AS keys,
    (SELECT count(*) FROM locked) AS locked,
    (SELECT count(*) FROM missing) AS missing,
    EXISTS (SELECT FROM perdure_kind_limit k WHERE k.shard = :shard) AS has_kinds
) counts
LEFT JOIN (
  SELECT
    false AS missing, opened.key, opened.queue, opened.type, opened.max, opened.per_ms, opened.burst,
    opened.used, opened.next_start_at, opened.look_at, opened.since,
    CASE
      WHEN opened.type = 'concurrency' THEN LEAST(GREATEST(opened.max - opened.used, 0), :limit)
      WHEN opened.type = 'rate' THEN LEAST(opened.burst + 1, :limit)
      ELSE :limit
    END AS room
  FROM opened
  UNION ALL
  SELECT true, missing.key, NULL, NULL, 0, NULL, 0, 0, NULL, NULL, NULL, 0
  FROM missing
) o
  ON true
LEFT JOIN LATERAL (
  -- insert: waiting
) w
  ON true
ORDER BY o.since, o.key, w.claim_at, w.id;

-- name: waiting
SELECT w.id, w.kind, w.task_queue, w.claim_at, w.due_at, w.limits, w.work
FROM (SELECT CAST(:now AS timestamptz) AS now) clock
CROSS JOIN (
  SELECT CAST(:key AS text) AS key, 'perdure:any' AS queue, CAST(:limit AS integer) AS room
) o
CROSS JOIN LATERAL (
  -- insert: waiting
) w
ORDER BY w.claim_at, w.id;

-- part: waiting
  SELECT d.id, d.kind, d.task_queue, d.claim_at, d.due_at, d.limits, d.work
  FROM unnest((SELECT CAST(:queues AS text[]))) AS q (queue)
  CROSS JOIN LATERAL (
    SELECT u.id, u.kind, u.task_queue, u.claim_at, u.due_at, u.limits, u.work
    FROM (
      SELECT
        -- insert: waiting_task
        AND CASE WHEN s.priority = 0 THEN 0 ELSE 1 END = 0
        AND s.claim_at <= clock.now
      ORDER BY s.claim_at
      LIMIT o.room
      FOR UPDATE SKIP LOCKED
    ) u
    UNION ALL
    SELECT p.id, p.kind, p.task_queue, p.claim_at, p.due_at, p.limits, p.work
    FROM (
      SELECT
        -- insert: waiting_task
        AND CASE WHEN s.priority = 0 THEN 0 ELSE 1 END = 1
        AND s.claim_at <= clock.now + INTERVAL '1000 seconds'
        AND s.due_at <= clock.now
      ORDER BY s.claim_at
      LIMIT o.room
      FOR UPDATE SKIP LOCKED
    ) p
  ) d
  WHERE o.queue IN (q.queue, 'perdure:any')
  ORDER BY d.claim_at, d.id
  LIMIT o.room

-- part: waiting_task
        s.id, s.kind, COALESCE(s.queue, s.kind) AS task_queue, s.claim_at, s.due_at, s.limits,
        GREATEST(
          LEAST(COALESCE(s.expected_count, 0), 4000000000000000000) - (
            LEAST(s.success, 4000000000000000000) + LEAST(s.failures, 4000000000000000000)
            - s.work_base), 0) AS work
      FROM perdure_task_state s
      WHERE s.shard = :shard
        AND s.limit_key = o.key
        AND COALESCE(s.queue, s.kind) = q.queue
        AND s.state IN ('pending', 'retry_pending')
        AND s.hold = 2
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

-- name: find
-- in open

-- name: lock
-- A limit whose rule has changed, or in which a running task has taken a place, is left to limit.open,
-- which applies events. The first task that waits for a limit must not be overtaken.
SELECT
  l.key, l.queue, l.type, l.max, l.per_ms, l.burst, l.used, l.next_start_at, l.look_at,
  w.claim_at AS first_waiting
FROM unnest(CAST(:keys AS text[])) AS g (key)
CROSS JOIN LATERAL (
  SELECT
    l.key, l.queue, l.type, l.max, l.per_ms, l.burst, l.used, l.next_start_at, l.look_at
  FROM perdure_limit l
  WHERE l.shard = :shard
    AND l.key = g.key
    AND NOT EXISTS (
      SELECT
      FROM perdure_limit_event e
      WHERE e.shard = :shard
        AND e.key = g.key
        AND (e.freed < 0 OR (
          e.max IS NOT NULL
          AND (e.max, e.per_ms, e.burst) IS DISTINCT FROM (l.max, l.per_ms, l.burst))))
  FOR UPDATE SKIP LOCKED
) l
CROSS JOIN LATERAL (
  SELECT min(d.claim_at) AS claim_at
  FROM unnest((SELECT CAST(:queues AS text[]))) AS q (queue)
  CROSS JOIN LATERAL (
    SELECT u.claim_at
    FROM (
      SELECT s.claim_at
      FROM perdure_task_state s
      WHERE s.shard = :shard
        AND s.limit_key = g.key
        AND COALESCE(s.queue, s.kind) = q.queue
        AND s.state IN ('pending', 'retry_pending')
        AND s.hold = 2
        AND CASE WHEN s.priority = 0 THEN 0 ELSE 1 END = 0
        AND s.claim_at <= CAST(:now AS timestamptz)
        AND (s.deadline_at IS NULL OR s.deadline_at > CAST(:now AS timestamptz))
      ORDER BY s.claim_at
      LIMIT 1
    ) u
    UNION ALL
    SELECT p.claim_at
    FROM (
      SELECT s.claim_at
      FROM perdure_task_state s
      WHERE s.shard = :shard
        AND s.limit_key = g.key
        AND COALESCE(s.queue, s.kind) = q.queue
        AND s.state IN ('pending', 'retry_pending')
        AND s.hold = 2
        AND CASE WHEN s.priority = 0 THEN 0 ELSE 1 END = 1
        AND s.claim_at <= CAST(:now AS timestamptz) + INTERVAL '1000 seconds'
        AND s.due_at <= CAST(:now AS timestamptz)
        AND (s.deadline_at IS NULL OR s.deadline_at > CAST(:now AS timestamptz))
      ORDER BY s.claim_at
      LIMIT 1
    ) p
  ) d
) w;

-- name: due
-- in open

-- name: queues
-- in later

-- name: later
-- What waits for a limit beside the tasks that the claim has started: when the next one is due, which is
-- unknown if very many have a priority, and whether others are due. Another transaction has locked
-- those, or they are of other queues: a limit of several queues is about the tasks of all of them. The
-- index leads from one queue to the next.
SELECT
  g.key, min(LEAST(unprioritized.due_at, prioritized.due_at)) AS next_due,
  COALESCE(bool_or(prioritized.tasks >= 100), false) AS unknown,
  COALESCE(sum(due.tasks), 0) > g.started AS due_left
FROM (SELECT CAST(:now AS timestamptz) AS now) clock
CROSS JOIN unnest(
  CAST(:keys AS text[]), CAST(:shared AS boolean[]), CAST(:started AS integer[])
) AS g (key, shared, started)
CROSS JOIN LATERAL (
  SELECT own.queue
  FROM unnest((SELECT CAST(:queues AS text[]))) AS own (queue)
  WHERE NOT g.shared
  UNION ALL
  SELECT every.queue
  FROM (
    WITH RECURSIVE every (queue) AS (
      SELECT (
        SELECT COALESCE(s.queue, s.kind)
        FROM perdure_task_state s
        WHERE s.shard = :shard
          AND s.limit_key = g.key
          AND s.state IN ('pending', 'retry_pending')
          AND s.hold = 2
        ORDER BY COALESCE(s.queue, s.kind)
        LIMIT 1
      )
      WHERE g.shared
      UNION ALL
      SELECT (
        SELECT COALESCE(s.queue, s.kind)
        FROM perdure_task_state s
        WHERE s.shard = :shard
          AND s.limit_key = g.key
          AND s.state IN ('pending', 'retry_pending')
          AND s.hold = 2
          AND COALESCE(s.queue, s.kind) > every.queue
        ORDER BY COALESCE(s.queue, s.kind)
        LIMIT 1
      )
      FROM every
      WHERE every.queue IS NOT NULL
    )
    SELECT every.queue
    FROM every
    WHERE every.queue IS NOT NULL
    LIMIT 1000
  ) every
) q
LEFT JOIN LATERAL (
  SELECT s.due_at
  FROM perdure_task_state s
  WHERE s.shard = :shard
    AND s.limit_key = g.key
    AND COALESCE(s.queue, s.kind) = q.queue
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
      AND COALESCE(s.queue, s.kind) = q.queue
      AND s.state IN ('pending', 'retry_pending')
      AND s.hold = 2
      AND CASE WHEN s.priority = 0 THEN 0 ELSE 1 END = 1
      AND s.due_at > clock.now
    ORDER BY s.claim_at
    LIMIT 100
  ) p
) prioritized
CROSS JOIN LATERAL (
  SELECT count(*) AS tasks
  FROM (
    SELECT u.id
    FROM (
      SELECT s.id
      FROM perdure_task_state s
      WHERE s.shard = :shard
        AND s.limit_key = g.key
        AND COALESCE(s.queue, s.kind) = q.queue
        AND s.state IN ('pending', 'retry_pending')
        AND s.hold = 2
        AND CASE WHEN s.priority = 0 THEN 0 ELSE 1 END = 0
        AND s.claim_at <= clock.now
        AND (s.deadline_at IS NULL OR s.deadline_at > clock.now)
      ORDER BY s.claim_at
      LIMIT g.started + 1
    ) u
    UNION ALL
    SELECT p.id
    FROM (
      SELECT s.id
      FROM perdure_task_state s
      WHERE s.shard = :shard
        AND s.limit_key = g.key
        AND COALESCE(s.queue, s.kind) = q.queue
        AND s.state IN ('pending', 'retry_pending')
        AND s.hold = 2
        AND CASE WHEN s.priority = 0 THEN 0 ELSE 1 END = 1
        AND s.claim_at <= clock.now + INTERVAL '1000 seconds'
        AND s.due_at <= clock.now
        AND (s.deadline_at IS NULL OR s.deadline_at > clock.now)
      ORDER BY s.claim_at
      LIMIT g.started + 1
    ) p
  ) d
) due
GROUP BY g.key, g.started;

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
-- To another limit, which is reached, or for which an earlier task waits. The tasks are locked. A
-- claim that locks the other limit later may not see them yet, so an event makes one look again. For
-- hold - 2 = 0 see claim.take_limited.
WITH moved AS (
  UPDATE perdure_task_state s
  SET limit_key = g.key
  FROM (
    SELECT CAST(:shard AS integer) + g.item_index * 0 AS shard, g.id, g.key
    FROM unnest(
      CAST(:item_indexes AS integer[]), CAST(:ids AS uuid[]), CAST(:keys AS text[])
    ) AS g (item_index, id, key)
    WHERE g.item_index * 0 = 0
      AND (g.item_index + 1) * 0 = 0
  ) g
  WHERE s.shard = g.shard
    AND s.id = g.id
    AND s.state IN ('pending', 'retry_pending')
    AND s.hold - 2 = 0
  RETURNING COALESCE(s.queue, s.kind) AS queue, g.key
)
INSERT INTO perdure_limit_event (shard, queue, key, freed, created_at)
SELECT DISTINCT CAST(:shard AS integer), m.queue, m.key, 0, CAST(:now AS timestamptz)
FROM moved m;

-- name: of_task
-- in task_state.apply
