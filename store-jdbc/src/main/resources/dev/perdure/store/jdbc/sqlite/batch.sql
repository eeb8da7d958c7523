-- name: insert
INSERT INTO perdure_batch (
  shard, id, created_at, size, last_active_at, name, context, policy, policy_as_given, actions,
  follow_ups
)
VALUES (
  :shard, :id, :now, :size, :now, :name, :context, :policy, :policy_as_given, :actions,
  :follow_ups
)
ON CONFLICT DO NOTHING;

-- name: find_expired
-- Batches whose last known activity is older than the retention period: as many as have :limit
-- tasks in total, but at least one. active_at is when the batch was last active: now if one of its
-- tasks has not ended, one of its deliveries is pending, or dependents of one of its tasks have not
-- been updated.
SELECT ranked.id, ranked.last_active_at, CASE WHEN EXISTS (
    SELECT 1
    FROM perdure_delivery d INDEXED BY perdure_delivery_of_batch
    WHERE d.shard = :shard
      AND d.batch = ranked.id
      AND d.state = 'pending')
    OR EXISTS (
    SELECT 1
    FROM perdure_run r
    WHERE r.shard = :shard
      AND r.batch = ranked.id
      AND (r.outcome IS NULL OR r.next_at IS NOT NULL))
  THEN :now ELSE COALESCE((
  SELECT max(CASE
    WHEN s.ended_at IS NULL THEN :now
    WHEN EXISTS (
      SELECT 1
      FROM perdure_propagation_event e
      WHERE e.shard = s.shard AND e.task = s.id) THEN :now
    ELSE s.ended_at
  END)
  FROM perdure_task t
  CROSS JOIN perdure_task_state s
    ON s.shard = t.shard AND s.id = t.id
  WHERE t.shard = :shard
    AND t.batch = ranked.id), ranked.last_active_at) END AS active_at
FROM (
  SELECT
    oldest.id,
    oldest.last_active_at,
    sum(oldest.size) OVER (ORDER BY oldest.last_active_at, oldest.id) AS total,
    row_number() OVER (ORDER BY oldest.last_active_at, oldest.id) AS position
  FROM (
    SELECT b.id, b.last_active_at, b.size
    FROM perdure_batch b INDEXED BY perdure_batch_last_active
    WHERE b.shard = :shard
      AND b.deleted_up_to IS NULL
      AND b.last_active_at < :now - :age_ms
    ORDER BY b.last_active_at
    LIMIT :limit + 0
  ) oldest
) ranked
WHERE ranked.total <= :limit
   OR ranked.position = 1;

-- name: mark_expired
-- Marks one batch for deletion or moves its last_active_at, unless the batch has become active
-- since it was read.
UPDATE perdure_batch
SET last_active_at = :last_active_at,
    deleted_up_to = CASE WHEN :last_active_at < :now - :age_ms THEN zeroblob(16) END
WHERE shard = :shard
  AND id = :batch
  AND last_active_at = :recorded_active_at
  AND deleted_up_to IS NULL;

-- name: touch
-- A batch with a delivery that is sent again is active now.
UPDATE perdure_batch
SET last_active_at = max(last_active_at, :now)
WHERE shard = :shard
  AND id = (SELECT d.batch FROM perdure_delivery d WHERE d.shard = :shard AND d.id = :delivery)
  AND deleted_up_to IS NULL;

-- name: list_deleting
SELECT b.id, b.size, b.deleted_up_to
FROM perdure_batch b INDEXED BY perdure_batch_deleting
WHERE b.shard = :shard
  AND b.deleted_up_to IS NOT NULL
ORDER BY b.id
LIMIT :limit + 0;

-- name: delete
-- A batch that still has tasks is kept.
DELETE FROM perdure_batch
WHERE shard = :shard
  AND id = :batch
  AND NOT EXISTS (SELECT 1 FROM perdure_task t WHERE t.shard = :shard AND t.batch = :batch);

-- name: save_delete_progress
UPDATE perdure_batch
SET deleted_up_to = :deleted_up_to,
    last_active_at = CASE WHEN :deleted_up_to IS NULL THEN :now ELSE last_active_at END
WHERE shard = :shard
  AND id = :batch;

-- part: batch
  b.id, b.created_at, b.name, b.context, b.policy, b.policy_as_given, b.actions, b.follow_ups,
  b.run, b.stopped_at, b.size

