-- name: insert
-- in task_state.insert

-- name: old
-- in look

-- name: look
-- Looks at the batches that may be old enough, together no larger than the limit but at least one,
-- and notes of each that it goes or until when it has lived. A task that has not ended lives now, and
-- so does a batch of which something is still to be delivered. The states are fetched one by one: a
-- join could become a scan of the whole table for every batch.
WITH clock AS MATERIALIZED (
  SELECT c.now, c.now - :age_ms * INTERVAL '1 millisecond' AS until
  FROM (SELECT COALESCE(CAST(:now AS timestamptz), clock_timestamp()) AS now) c
),
old AS MATERIALIZED (
  SELECT summed.id, summed.live_at
  FROM (
    SELECT
      first.id,
      first.live_at,
      sum(first.size) OVER (ORDER BY first.live_at, first.id) AS total,
      row_number() OVER (ORDER BY first.live_at, first.id) AS place
    FROM (
      SELECT b.id, b.live_at, b.size
      FROM perdure_batch b
      WHERE b.shard = :shard
        AND b.gone_to IS NULL
        AND b.live_at < (SELECT clock.until FROM clock)
      ORDER BY b.live_at
      LIMIT :limit
    ) first
  ) summed
  WHERE summed.total <= :limit
     OR summed.place = 1
),
found AS MATERIALIZED (
  SELECT
    old.id,
    old.live_at,
    (
      SELECT max(COALESCE(
        (
          SELECT s.ended_at FROM perdure_task_state s WHERE s.shard = t.shard AND s.id = t.id),
        clock.now))
      FROM perdure_task t
      WHERE t.shard = :shard
        AND t.batch = old.id
    ) AS lived_at,
    EXISTS (
      SELECT
      FROM perdure_delivery d
      WHERE d.shard = :shard
        AND d.batch = old.id
        AND d.state = 'pending'
    ) AS tells
  FROM old
  CROSS JOIN clock
),
seen AS MATERIALIZED (
  SELECT
    found.id,
    found.live_at,
    CASE WHEN found.tells THEN clock.now ELSE found.lived_at END AS lived_at
  FROM found
  CROSS JOIN clock
)
UPDATE perdure_batch b
SET live_at = COALESCE(seen.lived_at, b.live_at),
    gone_to = CASE
      WHEN COALESCE(seen.lived_at, b.live_at) < clock.until
        THEN CAST('00000000-0000-0000-0000-000000000000' AS uuid)
    END
FROM seen
CROSS JOIN clock
WHERE b.shard = :shard
  AND b.id = ANY (ARRAY(SELECT seen.id FROM seen))
  AND b.id = seen.id
  AND b.live_at = seen.live_at
  AND b.gone_to IS NULL;

-- name: keep
-- in delivery.redeliver

-- name: going
-- in purge

-- name: purge
-- Deletes the batches that go, as many as the limit holds, or a piece of one that is larger. Their
-- rows are locked: another node takes others. A task that was submitted once more since then lives;
-- its batch does not go. The rows are deleted by arrays of keys for the reason the claim has.
WITH clock AS MATERIALIZED (
  SELECT COALESCE(CAST(:now AS timestamptz), clock_timestamp()) AS now
),
going AS MATERIALIZED (
  SELECT b.id, b.size, b.gone_to
  FROM perdure_batch b
  WHERE b.shard = :shard
    AND b.gone_to IS NOT NULL
  ORDER BY b.id
  LIMIT :limit
  FOR UPDATE SKIP LOCKED
),
chosen AS MATERIALIZED (
  SELECT summed.id, piece.tasks
  FROM (
    SELECT
      going.id,
      going.gone_to,
      sum(going.size) OVER (ORDER BY going.id) AS total,
      row_number() OVER (ORDER BY going.id) AS place
    FROM going
  ) summed
  CROSS JOIN LATERAL (
    SELECT ARRAY(
      SELECT t.id
      FROM perdure_task t
      WHERE t.shard = :shard
        AND t.batch = summed.id
        AND t.id > summed.gone_to
      ORDER BY t.id
      LIMIT :limit
    ) AS tasks
  ) piece
  WHERE summed.total <= :limit
     OR summed.place = 1
),
states AS (
  DELETE FROM perdure_task_state s
  WHERE s.shard = :shard
    AND s.id = ANY (ARRAY(SELECT unnest(chosen.tasks) FROM chosen))
    AND s.ended_at IS NOT NULL
  RETURNING s.id, s.batch
),
attempts AS (
  DELETE FROM perdure_attempt a
  WHERE a.shard = :shard
    AND a.task = ANY (ARRAY(SELECT states.id FROM states))
),
deliveries AS (
  DELETE FROM perdure_delivery d
  USING states
  WHERE d.shard = :shard
    AND d.batch = states.batch
    AND d.task = states.id
),
definitions AS (
  DELETE FROM perdure_task t
  USING states
  WHERE t.shard = :shard
    AND t.batch = states.batch
    AND t.id = states.id
),
deleted AS MATERIALIZED (
  SELECT states.batch, count(*) AS tasks
  FROM states
  GROUP BY states.batch
),
rest AS MATERIALIZED (
  SELECT
    chosen.id,
    CASE
      WHEN cardinality(chosen.tasks) = :limit THEN chosen.tasks[cardinality(chosen.tasks)]
    END AS gone_to,
    cardinality(chosen.tasks) < :limit
      AND COALESCE(deleted.tasks, 0) = (
        SELECT count(*) FROM perdure_task t WHERE t.shard = :shard AND t.batch = chosen.id) AS nothing
  FROM chosen
  LEFT JOIN deleted
    ON deleted.batch = chosen.id
),
batches AS (
  DELETE FROM perdure_batch b
  WHERE b.shard = :shard
    AND b.id = ANY (ARRAY(SELECT rest.id FROM rest WHERE rest.nothing))
),
moved AS (
  UPDATE perdure_batch b
  SET gone_to = rest.gone_to,
      live_at = CASE WHEN rest.gone_to IS NULL THEN clock.now ELSE b.live_at END
  FROM rest
  CROSS JOIN clock
  WHERE b.shard = :shard
    AND b.id = ANY (ARRAY(SELECT rest.id FROM rest WHERE NOT rest.nothing))
    AND b.id = rest.id
)
SELECT count(*) AS tasks
FROM states;

-- name: move
-- in purge
