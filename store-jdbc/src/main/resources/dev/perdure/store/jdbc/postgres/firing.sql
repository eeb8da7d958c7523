-- name: insert
-- A firing that was queued before is replaced.
INSERT INTO perdure_firing (
  shard, schedule, scheduled_for, manual, fired_at, outcome, batch, missed
)
SELECT :shard, g.schedule, g.scheduled_for, g.manual, g.fired_at, g.outcome, g.batch, g.missed
FROM unnest(
  CAST(:schedules AS uuid[]), CAST(:scheduled_for AS timestamptz[]), CAST(:manual AS boolean[]),
  CAST(:fired_at AS timestamptz[]), CAST(:outcomes AS text[]), CAST(:batches AS uuid[]),
  CAST(:missed AS bigint[])
) AS g (schedule, scheduled_for, manual, fired_at, outcome, batch, missed)
ON CONFLICT (shard, schedule, scheduled_for, manual) DO UPDATE
SET fired_at = EXCLUDED.fired_at,
    outcome = EXCLUDED.outcome,
    batch = EXCLUDED.batch
WHERE perdure_firing.outcome = 'queued';

-- name: list
SELECT f.scheduled_for, f.manual, f.fired_at, f.outcome, f.batch, f.missed
FROM perdure_firing f
WHERE f.shard = :shard
  AND f.schedule = :schedule
ORDER BY f.scheduled_for DESC, f.manual DESC
LIMIT :limit;

-- name: list_delayed
-- Looks at the newest firings of all schedules. The clock is in a subquery: only then is the time a
-- condition of the index.
SELECT
  f.schedule, s.name, f.scheduled_for, f.manual, f.fired_at, f.outcome, f.batch, f.missed
FROM (
  SELECT
    n.shard, n.schedule, n.scheduled_for, n.manual, n.fired_at, n.outcome, n.batch, n.missed
  FROM perdure_firing n
  WHERE n.shard = :shard
    AND n.fired_at > (
      SELECT COALESCE(CAST(:now AS timestamptz), clock_timestamp())
        - :recent_ms * INTERVAL '1 millisecond')
  ORDER BY n.fired_at DESC
  LIMIT :scanned
) f
JOIN perdure_schedule s ON s.shard = f.shard AND s.id = f.schedule
WHERE NOT f.manual
  AND (f.outcome IN ('skipped', 'missed') OR (f.outcome = 'fired' AND (f.missed > 0 OR f.fired_at > f.scheduled_for + :late_ms * INTERVAL '1 millisecond')))
ORDER BY f.fired_at DESC
LIMIT :limit;

-- name: prune
-- Keeps the last firings, and those that are queued.
DELETE FROM perdure_firing f
USING (
  SELECT
    CAST(:shard AS integer) + g.item_index * 0 AS shard,
    g.schedule,
    (
      SELECT k.scheduled_for
      FROM perdure_firing k
      WHERE k.shard = :shard
        AND k.schedule = g.schedule
      ORDER BY k.scheduled_for DESC
      OFFSET :kept
      LIMIT 1
    ) AS oldest
  FROM unnest(
    CAST(:item_indexes AS integer[]), CAST(:schedules AS uuid[])
  ) AS g (item_index, schedule)
  WHERE g.item_index * 0 = 0
    AND (g.item_index + 1) * 0 = 0
) g
WHERE f.shard = g.shard
  AND f.schedule = g.schedule
  AND f.outcome <> 'queued'
  AND f.scheduled_for < g.oldest;

-- name: delete_queued
DELETE FROM perdure_firing f
WHERE f.shard = :shard
  AND f.schedule = :schedule
  AND f.outcome = 'queued';

-- name: delete
DELETE FROM perdure_firing f
WHERE f.shard = :shard
  AND f.schedule = :schedule;