-- part: filter
  AND (:created_after IS NULL OR b.created_at > :created_after)
  AND (:created_before IS NULL OR b.created_at < :created_before)
  AND (:live IS NULL OR :live = (
    EXISTS (
      SELECT 1
      FROM perdure_run r
      WHERE r.shard = b.shard
        AND r.batch = b.id
        AND (r.outcome IS NULL OR r.next_at IS NOT NULL))
    OR EXISTS (
      SELECT 1
      FROM perdure_task t
      CROSS JOIN perdure_task_state s
        ON s.shard = t.shard AND s.id = t.id AND s.run = b.run
      WHERE t.shard = b.shard
        AND t.batch = b.id
        AND t.id >= COALESCE(b.first_task, zeroblob(16))
        AND s.ended_at IS NULL)))
  AND (:task_filter IS NULL OR EXISTS (
    SELECT 1
    FROM perdure_task t
    CROSS JOIN perdure_task_state s
      ON s.shard = t.shard AND s.id = t.id AND s.run = b.run
    WHERE t.shard = b.shard
      AND t.batch = b.id
      AND t.id >= COALESCE(b.first_task, zeroblob(16))
      AND (:status IS NULL OR :status = CASE
        WHEN s.state NOT IN ('waiting', 'pending', 'retry_pending') OR s.hold & 9 = 0 THEN s.state
        WHEN s.hold & 1 <> 0 THEN 'paused'
        ELSE 'parked'
      END)
      AND (:kind_part IS NULL OR instr(lower(s.kind), lower(:kind_part)) > 0)
      AND (:name_part IS NULL
        OR instr(lower(b.name), lower(:name_part)) > 0
        OR instr(lower(t.name), lower(:name_part)) > 0)))

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
LIMIT :limit + 0;

-- name: list
SELECT
  -- insert: batch
FROM perdure_batch b
WHERE b.shard = :shard
  AND b.id < :after_id
  AND b.id >= :last_id
  -- insert: filter
ORDER BY b.id DESC
LIMIT :limit + 0;

-- name: count
SELECT count(*) AS batches
FROM (
  SELECT 1
  FROM perdure_batch b
  WHERE b.shard = :shard
    AND b.id >= :last_id
    -- insert: filter
  LIMIT :limit + 0
) found;

-- name: statistics
-- Of the first :most tasks of each batch. total() never overflows: sums that are too large for a number become the largest one.
SELECT
  t.batch,
  CASE
    WHEN s.state NOT IN ('waiting', 'pending', 'retry_pending') OR s.hold & 9 = 0 THEN s.state
    WHEN s.hold & 1 <> 0 THEN 'paused'
    ELSE 'parked'
  END AS status,
  s.kind,
  max(s.run) AS run,
  count(*) AS tasks,
  CAST(total(s.success) AS INTEGER) AS success,
  CAST(total(s.failures) AS INTEGER) AS failures,
  CAST(total(s.expected_count) AS INTEGER) AS expected,
  count(s.expected_count) AS with_expected,
  max(s.updated_at) AS updated_at,
  max(s.ended_at) AS ended_at
FROM json_each(:batches) j
CROSS JOIN perdure_batch b
  ON b.shard = :shard AND b.id = unhex(j.value)
CROSS JOIN perdure_task t
  ON t.shard = b.shard AND t.batch = b.id
    AND t.id >= COALESCE(b.first_task, zeroblob(16))
    AND t.id < COALESCE((
      SELECT e.id
      FROM perdure_task e
      WHERE e.shard = b.shard
        AND e.batch = b.id
        AND e.id >= COALESCE(b.first_task, zeroblob(16))
      ORDER BY e.id
      LIMIT 1 OFFSET :most + 0), unhex(printf('%.34c', 'f')))
CROSS JOIN perdure_task_state s
  ON s.shard = t.shard AND s.id = t.id AND s.run = b.run
GROUP BY 1, 2, 3;

-- name: stop
UPDATE perdure_batch
SET stopped_at = COALESCE(stopped_at, :now)
WHERE shard = :shard
  AND id = :id;

-- name: lock
-- The writer is alone, so there is nothing to lock. Not a batch that retention is deleting.
SELECT b.run
FROM perdure_batch b
WHERE b.shard = :shard
  AND b.id = :id
  AND b.deleted_up_to IS NULL;

-- name: start_run
-- size is what retention goes by, so it includes the tasks of all runs.
UPDATE perdure_batch
SET run = :run,
    first_task = :first_task,
    size = size + :tasks,
    last_active_at = :now
WHERE shard = :shard
  AND id = :id
  AND run = :run - 1
  AND stopped_at IS NULL
  AND deleted_up_to IS NULL;

-- name: unstop
UPDATE perdure_batch
SET stopped_at = NULL,
    last_active_at = :now
WHERE shard = :shard
  AND id = :id
  AND deleted_up_to IS NULL;
