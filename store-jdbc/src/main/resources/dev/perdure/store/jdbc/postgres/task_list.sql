-- part: row
  v.id, v.batch, v.run, v.kind, v.priority, v.state, v.hold, v.due_at, v.epoch, v.owner, v.attempt,
  v.losses, v.retry_base, v.retry_since, v.unmet, v.unmet_failed, v.prev_delay_ms, v.timeout_ms,
  v.deadline_at, v.started_at, v.ended_at, v.updated_at, v.failure_kind, v.give_up_reason,
  v.success, v.failures, v.expected_count, v.created_at, v.name, v.metadata, v.policy, v.policy_as_given, v.local_id,
  v.trace, v.message, v.code, v.error

-- part: filter
  AND (CAST(:states AS text[]) IS NULL OR v.state = ANY (:states))
  AND (CAST(:statuses AS text[]) IS NULL OR v.status = ANY (:statuses))
  AND (CAST(:kinds AS text[]) IS NULL OR v.kind = ANY (:kinds))
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
  AND (CAST(:error AS text) IS NULL OR v.error = :error)
  AND (CAST(:failure_code AS text) IS NULL OR (v.failure_kind IS NOT NULL AND v.code = :failure_code))
  AND (CAST(:attempt_min AS bigint) IS NULL OR v.attempt >= :attempt_min)
  AND (CAST(:ended_after AS timestamptz) IS NULL OR v.ended_at > :ended_after)
  AND (CAST(:ended_before AS timestamptz) IS NULL OR v.ended_at < :ended_before)
  AND (CAST(:due_after AS timestamptz) IS NULL OR (v.ended_at IS NULL AND v.due_at > :due_after))
  AND (CAST(:due_before AS timestamptz) IS NULL OR (v.ended_at IS NULL AND v.due_at < :due_before))
  AND (CAST(:schedule AS uuid) IS NULL OR v.schedule = :schedule)
  AND (CAST(:worker AS text) IS NULL OR v.owner = :worker)
  AND (CAST(:parked AS boolean) IS NULL OR (v.ended_at IS NULL AND v.hold & 8 <> 0) = :parked)
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

-- part: match
-- Tasks are looked up one by one because a join could become a scan of the whole table.
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

-- part: match_for_count
  CROSS JOIN LATERAL (
    SELECT
      v.id
    FROM perdure_task_view v
    WHERE v.shard = b.shard
      AND v.id = b.id
      -- insert: filter
      -- insert: search_text_lookup
    LIMIT 1
  ) v

-- part: task
  CROSS JOIN LATERAL (
    SELECT
      -- insert: row
    FROM perdure_task_view v
    WHERE v.shard = b.shard
      AND v.id = b.id
    LIMIT 1
  ) v

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
    FROM perdure_task_state s
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
    FROM perdure_task_state s
    WHERE s.shard = :shard
      AND s.id > :after_id
      AND (s.state = 'waiting' OR (s.state IN ('pending', 'retry_pending') AND s.hold NOT IN (0, 2)))
    ORDER BY s.id

-- part: newest_failed
    SELECT s.shard, s.id
    FROM perdure_task_state s
    WHERE s.shard = :shard
      AND s.state = 'failure'
      AND s.id < :after_id
    ORDER BY s.id DESC

-- part: oldest_failed
    SELECT s.shard, s.id
    FROM perdure_task_state s
    WHERE s.shard = :shard
      AND s.state = 'failure'
      AND s.id > :after_id
    ORDER BY s.id

-- part: retries
    SELECT s.shard, s.id, s.due_at
    FROM perdure_task_state s
    WHERE s.shard = :shard
      AND s.state = 'retry_pending'
      AND s.due_at <= COALESCE(
        COALESCE(CAST(:now AS timestamptz), statement_timestamp())
          + CAST(:due_within_ms AS bigint) * INTERVAL '1 millisecond',
        'infinity')
      AND s.due_at < COALESCE(CAST(:due_before AS timestamptz), 'infinity')
      AND s.due_at > COALESCE(CAST(:due_after AS timestamptz), '-infinity')
      AND s.due_at >= :after_at
      AND (s.due_at > :after_at OR s.id > :after_id)
    ORDER BY s.due_at, s.id

