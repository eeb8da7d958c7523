-- part: delivery
  d.id, d.task, d.batch, d.trigger, d.request, d.state, d.epoch, d.attempt, d.created_at,
  d.retry_since, d.due_at, d.lease_until, d.updated_at, d.ended_at, d.failure_kind,
  d.failure_status, d.failure_message

-- name: insert
-- Written after task_state.apply, in the same transaction, for the changes that were applied; or on
-- its own. With a change, it is created at the very instant of the change, from which the delay of a
-- retry counts.
WITH clock AS MATERIALIZED (
  SELECT COALESCE(CAST(:now AS timestamptz), clock_timestamp()) AS now
)
INSERT INTO perdure_delivery (
  shard, id, task, batch, trigger, request, state, epoch, attempt, created_at, retry_since, due_at,
  updated_at
)
SELECT
  :shard, g.id, g.task, task_state.batch, g.trigger, g.request, 'pending', 0, 0,
  CASE WHEN :with_change THEN task_state.updated_at ELSE clock.now END,
  clock.now, clock.now, clock.now
FROM clock
CROSS JOIN unnest(
  CAST(:ids AS uuid[]), CAST(:tasks AS uuid[]), CAST(:triggers AS text[]),
  CAST(:requests AS text[])
) AS g (id, task, trigger, request)
CROSS JOIN LATERAL (
  SELECT s.batch, s.updated_at
  FROM perdure_task_state s
  WHERE s.shard = :shard
    AND s.id = g.task
  LIMIT 1
) task_state;

-- name: due
-- in claim

-- name: claim
-- A claimed delivery is due again when its lease ends, so no sweep for abandoned deliveries is
-- needed. The rows are updated by an array of keys for the same reason as in claim.take.
WITH clock AS MATERIALIZED (
  SELECT COALESCE(CAST(:now AS timestamptz), clock_timestamp()) AS now
),
due AS MATERIALIZED (
  SELECT d.id
  FROM perdure_delivery d
  WHERE d.shard = :shard
    AND d.state = 'pending'
    AND d.due_at <= (SELECT clock.now FROM clock)
  ORDER BY d.due_at, d.id
  LIMIT :limit
  FOR UPDATE SKIP LOCKED
)
UPDATE perdure_delivery d
SET epoch = d.epoch + 1,
    due_at = clock.now + CAST(:lease_ms AS bigint) * INTERVAL '1 millisecond',
    lease_until = clock.now + CAST(:lease_ms AS bigint) * INTERVAL '1 millisecond',
    updated_at = clock.now
FROM clock
WHERE d.shard = :shard
  AND d.id = ANY (ARRAY(SELECT due.id FROM due))
  AND d.state = 'pending'
RETURNING
  d.id, d.task, d.batch, d.trigger, d.request, d.state, d.epoch, d.attempt, d.created_at,
  d.retry_since, d.due_at, d.lease_until, d.updated_at, d.ended_at, d.failure_kind,
  d.failure_status, d.failure_message;

-- name: extend
-- The rows are looked up one by one by primary key, as in task_state.apply.
WITH clock AS MATERIALIZED (
  SELECT COALESCE(CAST(:now AS timestamptz), clock_timestamp()) AS now
),
input AS NOT MATERIALIZED (
  SELECT
    CAST(:shard AS integer) + g.epoch * 0 AS shard, g.id, g.epoch,
    CASE WHEN g.epoch >= 0 THEN 'pending' END AS from_state
  FROM unnest(CAST(:ids AS uuid[]), CAST(:epochs AS bigint[])) AS g (id, epoch)
  WHERE g.epoch * 0 = 0
    AND g.epoch * 1 = g.epoch
)
UPDATE perdure_delivery d
SET due_at = clock.now + CAST(:lease_ms AS bigint) * INTERVAL '1 millisecond',
    lease_until = clock.now + CAST(:lease_ms AS bigint) * INTERVAL '1 millisecond',
    updated_at = clock.now
FROM clock
CROSS JOIN input g
WHERE d.shard = g.shard
  AND d.id = g.id
  AND d.state = g.from_state
  AND d.epoch = g.epoch
  AND d.lease_until IS NOT NULL;

