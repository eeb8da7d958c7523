-- part: schedule
  s.id, s.name, s.trigger_json, s.overlap, s.misfire, s.enabled, s.template, s.as_given, s.version,
  s.anchor_at, s.next_at, s.queued, s.firings, s.created_at, s.updated_at, s.problem

-- name: create
INSERT INTO perdure_schedule (
  shard, id, name, trigger_json, overlap, misfire, enabled, template, as_given, version, anchor_at,
  next_at, look_at, queued, firings, created_at, updated_at
)
VALUES (
  :shard, :id, :name, :trigger, :overlap, :misfire, :enabled, :template, :as_given, 0,
  CAST(:now AS timestamptz), CAST(:next_at AS timestamptz), CAST(:next_at AS timestamptz), 0, 0,
  CAST(:now AS timestamptz), CAST(:now AS timestamptz))
ON CONFLICT DO NOTHING;

-- name: update
UPDATE perdure_schedule s
SET trigger_json = :trigger,
    overlap = :overlap,
    misfire = :misfire,
    enabled = :enabled,
    template = :template,
    as_given = :as_given,
    version = s.version + 1,
    anchor_at = CAST(:now AS timestamptz),
    next_at = CAST(:next_at AS timestamptz),
    look_at = CASE
      WHEN s.queued > 0 AND :overlap = 'queue' AND :enabled THEN CAST(:now AS timestamptz)
      ELSE CAST(:next_at AS timestamptz)
    END,
    queued = CASE WHEN :overlap = 'queue' THEN s.queued ELSE 0 END,
    updated_at = CAST(:now AS timestamptz),
    problem = NULL
WHERE s.shard = :shard
  AND s.id = :id;

-- name: delete
DELETE FROM perdure_schedule s
WHERE s.shard = :shard
  AND s.id = :id;

-- name: find
SELECT
  -- insert: schedule
FROM perdure_schedule s
WHERE s.shard = :shard
  AND s.id = :id;

-- name: find_by_name
SELECT
  -- insert: schedule
FROM perdure_schedule s
WHERE s.shard = :shard
  AND s.name = :name;

-- name: list
SELECT
  -- insert: schedule
FROM perdure_schedule s
WHERE s.shard = :shard
  AND s.name > :after
ORDER BY s.name
LIMIT :limit;

-- name: list_overdue
-- Schedules that should have fired. One that could not fire is looked at again soon, so the index of
-- that time has them all. The clock is in a subquery: only then is the time a condition of the index.
SELECT s.id, s.name, s.next_at, s.problem
FROM perdure_schedule s
WHERE s.shard = :shard
  AND s.look_at <= (
    SELECT COALESCE(CAST(:now AS timestamptz), clock_timestamp())
      + :looked_at_ms * INTERVAL '1 millisecond')
  AND s.next_at <= (
    SELECT COALESCE(CAST(:now AS timestamptz), clock_timestamp())
      - CASE WHEN s.problem IS NULL THEN :late_ms ELSE 0 END * INTERVAL '1 millisecond')
ORDER BY s.look_at
LIMIT :limit;

-- name: lock_due
-- Schedules whose time has come, without those that another node is deciding about.
SELECT
  -- insert: schedule
FROM perdure_schedule s
WHERE s.shard = :shard
  AND s.look_at <= COALESCE(CAST(:now AS timestamptz), clock_timestamp())
ORDER BY s.look_at
LIMIT :limit
FOR UPDATE SKIP LOCKED;

-- name: lock
SELECT
  -- insert: schedule
FROM perdure_schedule s
WHERE s.shard = :shard
  AND s.id = :id
FOR UPDATE;

-- name: states
-- A statement of its own, after the lock: while another node held it, that node may have submitted
-- tasks or fired what was queued, which the statement that waited does not see.
SELECT
  g.id,
  EXISTS (
    SELECT
    FROM perdure_task_state t
    WHERE t.shard = :shard
      AND t.schedule = g.id
      AND t.ended_at IS NULL
      AND (t.state IN ('claimed', 'running') OR (t.state = 'pending' AND t.attempt = 0))
    OFFSET 0
  ) AS busy,
  (
    SELECT f.scheduled_for
    FROM perdure_firing f
    WHERE f.shard = :shard
      AND f.schedule = g.id
      AND f.outcome = 'queued'
    ORDER BY f.scheduled_for
    LIMIT 1
  ) AS oldest_queued
