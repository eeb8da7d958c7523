-- name: insert
-- in task_state.insert

-- name: expired
-- in purge

-- name: purge
-- A batch has ended with the task that ended last: only that row stands for it, so the oldest
-- batches come first and one that still lives costs a look. The rows are locked before they are
-- deleted; a batch in which one was revived meanwhile is no longer whole and stays.
WITH clock AS MATERIALIZED (
  SELECT COALESCE(CAST(:now AS timestamptz), clock_timestamp())
    - :age_ms * INTERVAL '1 millisecond' AS until
),
over AS MATERIALIZED (
  SELECT s.batch, s.ended_at, (
    SELECT count(*) FROM task t WHERE t.shard = :shard AND t.batch = s.batch) AS size
  FROM task_state s
  WHERE s.shard = :shard
    AND s.ended_at < (SELECT clock.until FROM clock)
    AND NOT EXISTS (
      SELECT
      FROM task t
      JOIN task_state o
        ON o.shard = t.shard AND o.id = t.id
      WHERE t.shard = :shard
        AND t.batch = s.batch
        AND (o.ended_at IS NULL OR (o.ended_at, o.id) > (s.ended_at, s.id)))
  ORDER BY s.ended_at
  LIMIT :limit
),
chosen AS MATERIALIZED (
  SELECT summed.batch, summed.size
  FROM (
    SELECT
      over.batch,
      over.size,
      sum(over.size) OVER (ORDER BY over.ended_at, over.batch) AS total,
      row_number() OVER (ORDER BY over.ended_at, over.batch) AS place
    FROM over
  ) summed
  WHERE summed.total <= :limit
     OR summed.place = 1
),
locked AS MATERIALIZED (
  SELECT s.id, s.batch
  FROM chosen
  JOIN task t
    ON t.shard = :shard AND t.batch = chosen.batch
  JOIN task_state s
    ON s.shard = :shard AND s.id = t.id
  WHERE s.ended_at < (SELECT clock.until FROM clock)
  FOR UPDATE OF s
),
gone AS MATERIALIZED (
  SELECT chosen.batch
  FROM chosen
  JOIN locked
    ON locked.batch = chosen.batch
  GROUP BY chosen.batch, chosen.size
  HAVING count(*) = chosen.size
),
attempts AS (
  DELETE FROM attempt a
  USING locked, gone
  WHERE a.shard = :shard
    AND a.task = locked.id
    AND locked.batch = gone.batch
),
definitions AS (
  DELETE FROM task t
  USING gone
  WHERE t.shard = :shard
    AND t.batch = gone.batch
),
batches AS (
  DELETE FROM batch b
  USING gone
  WHERE b.shard = :shard
    AND b.id = gone.batch
)
DELETE FROM task_state s
USING locked, gone
WHERE s.shard = :shard
  AND s.id = locked.id
  AND locked.batch = gone.batch;
