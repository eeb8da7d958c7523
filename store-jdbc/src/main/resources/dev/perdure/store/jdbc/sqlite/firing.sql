-- name: insert
-- A firing that was queued before is replaced.
INSERT INTO perdure_firing (
  shard, schedule, scheduled_for, manual, fired_at, outcome, batch, missed
)
VALUES (:shard, :schedule, :scheduled_for, :manual, :fired_at, :outcome, :batch, :missed)
ON CONFLICT (shard, schedule, scheduled_for, manual) DO UPDATE
SET fired_at = excluded.fired_at,
    outcome = excluded.outcome,
    batch = excluded.batch
WHERE outcome = 'queued';

-- name: list
SELECT f.scheduled_for, f.manual, f.fired_at, f.outcome, f.batch, f.missed
FROM perdure_firing f
WHERE f.shard = :shard
  AND f.schedule = :schedule
ORDER BY f.scheduled_for DESC, f.manual DESC
LIMIT :limit + 0;

-- name: list_delayed
-- Looks at the newest firings of all schedules.
SELECT
  f.schedule, s.name, f.scheduled_for, f.manual, f.fired_at, f.outcome, f.batch, f.missed
FROM (
  SELECT
    n.shard, n.schedule, n.scheduled_for, n.manual, n.fired_at, n.outcome, n.batch, n.missed
  FROM perdure_firing n INDEXED BY perdure_firing_fired
  WHERE n.shard = :shard
    AND n.fired_at > :now - :recent_ms
  ORDER BY n.fired_at DESC
  LIMIT :scanned + 0
) f
JOIN perdure_schedule s ON s.shard = f.shard AND s.id = f.schedule
WHERE NOT f.manual
  AND (f.outcome IN ('skipped', 'missed') OR (f.outcome = 'fired' AND (f.missed > 0 OR f.fired_at > f.scheduled_for + :late_ms)))
ORDER BY f.fired_at DESC
LIMIT :limit + 0;

-- name: prune
-- Keeps the last firings, and those that are queued.
DELETE FROM perdure_firing
WHERE shard = :shard
  AND schedule = :schedule
  AND outcome <> 'queued'
  AND scheduled_for < (
    SELECT k.scheduled_for
    FROM perdure_firing k
    WHERE k.shard = :shard
      AND k.schedule = :schedule
    ORDER BY k.scheduled_for DESC
    LIMIT 1 OFFSET :kept + 0
  );

-- name: delete_queued
DELETE FROM perdure_firing
WHERE shard = :shard
  AND schedule = :schedule
  AND outcome = 'queued';

-- name: delete
DELETE FROM perdure_firing
WHERE shard = :shard
  AND schedule = :schedule;
