-- part: schedule
  s.id, s.name, s.trigger_json, s.overlap, s.misfire, s.enabled, s.template, s.as_given, s.version,
  s.anchor_at, s.next_at, s.queued, s.firings, s.created_at, s.updated_at, s.problem

-- name: create
INSERT INTO perdure_schedule (
  shard, id, name, trigger_json, overlap, misfire, enabled, template, as_given, version, anchor_at,
  next_at, look_at, queued, firings, created_at, updated_at
)
VALUES (
  :shard, :id, :name, :trigger, :overlap, :misfire, :enabled, :template, :as_given, 0, :now,
  :next_at, :next_at, 0, 0, :now, :now)
ON CONFLICT DO NOTHING;

-- name: update
UPDATE perdure_schedule
SET trigger_json = :trigger,
    overlap = :overlap,
    misfire = :misfire,
    enabled = :enabled,
    template = :template,
    as_given = :as_given,
    version = version + 1,
    anchor_at = :now,
    next_at = :next_at,
    look_at = CASE WHEN queued > 0 AND :overlap = 'queue' AND :enabled THEN :now ELSE :next_at END,
    queued = CASE WHEN :overlap = 'queue' THEN queued ELSE 0 END,
    updated_at = :now,
    problem = NULL
WHERE shard = :shard
  AND id = :id;

-- name: delete
DELETE FROM perdure_schedule
WHERE shard = :shard
  AND id = :id;

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
FROM perdure_schedule s INDEXED BY perdure_schedule_by_name
WHERE s.shard = :shard
  AND s.name > :after
ORDER BY s.name
LIMIT :limit + 0;

-- name: list_overdue
-- Schedules that should have fired. One that could not fire is looked at again soon, so the index of
-- that time has them all.
SELECT s.id, s.name, s.next_at, s.problem
FROM perdure_schedule s INDEXED BY perdure_schedule_look
WHERE s.shard = :shard
  AND s.look_at <= :now + :looked_at_ms
  AND s.next_at <= :now - CASE WHEN s.problem IS NULL THEN :late_ms ELSE 0 END
ORDER BY s.look_at
LIMIT :limit + 0;

-- name: lock_due
SELECT
  -- insert: schedule
FROM perdure_schedule s INDEXED BY perdure_schedule_look
WHERE s.shard = :shard
  AND s.look_at <= :now
ORDER BY s.look_at
LIMIT :limit + 0;

-- name: lock
SELECT
  -- insert: schedule
FROM perdure_schedule s
WHERE s.shard = :shard
  AND s.id = :id;

-- name: states
SELECT
  unhex(j.value) AS id,
  EXISTS (
    SELECT 1
    FROM perdure_task_state t INDEXED BY perdure_task_state_schedule
    WHERE t.shard = :shard
      AND t.schedule = unhex(j.value)
      AND t.ended_at IS NULL
      AND (t.state IN ('claimed', 'running') OR (t.state = 'pending' AND t.attempt = 0))
  ) AS busy,
  (
    SELECT f.scheduled_for
    FROM perdure_firing f INDEXED BY perdure_firing_queued
    WHERE f.shard = :shard
      AND f.schedule = unhex(j.value)
      AND f.outcome = 'queued'
    ORDER BY f.scheduled_for
    LIMIT 1
  ) AS oldest_queued
FROM json_each(:ids) j;

-- name: advance
UPDATE perdure_schedule
SET next_at = :next_at,
    look_at = :look_at,
    queued = :queued,
    firings = firings + :firings,
    problem = NULL
WHERE shard = :shard
  AND id = :id;

-- name: postpone
-- A schedule that could not fire is tried again later.
UPDATE perdure_schedule
SET look_at = :look_at,
    problem = :problem
WHERE shard = :shard
  AND id = :id;

-- name: mark_tasks
-- The tasks that a schedule has just submitted belong to it.
UPDATE perdure_task_state
SET schedule = :schedule
WHERE shard = :shard
  AND id IN (SELECT unhex(j.value) FROM json_each(:ids) j);

-- name: mark_runs
UPDATE perdure_run
SET schedule = :schedule
WHERE shard = :shard
  AND batch = :batch;

-- name: until_next
SELECT s.look_at
FROM perdure_schedule s INDEXED BY perdure_schedule_look
WHERE s.shard = :shard
  AND s.look_at IS NOT NULL
ORDER BY s.look_at
LIMIT 1;

-- name: live_tasks
SELECT t.id
FROM perdure_task_state t INDEXED BY perdure_task_state_schedule
WHERE t.shard = :shard
  AND t.schedule = :schedule
  AND t.ended_at IS NULL
  AND t.id >= :from
ORDER BY t.id
LIMIT :limit + 0;

-- name: unfinished_batches
SELECT r.batch AS id
FROM perdure_run r INDEXED BY perdure_run_schedule
WHERE r.shard = :shard
  AND r.schedule = :schedule
  AND (r.outcome IS NULL OR r.next_at IS NOT NULL)
  AND (NOT :waiting OR r.next_at IS NOT NULL)
  AND r.batch >= :from
ORDER BY r.batch
LIMIT :limit + 0;
