-- part: row
  v.id, v.batch, v.run, v.kind, v.priority, v.state, v.hold, v.due_at, v.epoch, v.owner, v.attempt,
  v.losses, v.retry_base, v.retry_since, v.unmet, v.unmet_failed, v.prev_delay_ms, v.timeout_ms,
  v.deadline_at, v.started_at, v.ended_at, v.updated_at, v.failure_kind, v.give_up_reason,
  v.success, v.failures, v.expected_count, v.created_at, v.name, v.metadata, v.policy, v.policy_as_given, v.local_id,
  v.trace, v.message, v.code

-- part: filter
  AND (CAST(:states AS text[]) IS NULL OR v.state = ANY (:states))
  AND (CAST(:statuses AS text[]) IS NULL OR v.status = ANY (:statuses))
  AND (CAST(:kind AS text) IS NULL OR v.kind = :kind)
  AND (CAST(:kind_part AS text) IS NULL OR strpos(lower(v.kind), lower(:kind_part)) > 0)
  AND (CAST(:name AS text) IS NULL OR v.name = :name)
  AND (CAST(:name_part AS text) IS NULL OR strpos(lower(v.name), lower(:name_part)) > 0)
  AND (CAST(:run AS integer) IS NULL OR v.run = :run)
  AND (CAST(:timeout_ms AS bigint) IS NULL OR v.timeout_ms = :timeout_ms)
  AND (CAST(:metadata_index AS text) IS NULL OR v.metadata_index LIKE :metadata_index)
  AND (CAST(:failure_kind AS text) IS NULL OR v.failure_kind = :failure_kind)
  AND (CAST(:give_up_reason AS text) IS NULL OR v.give_up_reason = :give_up_reason)
  AND (CAST(:strategy AS text) IS NULL OR v.strategy = :strategy)
  AND (CAST(:created_after AS timestamptz) IS NULL OR v.created_at > :created_after)
  AND (CAST(:created_before AS timestamptz) IS NULL OR v.created_at < :created_before)
  AND (CAST(:due_within_ms AS bigint) IS NULL
    OR v.due_at <= COALESCE(CAST(:now AS timestamptz), statement_timestamp())
      + :due_within_ms * INTERVAL '1 millisecond')

-- part: search_text
  AND (CAST(:search_text AS text) IS NULL OR strpos(lower(v.search_text), lower(:search_text)) > 0)

-- part: search_text_lookup
-- The message is in the attempt record. It is read only when a text filter is set, so that other
-- counts do not read attempts.
  AND (CAST(:search_text AS text) IS NULL
    OR EXISTS (
      SELECT
      FROM perdure_task_view w
      WHERE w.shard = v.shard
        AND w.id = v.id
        AND strpos(lower(w.search_text), lower(:search_text)) > 0))

-- name: list
-- For the first page :after_id is greater than every id, so that the bound is always an index
-- condition. Tasks are looked up one by one because a join could become a scan of the whole table.
-- Lists never read payloads, actions or results, which can be megabytes each.
SELECT
  -- insert: row
FROM (
  SELECT s.shard, s.id
  FROM perdure_task_state s
  WHERE s.shard = :shard
    AND s.id < :after_id
) b
CROSS JOIN LATERAL (
  SELECT
    -- insert: row
  FROM perdure_task_view v
  WHERE v.shard = b.shard
    AND v.id = b.id
    -- insert: filter
    -- insert: search_text
  LIMIT 1
) v
ORDER BY b.id DESC
LIMIT :limit;

-- name: list_batch
-- Separate from list so that it reads the primary key of the batch's tasks.
SELECT
  -- insert: row
FROM (
  SELECT t.shard, t.id
  FROM perdure_task t
  WHERE t.shard = :shard
    AND t.batch = :batch
    AND t.id < :after_id
) b
CROSS JOIN LATERAL (
  SELECT
    -- insert: row
  FROM perdure_task_view v
  WHERE v.shard = b.shard
    AND v.id = b.id
    -- insert: filter
    -- insert: search_text
  LIMIT 1
) v
ORDER BY b.id DESC
LIMIT :limit;

-- name: list_held
-- Separate from list so that it reads only live tasks that cannot be claimed, such as paused ones.
SELECT
  -- insert: row
FROM (
  SELECT s.shard, s.id
  FROM perdure_task_state s
  WHERE s.shard = :shard
    AND s.id < :after_id
    AND (s.state = 'waiting' OR (s.state IN ('pending', 'retry_pending') AND s.hold NOT IN (0, 2)))
) b
CROSS JOIN LATERAL (
  SELECT
    -- insert: row
  FROM perdure_task_view v
  WHERE v.shard = b.shard
    AND v.id = b.id
    -- insert: filter
    -- insert: search_text
  LIMIT 1
) v
ORDER BY b.id DESC
LIMIT :limit;

-- name: list_oldest
SELECT
  -- insert: row
FROM (
  SELECT s.shard, s.id
  FROM perdure_task_state s
  WHERE s.shard = :shard
    AND s.id > :after_id
) b
CROSS JOIN LATERAL (
  SELECT
    -- insert: row
  FROM perdure_task_view v
  WHERE v.shard = b.shard
    AND v.id = b.id
    -- insert: filter
    -- insert: search_text
  LIMIT 1
) v
ORDER BY b.id
LIMIT :limit;

