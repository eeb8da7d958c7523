-- part: row
  v.id, v.batch, v.run, v.kind, v.priority, v.state, v.hold, v.due_at, v.epoch, v.owner, v.attempt,
  v.losses, v.retry_base, v.retry_since, v.unmet, v.unmet_failed, v.prev_delay_ms, v.timeout_ms,
  v.deadline_at, v.started_at, v.ended_at, v.updated_at, v.failure_kind, v.give_up_reason,
  v.success, v.failures, v.expected_count, v.created_at, v.name, v.metadata, v.policy, v.policy_as_given, v.local_id,
  v.trace, v.message, v.code, v.error

-- part: filter
  AND (:states IS NULL OR v.state IN (SELECT j.value FROM json_each(:states) j))
  AND (:statuses IS NULL OR v.status IN (SELECT j.value FROM json_each(:statuses) j))
  AND (:kinds IS NULL OR v.kind IN (SELECT j.value FROM json_each(:kinds) j))
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
  AND (:error IS NULL OR v.error = :error)
  AND (:failure_code IS NULL OR (v.failure_kind IS NOT NULL AND v.code = :failure_code))
  AND (:attempt_min IS NULL OR v.attempt >= :attempt_min)
  AND (:ended_after IS NULL OR v.ended_at > :ended_after)
  AND (:ended_before IS NULL OR v.ended_at < :ended_before)
  AND (:due_after IS NULL OR (v.ended_at IS NULL AND v.due_at > :due_after))
  AND (:due_before IS NULL OR (v.ended_at IS NULL AND v.due_at < :due_before))
  AND (:schedule IS NULL OR v.schedule = :schedule)
  AND (:worker IS NULL OR v.owner = :worker)
  AND (:parked IS NULL OR (v.ended_at IS NULL AND v.hold & 8 <> 0) = :parked)
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

-- part: match
  CROSS JOIN perdure_task_view v
    ON v.shard = b.shard AND v.id = b.id
  WHERE TRUE
    -- insert: filter
    -- insert: search_text

-- part: match_for_count
  CROSS JOIN perdure_task_view v
    ON v.shard = b.shard AND v.id = b.id
  WHERE TRUE
    -- insert: filter
    -- insert: search_text_lookup

-- part: task
  CROSS JOIN perdure_task_view v
    ON v.shard = b.shard AND v.id = b.id

-- part: newest
-- For the first page :after_id is greater than every id, so that it is always an index condition.
    SELECT s.shard, s.id
    FROM perdure_task_state s
    WHERE s.shard = :shard
      AND s.id < :after_id
    ORDER BY s.id DESC

-- part: newest_of_batch
-- Reads the primary key of the batch's tasks.
    SELECT t.shard, t.id
    FROM perdure_task t
    WHERE t.shard = :shard
      AND t.batch = :batch
      AND t.id < :after_id
    ORDER BY t.id DESC

-- part: newest_held
-- Reads only live tasks that cannot be claimed, such as paused ones.
    SELECT s.shard, s.id
    FROM perdure_task_state s INDEXED BY perdure_task_state_not_claimable
    WHERE s.shard = :shard
      AND s.id < :after_id
      AND (s.state = 'waiting' OR (s.state IN ('pending', 'retry_pending') AND s.hold NOT IN (0, 2)))
    ORDER BY s.id DESC

-- part: oldest
    SELECT s.shard, s.id
    FROM perdure_task_state s
    WHERE s.shard = :shard
      AND s.id > :after_id
    ORDER BY s.id

-- part: oldest_of_batch
    SELECT t.shard, t.id
    FROM perdure_task t
    WHERE t.shard = :shard
      AND t.batch = :batch
      AND t.id > :after_id
    ORDER BY t.id

-- part: oldest_held
    SELECT s.shard, s.id
    FROM perdure_task_state s INDEXED BY perdure_task_state_not_claimable
    WHERE s.shard = :shard
      AND s.id > :after_id
      AND (s.state = 'waiting' OR (s.state IN ('pending', 'retry_pending') AND s.hold NOT IN (0, 2)))
    ORDER BY s.id

-- part: newest_failed
    SELECT s.shard, s.id
    FROM perdure_task_state s INDEXED BY perdure_task_state_failed
    WHERE s.shard = :shard
      AND s.state = 'failure'
      AND s.id < :after_id
    ORDER BY s.id DESC