FROM unnest(CAST(:ids AS uuid[])) AS g (id);

-- name: advance
UPDATE perdure_schedule s
SET next_at = g.next_at,
    look_at = g.look_at,
    queued = g.queued,
    firings = s.firings + g.firings,
    problem = NULL
FROM (
  SELECT
    CAST(:shard AS integer) + g.item_index * 0 AS shard, g.id, g.next_at, g.look_at, g.queued,
    g.firings
  FROM unnest(
    CAST(:item_indexes AS integer[]), CAST(:ids AS uuid[]), CAST(:nexts_at AS timestamptz[]),
    CAST(:looks_at AS timestamptz[]), CAST(:queued AS integer[]), CAST(:firings AS integer[])
  ) AS g (item_index, id, next_at, look_at, queued, firings)
  WHERE g.item_index * 0 = 0
    AND (g.item_index + 1) * 0 = 0
) g
WHERE s.shard = g.shard
  AND s.id = g.id;

-- name: postpone
-- Schedules that could not fire are tried again later.
UPDATE perdure_schedule s
SET look_at = CAST(:look_at AS timestamptz),
    problem = g.problem
FROM (
  SELECT CAST(:shard AS integer) + g.item_index * 0 AS shard, g.id, g.problem
  FROM unnest(
    CAST(:item_indexes AS integer[]), CAST(:ids AS uuid[]), CAST(:problems AS text[])
  ) AS g (item_index, id, problem)
  WHERE g.item_index * 0 = 0
    AND (g.item_index + 1) * 0 = 0
) g
WHERE s.shard = g.shard
  AND s.id = g.id;

-- name: mark_tasks
-- The tasks that a schedule has just submitted belong to it.
UPDATE perdure_task_state s
SET schedule = g.schedule
FROM (
  SELECT CAST(:shard AS integer) + g.item_index * 0 AS shard, g.id, g.schedule
  FROM unnest(
    CAST(:item_indexes AS integer[]), CAST(:ids AS uuid[]), CAST(:schedules AS uuid[])
  ) AS g (item_index, id, schedule)
  WHERE g.item_index * 0 = 0
    AND (g.item_index + 1) * 0 = 0
) g
WHERE s.shard = g.shard
  AND s.id = g.id;

-- name: mark_runs
UPDATE perdure_run r
SET schedule = g.schedule
FROM (
  SELECT CAST(:shard AS integer) + g.item_index * 0 AS shard, g.batch, g.schedule
  FROM unnest(
    CAST(:item_indexes AS integer[]), CAST(:batches AS uuid[]), CAST(:schedules AS uuid[])
  ) AS g (item_index, batch, schedule)
  WHERE g.item_index * 0 = 0
    AND (g.item_index + 1) * 0 = 0
) g
WHERE r.shard = g.shard
  AND r.batch = g.batch;

-- name: until_next
SELECT
  CAST(ceil(1000 * EXTRACT(epoch FROM s.look_at
    - COALESCE(CAST(:now AS timestamptz), clock_timestamp()))) AS bigint) AS wait_ms
FROM perdure_schedule s
WHERE s.shard = :shard
  AND s.look_at IS NOT NULL
ORDER BY s.look_at
LIMIT 1;

-- name: live_tasks
SELECT t.id
FROM perdure_task_state t
WHERE t.shard = :shard
  AND t.schedule = :schedule
  AND t.ended_at IS NULL
  AND t.id >= :from
ORDER BY t.id
LIMIT :limit;

-- name: unfinished_batches
SELECT r.batch AS id
FROM perdure_run r
WHERE r.shard = :shard
  AND r.schedule = :schedule
  AND (r.outcome IS NULL OR r.next_at IS NOT NULL)
  AND (NOT :waiting OR r.next_at IS NOT NULL)
  AND r.batch >= :from
ORDER BY r.batch
LIMIT :limit;
