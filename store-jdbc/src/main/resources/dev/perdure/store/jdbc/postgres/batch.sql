-- name: insert
-- in task_state.insert

-- name: find_expired
-- in mark_expired

-- name: mark_expired
-- Checks batches whose last known activity is older than the retention period: as many as have
-- :limit tasks in total, but at least one. Each is either marked for deletion or gets a newer
-- last_active_at. A batch is active now if one of its tasks has not ended, one of its deliveries is
-- pending, or dependents of one of its tasks have not been updated. The states are looked up one by
-- one because a join could become a scan of the whole table for every batch.
WITH clock AS MATERIALIZED (
  SELECT c.now, c.now - :age_ms * INTERVAL '1 millisecond' AS cutoff
  FROM (SELECT COALESCE(CAST(:now AS timestamptz), clock_timestamp()) AS now) c
),
candidates AS MATERIALIZED (
  SELECT ranked.id, ranked.last_active_at
  FROM (
    SELECT
      oldest.id,
      oldest.last_active_at,
      sum(oldest.size) OVER (ORDER BY oldest.last_active_at, oldest.id) AS total,
      row_number() OVER (ORDER BY oldest.last_active_at, oldest.id) AS position
    FROM (
      SELECT b.id, b.last_active_at, b.size
      FROM perdure_batch b
      WHERE b.shard = :shard
        AND b.deleted_up_to IS NULL
        AND b.last_active_at < (SELECT clock.cutoff FROM clock)
      ORDER BY b.last_active_at
      LIMIT :limit
    ) oldest
  ) ranked
  WHERE ranked.total <= :limit
     OR ranked.position = 1
),
checked AS MATERIALIZED (
  SELECT
    candidates.id,
    candidates.last_active_at,
    (
      SELECT max(COALESCE(
        (
          SELECT s.ended_at
          FROM perdure_task_state s
          WHERE s.shard = t.shard
            AND s.id = t.id
            AND NOT EXISTS (
              SELECT
              FROM perdure_propagation_event e
              WHERE e.shard = s.shard AND e.task = s.id)),
        clock.now))
      FROM perdure_task t
      WHERE t.shard = :shard
        AND t.batch = candidates.id
    ) AS active_at,
    EXISTS (
      SELECT
      FROM perdure_delivery d
      WHERE d.shard = :shard
        AND d.batch = candidates.id
        AND d.state = 'pending'
    ) OR EXISTS (
      SELECT
      FROM perdure_run r
      WHERE r.shard = :shard
        AND r.batch = candidates.id
        AND (r.outcome IS NULL OR r.next_at IS NOT NULL)
    ) AS has_pending_work
  FROM candidates
  CROSS JOIN clock
),
activity AS MATERIALIZED (
  SELECT
    checked.id,
    checked.last_active_at,
    CASE WHEN checked.has_pending_work THEN clock.now ELSE checked.active_at END AS active_at
  FROM checked
  CROSS JOIN clock
)
UPDATE perdure_batch b
SET last_active_at = COALESCE(activity.active_at, b.last_active_at),
    deleted_up_to = CASE
      WHEN COALESCE(activity.active_at, b.last_active_at) < clock.cutoff
        THEN CAST('00000000-0000-0000-0000-000000000000' AS uuid)
    END
FROM activity
CROSS JOIN clock
WHERE b.shard = :shard
  AND b.id = ANY (ARRAY(SELECT activity.id FROM activity))
  AND b.id = activity.id
  AND b.last_active_at = activity.last_active_at
  AND b.deleted_up_to IS NULL;

-- name: touch
-- in delivery.redeliver

-- name: list_deleting
-- in delete