-- part: ended
    SELECT s.shard, s.id, s.ended_at
    FROM perdure_task_state s
    WHERE s.shard = :shard
      AND s.ended_at <= :after_at
      AND s.ended_at < COALESCE(CAST(:ended_before AS timestamptz), 'infinity')
      AND s.ended_at > COALESCE(CAST(:ended_after AS timestamptz), '-infinity')
      AND (s.ended_at < :after_at OR s.id < :after_id)
    ORDER BY s.ended_at DESC, s.id DESC

-- part: live
-- Live tasks in no order, as in task_state.backlog.
    (
      SELECT s.shard, s.id
      FROM perdure_task_state s
      WHERE s.shard = :shard
        AND s.state IN ('claimed', 'running')
      ORDER BY s.owner
      LIMIT :look + 1
    )
    UNION ALL
    (
      SELECT s.shard, s.id
      FROM perdure_task_state s
      WHERE s.shard = :shard
        AND (s.state = 'waiting' OR (s.state IN ('pending', 'retry_pending') AND s.hold NOT IN (0, 2)))
      ORDER BY s.shard
      LIMIT :look + 1
    )
    UNION ALL
    (
      SELECT s.shard, s.id
      FROM perdure_task_state s
      WHERE s.shard = :shard
        AND s.state IN ('pending', 'retry_pending')
        AND s.hold = 2
      ORDER BY s.limit_key
      LIMIT :look + 1
    )
    UNION ALL
    (
      SELECT s.shard, s.id
      FROM perdure_task_state s
      WHERE s.shard = :shard
        AND s.state IN ('pending', 'retry_pending')
        AND s.hold = 0
        AND s.priority <> 0
      ORDER BY COALESCE(s.queue, s.kind), s.claim_at
      LIMIT :look + 1
    )
    UNION ALL
    (
      SELECT s.shard, s.id
      FROM perdure_task_state s
      WHERE s.shard = :shard
        AND s.state IN ('pending', 'retry_pending')
        AND s.hold = 0
        AND s.priority = 0
      ORDER BY COALESCE(s.queue, s.kind), s.claim_at
      LIMIT :look + 1
    )

-- part: leased
    SELECT s.shard, s.id
    FROM perdure_task_state s
    WHERE s.shard = :shard
      AND s.state IN ('claimed', 'running')
    ORDER BY s.owner

-- part: waiting_retries
    SELECT s.shard, s.id
    FROM perdure_task_state s
    WHERE s.shard = :shard
      AND s.state = 'retry_pending'
    ORDER BY s.due_at

-- part: with_error
    SELECT s.shard, s.id
    FROM perdure_task_state s
    WHERE s.shard = :shard
      AND s.state = 'failure'
      AND s.error = :error
    ORDER BY s.kind, s.ended_at

-- part: with_error_or_retries
    (
      -- insert: with_error
    )
    UNION ALL
    (
      -- insert: waiting_retries
    )

-- part: newest_failed_or_retries
    (
      -- insert: newest_failed
      LIMIT :look + 1
    )
    UNION ALL
    (
      -- insert: waiting_retries
    )

-- part: oldest_failed_or_retries
    (
      -- insert: oldest_failed
      LIMIT :look + 1
    )
    UNION ALL
    (
      -- insert: waiting_retries
    )

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
      FROM perdure_task_state s
      WHERE s.shard = :shard
        AND s.state = 'failure'
        AND s.error = :error
      ORDER BY s.kind, s.ended_at
    ) c
    WHERE c.ended_at < :after_at OR (c.ended_at = :after_at AND c.id < :after_id)
    ORDER BY c.ended_at DESC, c.id DESC