-- part: oldest_failed
    SELECT s.shard, s.id
    FROM perdure_task_state s INDEXED BY perdure_task_state_failed
    WHERE s.shard = :shard
      AND s.state = 'failure'
      AND s.id > :after_id
    ORDER BY s.id

-- part: retries
-- The plus signs keep SQLite from using these conditions, and not the others, for the index.
    SELECT s.shard, s.id, s.due_at
    FROM perdure_task_state s INDEXED BY perdure_task_state_retry
    WHERE s.shard = :shard
      AND s.state = 'retry_pending'
      AND s.due_at <= min(
        COALESCE(:now + :due_within_ms, 9223372036854775807), COALESCE(:due_before, 9223372036854775807))
      AND s.due_at >= max(:after_at, COALESCE(:due_after, :after_at))
      AND +s.due_at < COALESCE(:due_before, 9223372036854775807)
      AND +s.due_at > COALESCE(:due_after, -9223372036854775807)
      AND (s.due_at > :after_at OR s.id > :after_id)
    ORDER BY s.due_at, s.id

-- part: ended
    SELECT s.shard, s.id, s.ended_at
    FROM perdure_task_state s INDEXED BY perdure_task_state_ended_at
    WHERE s.shard = :shard
      AND s.ended_at <= min(:after_at, COALESCE(:ended_before, :after_at))
      AND +s.ended_at < COALESCE(:ended_before, 9223372036854775807)
      AND s.ended_at > COALESCE(:ended_after, -9223372036854775807)
      AND (s.ended_at < :after_at OR s.id < :after_id)
    ORDER BY s.ended_at DESC, s.id DESC

-- part: live
-- Live tasks in no order, as in task_state.backlog.
    SELECT s.shard, s.id
    FROM perdure_task_state s INDEXED BY perdure_task_state_leased
    WHERE s.shard = :shard
      AND s.state IN ('claimed', 'running')
    UNION ALL
    SELECT s.shard, s.id
    FROM perdure_task_state s INDEXED BY perdure_task_state_not_claimable
    WHERE s.shard = :shard
      AND (s.state = 'waiting' OR (s.state IN ('pending', 'retry_pending') AND s.hold NOT IN (0, 2)))
    UNION ALL
    SELECT s.shard, s.id
    FROM perdure_task_state s INDEXED BY perdure_task_state_limited
    WHERE s.shard = :shard
      AND s.state IN ('pending', 'retry_pending')
      AND s.hold = 2
    UNION ALL
    SELECT s.shard, s.id
    FROM perdure_task_state s INDEXED BY perdure_task_state_claim_by_priority
    WHERE s.shard = :shard
      AND s.state IN ('pending', 'retry_pending')
      AND s.hold = 0
      AND s.priority <> 0
    UNION ALL
    SELECT s.shard, s.id
    FROM perdure_task_state s INDEXED BY perdure_task_state_claim
    WHERE s.shard = :shard
      AND s.state IN ('pending', 'retry_pending')
      AND s.hold = 0
      AND s.priority = 0

-- part: leased
    SELECT s.shard, s.id
    FROM perdure_task_state s INDEXED BY perdure_task_state_leased
    WHERE s.shard = :shard
      AND s.state IN ('claimed', 'running')
    ORDER BY s.owner

-- part: waiting_retries
    SELECT s.shard, s.id
    FROM perdure_task_state s INDEXED BY perdure_task_state_retry
    WHERE s.shard = :shard
      AND s.state = 'retry_pending'
    ORDER BY s.due_at

-- part: with_error
    SELECT s.shard, s.id
    FROM perdure_task_state s INDEXED BY perdure_task_state_error
    WHERE s.shard = :shard
      AND s.state = 'failure'
      AND s.error = :error
    ORDER BY s.kind, s.ended_at

-- part: with_error_or_retries
    SELECT f.shard, f.id
    FROM (
      -- insert: with_error
    ) f
    UNION ALL
    SELECT r.shard, r.id
    FROM (
      -- insert: waiting_retries
    ) r