-- name: delete
-- Deletes marked batches with up to :limit tasks in total, or the next :limit tasks of a larger
-- batch. The batch rows are locked, so another node takes other batches. A task that has not ended,
-- or whose dependents have not been updated, is kept, and its batch with it. The rows are deleted by arrays of keys for the same reason as in
-- claim.take.
WITH clock AS MATERIALIZED (
  SELECT COALESCE(CAST(:now AS timestamptz), clock_timestamp()) AS now
),
deleting AS MATERIALIZED (
  SELECT b.id, b.size, b.deleted_up_to
  FROM perdure_batch b
  WHERE b.shard = :shard
    AND b.deleted_up_to IS NOT NULL
  ORDER BY b.id
  LIMIT :limit
  FOR UPDATE SKIP LOCKED
),
chosen AS MATERIALIZED (
  SELECT ranked.id, next_tasks.tasks
  FROM (
    SELECT
      deleting.id,
      deleting.deleted_up_to,
      sum(deleting.size) OVER (ORDER BY deleting.id) AS total,
      row_number() OVER (ORDER BY deleting.id) AS position
    FROM deleting
  ) ranked
  CROSS JOIN LATERAL (
    SELECT ARRAY(
      SELECT t.id
      FROM perdure_task t
      WHERE t.shard = :shard
        AND t.batch = ranked.id
        AND t.id > ranked.deleted_up_to
      ORDER BY t.id
      LIMIT :limit
    ) AS tasks
  ) next_tasks
  WHERE ranked.total <= :limit
     OR ranked.position = 1
),
deleted_states AS (
  DELETE FROM perdure_task_state s
  WHERE s.shard = :shard
    AND s.id = ANY (ARRAY(SELECT unnest(chosen.tasks) FROM chosen))
    AND s.ended_at IS NOT NULL
    AND NOT EXISTS (
      SELECT
      FROM perdure_propagation_event e
      WHERE e.shard = s.shard AND e.task = s.id)
  RETURNING s.id, s.batch
),
deleted_attempts AS (
  DELETE FROM perdure_attempt a
  WHERE a.shard = :shard
    AND a.task = ANY (ARRAY(SELECT deleted_states.id FROM deleted_states))
),
deleted_dependencies_on AS (
  DELETE FROM perdure_dependency d
  WHERE d.shard = :shard
    AND d.parent = ANY (ARRAY(SELECT deleted_states.id FROM deleted_states))
),
deleted_dependencies_of AS (
  DELETE FROM perdure_dependency d
  WHERE d.shard = :shard
    AND d.child = ANY (ARRAY(SELECT deleted_states.id FROM deleted_states))
),
deleted_deliveries AS (
  DELETE FROM perdure_delivery d
  USING deleted_states
  WHERE d.shard = :shard
    AND d.batch = deleted_states.batch
    AND d.task = deleted_states.id
),
deleted_definitions AS (
  DELETE FROM perdure_task t
  USING deleted_states
  WHERE t.shard = :shard
    AND t.batch = deleted_states.batch
    AND t.id = deleted_states.id
),
deleted_counts AS MATERIALIZED (
  SELECT deleted_states.batch, count(*) AS tasks
  FROM deleted_states
  GROUP BY deleted_states.batch
),
remaining AS MATERIALIZED (
  SELECT
    chosen.id,
    CASE
      WHEN cardinality(chosen.tasks) = :limit THEN chosen.tasks[cardinality(chosen.tasks)]
    END AS deleted_up_to,
    cardinality(chosen.tasks) < :limit
      AND COALESCE(deleted_counts.tasks, 0) = (
        SELECT count(*)
        FROM perdure_task t
        WHERE t.shard = :shard AND t.batch = chosen.id) AS is_empty
  FROM chosen
  LEFT JOIN deleted_counts
    ON deleted_counts.batch = chosen.id
),
deleted_runs AS (
  DELETE FROM perdure_run r
  WHERE r.shard = :shard
    AND r.batch = ANY (ARRAY(SELECT remaining.id FROM remaining WHERE remaining.is_empty))
),
deleted_batches AS (
  DELETE FROM perdure_batch b
  WHERE b.shard = :shard
    AND b.id = ANY (ARRAY(SELECT remaining.id FROM remaining WHERE remaining.is_empty))
),
saved_progress AS (
  UPDATE perdure_batch b
  SET deleted_up_to = remaining.deleted_up_to,
      last_active_at = CASE
        WHEN remaining.deleted_up_to IS NULL THEN clock.now
        ELSE b.last_active_at
      END
  FROM remaining
  CROSS JOIN clock
  WHERE b.shard = :shard
    AND b.id = ANY (ARRAY(SELECT remaining.id FROM remaining WHERE NOT remaining.is_empty))
    AND b.id = remaining.id
)
SELECT count(*) AS tasks
FROM deleted_states;

-- name: save_delete_progress
-- in delete

-- part: batch
  b.id, b.created_at, b.name, b.context, b.policy, b.policy_as_given, b.actions, b.follow_ups,
  b.run, b.stopped_at, b.size

-- part: filter
  AND (CAST(:created_after AS timestamptz) IS NULL OR b.created_at > :created_after)
  AND (CAST(:created_before AS timestamptz) IS NULL OR b.created_at < :created_before)
  AND (CAST(:live AS boolean) IS NULL OR :live = (
    EXISTS (
      SELECT
      FROM perdure_run r
      WHERE r.shard = b.shard
        AND r.batch = b.id
        AND (r.outcome IS NULL OR r.next_at IS NOT NULL)
      OFFSET 0)
    OR EXISTS (
      SELECT
      FROM perdure_task t
      CROSS JOIN LATERAL (
        SELECT s.ended_at
        FROM perdure_task_state s
        WHERE s.shard = t.shard AND s.id = t.id AND s.run = b.run
        OFFSET 0
      ) s
      WHERE t.shard = b.shard
        AND t.batch = b.id
        AND t.id >= COALESCE(b.first_task, CAST('00000000-0000-0000-0000-000000000000' AS uuid))
        AND s.ended_at IS NULL)))
  AND (CAST(:task_filter AS boolean) IS NULL OR EXISTS (
    SELECT
    FROM perdure_task t
    CROSS JOIN LATERAL (
      SELECT
        s.kind,
        CASE
          WHEN s.state NOT IN ('waiting', 'pending', 'retry_pending') OR s.hold & 9 = 0 THEN s.state
          WHEN s.hold & 1 <> 0 THEN 'paused'
          ELSE 'parked'
        END AS status
      FROM perdure_task_state s
      WHERE s.shard = t.shard AND s.id = t.id AND s.run = b.run
      OFFSET 0
    ) s
    WHERE t.shard = b.shard
      AND t.batch = b.id
      AND t.id >= COALESCE(b.first_task, CAST('00000000-0000-0000-0000-000000000000' AS uuid))
      AND (CAST(:status AS text) IS NULL OR s.status = :status)
      AND (CAST(:kind_part AS text) IS NULL OR strpos(lower(s.kind), lower(:kind_part)) > 0)
      AND (CAST(:name_part AS text) IS NULL
        OR strpos(lower(b.name), lower(:name_part)) > 0
        OR strpos(lower(t.name), lower(:name_part)) > 0)))