-- part: ended_failed
    SELECT s.shard, s.id, s.ended_at
    FROM perdure_task_state s
    WHERE s.shard = :shard
      AND s.state = 'failure'
      AND s.ended_at <= :after_at
      AND s.ended_at < COALESCE(CAST(:ended_before AS timestamptz), 'infinity')
      AND s.ended_at > COALESCE(CAST(:ended_after AS timestamptz), '-infinity')
      AND (s.ended_at < :after_at OR s.id < :after_id)
    ORDER BY s.ended_at DESC, s.id DESC

-- part: fits(source)
-- True when the source has so few tasks that they can be sorted.
SELECT NOT EXISTS (
  SELECT 1
  FROM (
    -- insert: {source}
    LIMIT 1 OFFSET :look
  ) beyond
) AS fits

-- part: page(source, order)
-- Looks at the next :look tasks and returns those that match. If they do not fill the page, the last
-- row is the last of these tasks, which tells where the next page begins; it is part of the same
-- statement because a task that is deleted meanwhile must not move it. Otherwise LIMIT keeps it from
-- being read. Lists never read payloads, actions or results, which can be megabytes each.
(
  SELECT
    TRUE AS matches,
    -- insert: row
  FROM (
    -- insert: {source}
    LIMIT :look
  ) b
  -- insert: match
  ORDER BY {order}
  LIMIT :limit
)
UNION ALL
(
  SELECT
    FALSE AS matches,
    -- insert: row
  FROM (
    -- insert: {source}
    LIMIT 1 OFFSET :look - 1
  ) b
  -- insert: task
)
LIMIT :limit

-- part: counted(source)
-- stopped: there may be more matches than were counted.
SELECT
  counted.tasks,
  CASE
    WHEN counted.tasks < :limit THEN EXISTS (
      SELECT 1
      FROM (
        -- insert: {source}
        LIMIT 1 OFFSET :look
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
      LIMIT :look
    ) b
    -- insert: match_for_count
    LIMIT :limit
  ) found
) counted

-- name: list
-- insert: page(newest | b.id DESC)
;

-- name: list_batch
-- insert: page(newest_of_batch | b.id DESC)
;

-- name: list_held
-- insert: page(newest_held | b.id DESC)
;

-- name: list_failed
-- insert: page(newest_failed | b.id DESC)
;

-- name: list_oldest
-- insert: page(oldest | b.id)
;

-- name: list_oldest_batch
-- insert: page(oldest_of_batch | b.id)
;

-- name: list_oldest_held
-- insert: page(oldest_held | b.id)
;

-- name: list_oldest_failed
-- insert: page(oldest_failed | b.id)
;

-- name: list_retries
-- insert: page(retries | b.due_at, b.id)
;

-- name: list_ended
-- insert: page(ended | b.ended_at DESC, b.id DESC)
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
-- insert: page(newest_of_leased | b.id DESC)
;

-- name: list_oldest_leased
-- insert: page(oldest_of_leased | b.id)
;

-- name: list_in_retry
-- insert: page(newest_of_waiting_retries | b.id DESC)
;

-- name: list_oldest_in_retry
-- insert: page(oldest_of_waiting_retries | b.id)
;

-- name: list_live
-- insert: page(newest_of_live | b.id DESC)
;

-- name: list_oldest_live
-- insert: page(oldest_of_live | b.id)
;

-- name: list_error
-- insert: page(newest_of_with_error | b.id DESC)
;

-- name: list_oldest_error
-- insert: page(oldest_of_with_error | b.id)
;

-- name: list_failed_or_retries
-- insert: page(newest_of_failed_or_retries | b.id DESC)
;

-- name: list_oldest_failed_or_retries
-- insert: page(oldest_of_failed_or_retries | b.id)
;

-- name: list_error_or_retries
-- insert: page(newest_of_with_error_or_retries | b.id DESC)
;

-- name: list_oldest_error_or_retries
-- insert: page(oldest_of_with_error_or_retries | b.id)
;

-- name: list_ended_failed
-- insert: page(ended_failed | b.ended_at DESC, b.id DESC)
;

-- name: list_ended_error
-- insert: page(ended_with_error | b.ended_at DESC, b.id DESC)
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
