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