-- name: list_oldest_batch
SELECT
  -- insert: row
FROM (
  SELECT t.shard, t.id
  FROM perdure_task t
  WHERE t.shard = :shard
    AND t.batch = :batch
    AND t.id > :after_id
) b
CROSS JOIN LATERAL (
  SELECT
    -- insert: row
  FROM perdure_task_view v
  WHERE v.shard = b.shard
    AND v.id = b.id
    -- insert: filter
    -- insert: search_text
  LIMIT 1
) v
ORDER BY b.id
LIMIT :limit;

-- name: list_oldest_held
SELECT
  -- insert: row
FROM (
  SELECT s.shard, s.id
  FROM perdure_task_state s
  WHERE s.shard = :shard
    AND s.id > :after_id
    AND (s.state = 'waiting' OR (s.state IN ('pending', 'retry_pending') AND s.hold NOT IN (0, 2)))
) b
CROSS JOIN LATERAL (
  SELECT
    -- insert: row
  FROM perdure_task_view v
  WHERE v.shard = b.shard
    AND v.id = b.id
    -- insert: filter
    -- insert: search_text
  LIMIT 1
) v
ORDER BY b.id
LIMIT :limit;

-- name: list_retries
SELECT
  -- insert: row
FROM (
  SELECT s.shard, s.id, s.due_at
  FROM perdure_task_state s
  WHERE s.shard = :shard
    AND s.state = 'retry_pending'
    AND s.due_at <= COALESCE(
      COALESCE(CAST(:now AS timestamptz), statement_timestamp())
        + CAST(:due_within_ms AS bigint) * INTERVAL '1 millisecond',
      'infinity')
    AND s.due_at >= :after_at
    AND (s.due_at > :after_at OR s.id > :after_id)
) b
CROSS JOIN LATERAL (
  SELECT
    -- insert: row
  FROM perdure_task_view v
  WHERE v.shard = b.shard
    AND v.id = b.id
    -- insert: filter
    -- insert: search_text
  LIMIT 1
) v
ORDER BY b.due_at, b.id
LIMIT :limit;

-- name: list_ended
SELECT
  -- insert: row
FROM (
  SELECT s.shard, s.id, s.ended_at
  FROM perdure_task_state s
  WHERE s.shard = :shard
    AND s.ended_at <= :after_at
    AND (s.ended_at < :after_at OR s.id < :after_id)
) b
CROSS JOIN LATERAL (
  SELECT
    -- insert: row
  FROM perdure_task_view v
  WHERE v.shard = b.shard
    AND v.id = b.id
    -- insert: filter
    -- insert: search_text
  LIMIT 1
) v
ORDER BY b.ended_at DESC, b.id DESC
LIMIT :limit;

-- name: count
SELECT count(*) AS tasks
FROM (
  SELECT v.id
  FROM perdure_task_view v
  WHERE v.shard = :shard
    -- insert: filter
    -- insert: search_text_lookup
  LIMIT :limit
) counted;

-- name: count_batch
SELECT count(*) AS tasks
FROM (
  SELECT v.id
  FROM (
    SELECT t.shard, t.id
    FROM perdure_task t
    WHERE t.shard = :shard
      AND t.batch = :batch
  ) b
  CROSS JOIN LATERAL (
    SELECT v.id
    FROM perdure_task_view v
    WHERE v.shard = b.shard
      AND v.id = b.id
      -- insert: filter
      -- insert: search_text_lookup
    LIMIT 1
  ) v
  ORDER BY b.id DESC
  LIMIT :limit
) counted;

-- name: count_held
SELECT count(*) AS tasks
FROM (
  SELECT v.id
  FROM (
    SELECT s.shard, s.id
    FROM perdure_task_state s
    WHERE s.shard = :shard
      AND (s.state = 'waiting' OR (s.state IN ('pending', 'retry_pending') AND s.hold NOT IN (0, 2)))
  ) b
  CROSS JOIN LATERAL (
    SELECT v.id
    FROM perdure_task_view v
    WHERE v.shard = b.shard
      AND v.id = b.id
      -- insert: filter
      -- insert: search_text_lookup
    LIMIT 1
  ) v
  ORDER BY b.id DESC
  LIMIT :limit
) counted;

-- name: count_retries
SELECT count(*) AS tasks
FROM (
  SELECT v.id
  FROM (
    SELECT s.shard, s.id, s.due_at
    FROM perdure_task_state s
    WHERE s.shard = :shard
      AND s.state = 'retry_pending'
      AND s.due_at <= COALESCE(
        COALESCE(CAST(:now AS timestamptz), statement_timestamp())
          + CAST(:due_within_ms AS bigint) * INTERVAL '1 millisecond',
        'infinity')
  ) b
  CROSS JOIN LATERAL (
    SELECT v.id
    FROM perdure_task_view v
    WHERE v.shard = b.shard
      AND v.id = b.id
      -- insert: filter
      -- insert: search_text_lookup
    LIMIT 1
  ) v
  ORDER BY b.due_at, b.id
  LIMIT :limit
) counted;
