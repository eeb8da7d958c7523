-- part: row
  v.id, v.batch, v.run, v.kind, v.priority, v.state, v.hold, v.due_at, v.epoch, v.owner, v.attempt,
  v.losses, v.retry_base, v.retry_since, v.unmet, v.unmet_failed, v.prev_delay_ms, v.timeout_ms,
  v.deadline_at, v.started_at, v.ended_at, v.updated_at, v.failure_kind, v.give_up_reason,
  v.success, v.failures, v.expected_count, v.created_at, v.name, v.metadata, v.policy, v.policy_as_given, v.local_id,
  v.trace, v.message, v.code

-- part: filter
  AND (:states IS NULL OR v.state IN (SELECT j.value FROM json_each(:states) j))
  AND (:statuses IS NULL OR v.status IN (SELECT j.value FROM json_each(:statuses) j))
  AND (:kind IS NULL OR v.kind = :kind)
  AND (:kind_part IS NULL OR instr(lower(v.kind), lower(:kind_part)) > 0)
  AND (:name IS NULL OR v.name = :name)
  AND (:name_part IS NULL OR instr(lower(v.name), lower(:name_part)) > 0)
  AND (:run IS NULL OR v.run = :run)
  AND (:timeout_ms IS NULL OR v.timeout_ms = :timeout_ms)
  AND (:metadata_index IS NULL OR v.metadata_index LIKE :metadata_index)
  AND (:failure_kind IS NULL OR v.failure_kind = :failure_kind)
  AND (:give_up_reason IS NULL OR v.give_up_reason = :give_up_reason)
  AND (:strategy IS NULL OR v.strategy = :strategy)
  AND (:created_after IS NULL OR v.created_at > :created_after)
  AND (:created_before IS NULL OR v.created_at < :created_before)
  AND (:due_within_ms IS NULL OR v.due_at <= :now + :due_within_ms)

-- part: search_text
  AND (:search_text IS NULL OR instr(lower(v.search_text), lower(:search_text)) > 0)

-- part: search_text_lookup
-- The message is in the attempt record. It is read only when a text filter is set, so that other
-- counts do not read attempts.
  AND (:search_text IS NULL
    OR EXISTS (
      SELECT 1
      FROM perdure_task_view w
      WHERE w.shard = v.shard
        AND w.id = v.id
        AND instr(lower(w.search_text), lower(:search_text)) > 0))

-- name: list
-- For the first page :after_id is greater than every id, so that the bound is always an index
-- condition. Lists never read payloads, actions or results, which can be megabytes each.
SELECT
  -- insert: row
FROM perdure_task_view v
WHERE v.shard = :shard
  AND v.id < :after_id
  -- insert: filter
  -- insert: search_text
ORDER BY v.id DESC
LIMIT :limit + 0;

-- name: list_batch
-- Separate from list so that it reads the primary key of the batch's tasks.
SELECT
  -- insert: row
FROM perdure_task b
CROSS JOIN perdure_task_view v
  ON v.shard = b.shard AND v.id = b.id
WHERE b.shard = :shard
  AND b.batch = :batch
  AND b.id < :after_id
  -- insert: filter
  -- insert: search_text
ORDER BY b.id DESC
LIMIT :limit + 0;

-- name: list_held
-- Separate from list so that it reads only live tasks that cannot be claimed, such as paused ones.
SELECT
  -- insert: row
FROM perdure_task_state b INDEXED BY perdure_task_state_not_claimable
CROSS JOIN perdure_task_view v
  ON v.shard = b.shard AND v.id = b.id
WHERE b.shard = :shard
  AND b.id < :after_id
  AND (b.state = 'waiting' OR (b.state IN ('pending', 'retry_pending') AND b.hold NOT IN (0, 2)))
  -- insert: filter
  -- insert: search_text
ORDER BY b.id DESC
LIMIT :limit + 0;

-- name: list_oldest
SELECT
  -- insert: row