-- part: newest_failed_or_retries
    SELECT f.shard, f.id
    FROM (
      -- insert: newest_failed
      LIMIT :look + 1
    ) f
    UNION ALL
    SELECT r.shard, r.id
    FROM (
      -- insert: waiting_retries
    ) r

-- part: oldest_failed_or_retries
    SELECT f.shard, f.id
    FROM (
      -- insert: oldest_failed
      LIMIT :look + 1
    ) f
    UNION ALL
    SELECT r.shard, r.id
    FROM (
      -- insert: waiting_retries
    ) r

-- part: newest_of_leased
    SELECT c.shard, c.id
    FROM (
      -- insert: leased
    ) c
    WHERE c.id < :after_id
    ORDER BY c.id DESC

-- part: oldest_of_leased
    SELECT c.shard, c.id
    FROM (
      -- insert: leased
    ) c
    WHERE c.id > :after_id
    ORDER BY c.id

-- part: newest_of_waiting_retries
    SELECT c.shard, c.id
    FROM (
      -- insert: waiting_retries
    ) c
    WHERE c.id < :after_id
    ORDER BY c.id DESC

-- part: oldest_of_waiting_retries
    SELECT c.shard, c.id
    FROM (
      -- insert: waiting_retries
    ) c
    WHERE c.id > :after_id
    ORDER BY c.id

-- part: newest_of_live
    SELECT c.shard, c.id
    FROM (
      -- insert: live
    ) c
    WHERE c.id < :after_id
    ORDER BY c.id DESC

-- part: oldest_of_live
    SELECT c.shard, c.id
    FROM (
      -- insert: live
    ) c
    WHERE c.id > :after_id
    ORDER BY c.id

-- part: newest_of_with_error
    SELECT c.shard, c.id
    FROM (
      -- insert: with_error
    ) c
    WHERE c.id < :after_id
    ORDER BY c.id DESC

-- part: oldest_of_with_error
    SELECT c.shard, c.id
    FROM (
      -- insert: with_error
    ) c
    WHERE c.id > :after_id
    ORDER BY c.id

-- part: newest_of_failed_or_retries
    SELECT c.shard, c.id
    FROM (
      -- insert: newest_failed_or_retries
    ) c
    WHERE c.id < :after_id
    ORDER BY c.id DESC

-- part: oldest_of_failed_or_retries
    SELECT c.shard, c.id
    FROM (
      -- insert: oldest_failed_or_retries
    ) c
    WHERE c.id > :after_id
    ORDER BY c.id

-- part: newest_of_with_error_or_retries
    SELECT c.shard, c.id
    FROM (
      -- insert: with_error_or_retries
    ) c
    WHERE c.id < :after_id
    ORDER BY c.id DESC

-- part: oldest_of_with_error_or_retries
    SELECT c.shard, c.id
    FROM (
      -- insert: with_error_or_retries
    ) c
    WHERE c.id > :after_id
    ORDER BY c.id

-- part: ended_with_error
    SELECT c.shard, c.id, c.ended_at
    FROM (
      SELECT s.shard, s.id, s.ended_at
      FROM perdure_task_state s INDEXED BY perdure_task_state_error
      WHERE s.shard = :shard
        AND s.state = 'failure'
        AND s.error = :error
      ORDER BY s.kind, s.ended_at
    ) c
    WHERE c.ended_at < :after_at OR (c.ended_at = :after_at AND c.id < :after_id)
    ORDER BY c.ended_at DESC, c.id DESC

-- part: ended_failed
    SELECT s.shard, s.id, s.ended_at
    FROM perdure_task_state s INDEXED BY perdure_task_state_failed_at
    WHERE s.shard = :shard
      AND s.state = 'failure'
      AND s.ended_at <= min(:after_at, COALESCE(:ended_before, :after_at))
      AND +s.ended_at < COALESCE(:ended_before, 9223372036854775807)
      AND s.ended_at > COALESCE(:ended_after, -9223372036854775807)
      AND (s.ended_at < :after_at OR s.id < :after_id)
    ORDER BY s.ended_at DESC, s.id DESC

-- part: fits(source)
-- True when the source has so few tasks that they can be sorted.
SELECT NOT EXISTS (
  SELECT 1
  FROM (
    -- insert: {source}
    LIMIT 1 OFFSET :look + 0
  ) beyond
) AS fits