-- name: find
SELECT
  -- insert: batch
FROM perdure_batch b
WHERE b.shard = :shard
  AND b.id = :id;

-- name: scan
-- The next batches that a list or a count looks at, with the number of their tasks.
SELECT b.id, b.created_at, b.size
FROM perdure_batch b
WHERE b.shard = :shard
  AND b.id < :after_id
ORDER BY b.id DESC
LIMIT :limit;

-- name: list
SELECT
  -- insert: batch
FROM perdure_batch b
WHERE b.shard = :shard
  AND b.id < :after_id
  AND b.id >= :last_id
  -- insert: filter
ORDER BY b.id DESC
LIMIT :limit;

-- name: count
SELECT count(*) AS batches
FROM (
  SELECT
  FROM perdure_batch b
  WHERE b.shard = :shard
    AND b.id >= :last_id
    -- insert: filter
  LIMIT :limit
) found;

-- name: statistics
-- Of the first :most tasks of each batch. The states are looked up one by one because a join could become a scan of the whole table. Sums
-- that are too large for a number become the largest one.
SELECT
  g.batch,
  CASE
    WHEN s.state NOT IN ('waiting', 'pending', 'retry_pending') OR s.hold & 9 = 0 THEN s.state
    WHEN s.hold & 1 <> 0 THEN 'paused'
    ELSE 'parked'
  END AS status,
  s.kind,
  max(s.run) AS run,
  count(*) AS tasks,
  CAST(LEAST(sum(s.success), 9223372036854775807) AS bigint) AS success,
  CAST(LEAST(sum(s.failures), 9223372036854775807) AS bigint) AS failures,
  CAST(LEAST(COALESCE(sum(s.expected_count), 0), 9223372036854775807) AS bigint) AS expected,
  count(s.expected_count) AS with_expected,
  max(s.updated_at) AS updated_at,
  max(s.ended_at) AS ended_at
FROM unnest(CAST(:batches AS uuid[])) AS g (batch)
CROSS JOIN LATERAL (
  SELECT b.run, COALESCE(b.first_task, CAST('00000000-0000-0000-0000-000000000000' AS uuid)) AS first_task
  FROM perdure_batch b
  WHERE b.shard = :shard
    AND b.id = g.batch
  OFFSET 0
) b
CROSS JOIN LATERAL (
  SELECT t.id
  FROM perdure_task t
  WHERE t.shard = :shard
    AND t.batch = g.batch
    AND t.id >= b.first_task
  ORDER BY t.id
  LIMIT :most
) t
CROSS JOIN LATERAL (
  SELECT
    s.run, s.state, s.hold, s.kind, s.success, s.failures, s.expected_count, s.updated_at,
    s.ended_at
  FROM perdure_task_state s
  WHERE s.shard = :shard
    AND s.id = t.id
    AND s.run = b.run
  OFFSET 0
) s
GROUP BY 1, 2, 3;

-- name: stop
UPDATE perdure_batch b
SET stopped_at = COALESCE(
  b.stopped_at, COALESCE(CAST(:now AS timestamptz), clock_timestamp()))
WHERE b.shard = :shard
  AND b.id = :id;

-- name: lock
-- Not a batch that retention is deleting. The row of a batch is locked after those of its tasks and
-- before those of its runs.
SELECT b.run, b.stopped_at IS NOT NULL AS stopped
FROM perdure_batch b
WHERE b.shard = :shard
  AND b.id = :id
  AND b.deleted_up_to IS NULL
FOR UPDATE;

-- name: start_run
-- size is what retention goes by, so it includes the tasks of all runs.
UPDATE perdure_batch b
SET run = :run,
    first_task = :first_task,
    size = b.size + :tasks,
    last_active_at = COALESCE(CAST(:now AS timestamptz), clock_timestamp())
WHERE b.shard = :shard
  AND b.id = :id
  AND b.run = :run - 1
  AND b.stopped_at IS NULL
  AND b.deleted_up_to IS NULL;

-- name: unstop
UPDATE perdure_batch b
SET stopped_at = NULL,
    last_active_at = COALESCE(CAST(:now AS timestamptz), clock_timestamp())
WHERE b.shard = :shard
  AND b.id = :id
  AND b.deleted_up_to IS NULL;