FROM perdure_task_view v
WHERE v.shard = :shard
  AND v.id > :after_id
  -- insert: filter
  -- insert: search_text
ORDER BY v.id
LIMIT :limit + 0;

-- name: list_oldest_batch
SELECT
  -- insert: row
FROM perdure_task b
CROSS JOIN perdure_task_view v
  ON v.shard = b.shard AND v.id = b.id
WHERE b.shard = :shard
  AND b.batch = :batch
  AND b.id > :after_id
  -- insert: filter
  -- insert: search_text
ORDER BY b.id
LIMIT :limit + 0;

-- name: list_oldest_held
SELECT
  -- insert: row
FROM perdure_task_state b INDEXED BY perdure_task_state_not_claimable
CROSS JOIN perdure_task_view v
  ON v.shard = b.shard AND v.id = b.id
WHERE b.shard = :shard
  AND b.id > :after_id
  AND (b.state = 'waiting' OR (b.state IN ('pending', 'retry_pending') AND b.hold NOT IN (0, 2)))
  -- insert: filter
  -- insert: search_text
ORDER BY b.id
LIMIT :limit + 0;

-- name: list_retries
SELECT
  -- insert: row
FROM perdure_task_state b INDEXED BY perdure_task_state_retry
CROSS JOIN perdure_task_view v
  ON v.shard = b.shard AND v.id = b.id
WHERE b.shard = :shard
  AND b.state = 'retry_pending'
  AND b.due_at <= COALESCE(:now + :due_within_ms, 9223372036854775807)
  AND b.due_at >= :after_at
  AND (b.due_at > :after_at OR b.id > :after_id)
  -- insert: filter
  -- insert: search_text
ORDER BY b.due_at, b.id
LIMIT :limit + 0;

-- name: list_ended
SELECT
  -- insert: row
FROM perdure_task_state b INDEXED BY perdure_task_state_ended_at
CROSS JOIN perdure_task_view v
  ON v.shard = b.shard AND v.id = b.id
WHERE b.shard = :shard
  AND b.ended_at <= :after_at
  AND (b.ended_at < :after_at OR b.id < :after_id)
  -- insert: filter
  -- insert: search_text
ORDER BY b.ended_at DESC, b.id DESC
LIMIT :limit + 0;

-- name: count
SELECT count(*) AS tasks
FROM (
  SELECT v.id
  FROM perdure_task_view v
  WHERE v.shard = :shard
    -- insert: filter
    -- insert: search_text_lookup
  LIMIT :limit + 0
) counted;

-- name: count_batch
SELECT count(*) AS tasks
FROM (
  SELECT v.id
  FROM perdure_task b
  CROSS JOIN perdure_task_view v
    ON v.shard = b.shard AND v.id = b.id
  WHERE b.shard = :shard
    AND b.batch = :batch
    -- insert: filter
    -- insert: search_text_lookup
  LIMIT :limit + 0
) counted;

-- name: count_held
SELECT count(*) AS tasks
FROM (
  SELECT v.id
  FROM perdure_task_state b INDEXED BY perdure_task_state_not_claimable
  CROSS JOIN perdure_task_view v
    ON v.shard = b.shard AND v.id = b.id
  WHERE b.shard = :shard
    AND (b.state = 'waiting' OR (b.state IN ('pending', 'retry_pending') AND b.hold NOT IN (0, 2)))
    -- insert: filter
    -- insert: search_text_lookup
  LIMIT :limit + 0
) counted;

-- name: count_retries
SELECT count(*) AS tasks
FROM (
  SELECT v.id
  FROM perdure_task_state b INDEXED BY perdure_task_state_retry
  CROSS JOIN perdure_task_view v
    ON v.shard = b.shard AND v.id = b.id
  WHERE b.shard = :shard
    AND b.state = 'retry_pending'
    AND b.due_at <= COALESCE(:now + :due_within_ms, 9223372036854775807)
    -- insert: filter
    -- insert: search_text_lookup
  LIMIT :limit + 0
) counted;