-- name: settle
-- The rows are looked up one by one by primary key, as in task_state.apply. Settling clears the
-- lease, so that the same result cannot be written twice.
WITH clock AS MATERIALIZED (
  SELECT COALESCE(CAST(:now AS timestamptz), clock_timestamp()) AS now
),
input AS NOT MATERIALIZED (
  SELECT
    g.item_index, CAST(:shard AS integer) + g.item_index * 0 AS shard, g.id, g.epoch, g.to_state,
    g.attempt_increment, g.delay_ms, g.failure_kind, g.failure_status, g.failure_message,
    CASE WHEN g.item_index >= 0 THEN 'pending' END AS from_state
  FROM unnest(
    CAST(:item_indexes AS integer[]), CAST(:ids AS uuid[]), CAST(:epochs AS bigint[]),
    CAST(:to_states AS text[]), CAST(:attempt_increments AS integer[]),
    CAST(:delays_ms AS bigint[]), CAST(:failure_kinds AS text[]),
    CAST(:failure_statuses AS integer[]), CAST(:failure_messages AS text[])
  ) AS g (
    item_index, id, epoch, to_state, attempt_increment, delay_ms, failure_kind, failure_status,
    failure_message
  )
  WHERE g.item_index * 0 = 0
    AND g.epoch * 0 = 0
)
UPDATE perdure_delivery d
SET state = g.to_state,
    attempt = d.attempt + g.attempt_increment,
    due_at = COALESCE(clock.now + g.delay_ms * INTERVAL '1 millisecond', d.due_at),
    lease_until = NULL,
    updated_at = clock.now,
    ended_at = CASE WHEN g.to_state <> 'pending' THEN clock.now END,
    failure_kind = COALESCE(g.failure_kind, d.failure_kind),
    failure_status = CASE
      WHEN g.failure_kind IS NULL THEN d.failure_status
      ELSE g.failure_status
    END,
    failure_message = CASE
      WHEN g.failure_kind IS NULL THEN d.failure_message
      ELSE g.failure_message
    END
FROM clock
CROSS JOIN input g
WHERE d.shard = g.shard
  AND d.id = g.id
  AND d.state = g.from_state
  AND d.epoch = g.epoch
  AND d.lease_until IS NOT NULL
RETURNING g.item_index;

-- name: redeliver
-- Makes the batch active now, and changes nothing if the batch is being deleted. Retention marks a
-- batch only if last_active_at has not changed, so the two cannot miss each other.
WITH clock AS MATERIALIZED (
  SELECT COALESCE(CAST(:now AS timestamptz), clock_timestamp()) AS now
),
touched_batch AS (
  UPDATE perdure_batch b
  SET last_active_at = GREATEST(b.last_active_at, clock.now)
  FROM clock
  WHERE b.shard = :shard
    AND b.id = (
      SELECT d.batch
      FROM perdure_delivery d
      WHERE d.shard = :shard
        AND d.id = :id
        AND d.state IN ('sent', 'dead')
        AND (CAST(:from AS text) IS NULL OR d.state = :from))
    AND b.deleted_up_to IS NULL
  RETURNING b.id
)
UPDATE perdure_delivery d
SET state = 'pending',
    attempt = 0,
    retry_since = clock.now + CAST(:delay_ms AS bigint) * INTERVAL '1 millisecond',
    due_at = clock.now + CAST(:delay_ms AS bigint) * INTERVAL '1 millisecond',
    updated_at = clock.now,
    ended_at = NULL
FROM clock
WHERE d.shard = :shard
  AND d.id = :id
  AND d.state IN ('sent', 'dead')
  AND (CAST(:from AS text) IS NULL OR d.state = :from)
  AND EXISTS (SELECT FROM touched_batch);

-- name: find
SELECT
  -- insert: delivery
FROM perdure_delivery d
WHERE d.shard = :shard
  AND d.id = :id;

-- name: list
-- For the first page :after_id is greater than every id, so that the bound is always an index
-- condition.
SELECT
  -- insert: delivery
FROM perdure_delivery d
WHERE d.shard = :shard
  AND d.id < :after_id
  AND (CAST(:trigger AS text) IS NULL OR d.trigger = :trigger)
ORDER BY d.id DESC
LIMIT :limit;

-- name: list_sent
SELECT
  -- insert: delivery
FROM perdure_delivery d
WHERE d.shard = :shard
  AND d.state = 'sent'
  AND d.id < :after_id
  AND (CAST(:trigger AS text) IS NULL OR d.trigger = :trigger)
ORDER BY d.id DESC
LIMIT :limit;

-- name: list_pending
-- Separate from list so that it does not read deliveries that were sent.
SELECT
  -- insert: delivery
FROM perdure_delivery d
WHERE d.shard = :shard
  AND d.state = 'pending'
  AND d.id < :after_id
  AND (CAST(:trigger AS text) IS NULL OR d.trigger = :trigger)
ORDER BY d.id DESC
LIMIT :limit;

-- name: list_dead
SELECT
  -- insert: delivery
FROM perdure_delivery d
WHERE d.shard = :shard
  AND d.state = 'dead'
  AND d.id < :after_id
  AND (CAST(:trigger AS text) IS NULL OR d.trigger = :trigger)
ORDER BY d.id DESC
LIMIT :limit;

-- name: list_of_task
SELECT
  -- insert: delivery
FROM perdure_delivery d
WHERE d.shard = :shard
  AND d.batch = (
    SELECT s.batch
    FROM perdure_task_state s
    WHERE s.shard = :shard
      AND s.id = :task)
  AND d.task = :task
  AND d.id < :after_id
  AND (CAST(:state AS text) IS NULL OR d.state = :state)
  AND (CAST(:trigger AS text) IS NULL OR d.trigger = :trigger)
ORDER BY d.id DESC
LIMIT :limit;

-- name: delete
-- in batch.delete

-- name: count_dead
SELECT count(*) AS deliveries
FROM (
  SELECT d.id
  FROM perdure_delivery d
  WHERE d.shard = :shard
    AND d.state = 'dead'
  ORDER BY d.id
  LIMIT :limit
) g;