-- part: page(source)
-- Looks at the next :look tasks and returns those that match. If they do not fill the page, the last
-- row is the last of these tasks, which tells where the next page begins; it is part of the same
-- statement because a task that is deleted meanwhile must not move it. Otherwise LIMIT keeps it from
-- being read. Lists never read payloads, actions or results, which can be megabytes each.
-- Rows come in the order of the innermost SELECT: SQLite would sort them all for an ORDER BY.
SELECT
  v.matches,
  -- insert: row
FROM (
  SELECT
    TRUE AS matches,
    -- insert: row
  FROM (
    -- insert: {source}
    LIMIT :look + 0
  ) b
  -- insert: match
  LIMIT :limit + 0
) v
UNION ALL
SELECT
  FALSE AS matches,
  -- insert: row
FROM (
  -- insert: {source}
  LIMIT 1 OFFSET :look - 1
) b
-- insert: task
LIMIT :limit + 0

-- part: counted(source)
-- stopped: there may be more matches than were counted.
SELECT
  counted.tasks,
  CASE
    WHEN counted.tasks < :limit THEN EXISTS (
      SELECT 1
      FROM (
        -- insert: {source}
        LIMIT 1 OFFSET :look + 0
      ) beyond
    )
    ELSE TRUE
  END AS stopped
FROM (
  SELECT count(*) AS tasks
  FROM (
    SELECT v.id
    FROM (
      -- insert: {source}
      LIMIT :look + 0
    ) b
    -- insert: match_for_count
    LIMIT :limit + 0
  ) found
) counted

-- name: list
-- insert: page(newest)
;

-- name: list_batch
-- insert: page(newest_of_batch)
;

-- name: list_held
-- insert: page(newest_held)
;

-- name: list_failed
-- insert: page(newest_failed)
;

-- name: list_oldest
-- insert: page(oldest)
;

-- name: list_oldest_batch
-- insert: page(oldest_of_batch)
;

-- name: list_oldest_held
-- insert: page(oldest_held)
;

-- name: list_oldest_failed
-- insert: page(oldest_failed)
;

-- name: list_retries
-- insert: page(retries)
;

-- name: list_ended
-- insert: page(ended)
;

-- name: count
-- insert: counted(newest)
;

-- name: count_batch
-- insert: counted(newest_of_batch)
;

-- name: count_held
-- insert: counted(newest_held)
;

-- name: count_failed
-- insert: counted(newest_failed)
;

-- name: count_live
-- insert: counted(live)
;

-- name: count_retries
-- insert: counted(retries)
;

-- name: list_leased
-- insert: page(newest_of_leased)
;

-- name: list_oldest_leased
-- insert: page(oldest_of_leased)
;

-- name: list_in_retry
-- insert: page(newest_of_waiting_retries)
;

-- name: list_oldest_in_retry
-- insert: page(oldest_of_waiting_retries)
;

-- name: list_live
-- insert: page(newest_of_live)
;

-- name: list_oldest_live
-- insert: page(oldest_of_live)
;

-- name: list_error
-- insert: page(newest_of_with_error)
;

-- name: list_oldest_error
-- insert: page(oldest_of_with_error)
;

-- name: list_failed_or_retries
-- insert: page(newest_of_failed_or_retries)
;

-- name: list_oldest_failed_or_retries
-- insert: page(oldest_of_failed_or_retries)
;

-- name: list_error_or_retries
-- insert: page(newest_of_with_error_or_retries)
;

-- name: list_oldest_error_or_retries
-- insert: page(oldest_of_with_error_or_retries)
;

-- name: list_ended_failed
-- insert: page(ended_failed)
;

-- name: list_ended_error
-- insert: page(ended_with_error)
;

-- name: fits_leased
-- insert: fits(leased)
;

-- name: fits_retries
-- insert: fits(waiting_retries)
;

-- name: fits_live
-- insert: fits(live)
;

-- name: fits_error
-- insert: fits(with_error)
;

-- name: fits_error_or_retries
-- insert: fits(with_error_or_retries)
;

-- name: count_leased
-- insert: counted(leased)
;

-- name: count_error
-- insert: counted(with_error)
;

-- name: count_failed_or_retries
-- insert: counted(newest_failed_or_retries)
;

-- name: count_error_or_retries
-- insert: counted(with_error_or_retries)
;
