-- part: delivery
  d.id, d.task, d.batch, d.trigger, d.request, d.state, d.epoch, d.attempt, d.created_at, d.since,
  d.due_at, d.lease_until, d.updated_at, d.ended_at, d.miss_kind, d.miss_status, d.miss_message

-- name: insert
-- Written after task_state.apply, in its transaction, for the changes that it wrote; or alone.
WITH clock AS MATERIALIZED (
  SELECT COALESCE(CAST(:now AS timestamptz), clock_timestamp()) AS now
)
INSERT INTO perdure_delivery (
  shard, id, task, batch, trigger, request, state, epoch, attempt, created_at, since, due_at,
  updated_at
)
SELECT
  :shard, g.id, g.task, of_task.batch, g.trigger, g.request, 'pending', 0, 0, clock.now, clock.now,
  clock.now, clock.now
FROM clock
CROSS JOIN unnest(
  CAST(:ids AS uuid[]), CAST(:tasks AS uuid[]), CAST(:triggers AS text[]),
  CAST(:requests AS text[])
) AS g (id, task, trigger, request)
CROSS JOIN LATERAL (
  SELECT s.batch
  FROM perdure_task_state s
  WHERE s.shard = :shard
    AND s.id = g.task
  LIMIT 1
) of_task;

-- name: due
-- in take

-- name: take
-- Taken ones are due again when their lease is over, so that nobody has to look for them. They are
-- updated by an array of keys for the reason the claim of tasks has.
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
  d.id, d.task, d.batch, d.trigger, d.request, d.state, d.epoch, d.attempt, d.created_at, d.since,
  d.due_at, d.lease_until, d.updated_at, d.ended_at, d.miss_kind, d.miss_status, d.miss_message;

-- name: extend
WITH clock AS MATERIALIZED (
  SELECT COALESCE(CAST(:now AS timestamptz), clock_timestamp()) AS now
)
UPDATE perdure_delivery d
SET due_at = clock.now + CAST(:lease_ms AS bigint) * INTERVAL '1 millisecond',
    lease_until = clock.now + CAST(:lease_ms AS bigint) * INTERVAL '1 millisecond',
    updated_at = clock.now
FROM clock
CROSS JOIN unnest(CAST(:ids AS uuid[]), CAST(:epochs AS bigint[])) AS g (id, epoch)
WHERE d.shard = :shard
  AND d.id = ANY (CAST(:ids AS uuid[]))
  AND d.id = g.id
  AND d.state = 'pending'
  AND d.epoch = g.epoch
  AND d.lease_until IS NOT NULL;

-- name: settle
-- Who settles gives back the lease, so that the same end is not written twice.
WITH clock AS MATERIALIZED (
  SELECT COALESCE(CAST(:now AS timestamptz), clock_timestamp()) AS now
)
UPDATE perdure_delivery d
SET state = g.next,
    attempt = d.attempt + g.step,
    due_at = COALESCE(clock.now + g.delay_ms * INTERVAL '1 millisecond', d.due_at),
    lease_until = NULL,
    updated_at = clock.now,
    ended_at = CASE WHEN g.next <> 'pending' THEN clock.now END,
    miss_kind = CASE WHEN g.miss_kind IS NULL THEN d.miss_kind ELSE g.miss_kind END,
    miss_status = CASE WHEN g.miss_kind IS NULL THEN d.miss_status ELSE g.miss_status END,
    miss_message = CASE WHEN g.miss_kind IS NULL THEN d.miss_message ELSE g.miss_message END
FROM clock
CROSS JOIN unnest(
  CAST(:places AS integer[]), CAST(:ids AS uuid[]), CAST(:epochs AS bigint[]),
  CAST(:nexts AS text[]), CAST(:steps AS integer[]), CAST(:delays_ms AS bigint[]),
  CAST(:miss_kinds AS text[]), CAST(:miss_statuses AS integer[]), CAST(:miss_messages AS text[])
) AS g (place, id, epoch, next, step, delay_ms, miss_kind, miss_status, miss_message)
WHERE d.shard = :shard
  AND d.id = ANY (CAST(:ids AS uuid[]))
  AND d.id = g.id
  AND d.state = 'pending'
  AND d.epoch = g.epoch
  AND d.lease_until IS NOT NULL
RETURNING g.place;

-- name: redeliver
-- Its batch lives from now on, or is being deleted and lets nothing come back: whoever looks for old
-- batches checks live_at, so neither can miss the other.
WITH clock AS MATERIALIZED (
  SELECT COALESCE(CAST(:now AS timestamptz), clock_timestamp()) AS now
),
kept AS (
  UPDATE perdure_batch b
  SET live_at = GREATEST(b.live_at, clock.now)
  FROM clock
  WHERE b.shard = :shard
    AND b.id = (
      SELECT d.batch
      FROM perdure_delivery d
      WHERE d.shard = :shard
        AND d.id = :id
        AND d.state IN ('sent', 'dead'))
    AND b.gone_to IS NULL
  RETURNING b.id
)
UPDATE perdure_delivery d
SET state = 'pending',
    attempt = 0,
    since = clock.now,
    due_at = clock.now,
    updated_at = clock.now,
    ended_at = NULL
FROM clock
WHERE d.shard = :shard
  AND d.id = :id
  AND d.state IN ('sent', 'dead')
  AND EXISTS (SELECT FROM kept);

-- name: find
SELECT
  -- insert: delivery
FROM perdure_delivery d
WHERE d.shard = :shard
  AND d.id = :id;

-- name: list
-- :after is beyond all ids for the first page, so that the bound always leads into the key.
SELECT
  -- insert: delivery
FROM perdure_delivery d
WHERE d.shard = :shard
  AND d.id < :after
  AND (CAST(:trigger AS text) IS NULL OR d.trigger = :trigger)
ORDER BY d.id DESC
LIMIT :limit;

-- name: list_sent
SELECT
  -- insert: delivery
FROM perdure_delivery d
WHERE d.shard = :shard
  AND d.state = 'sent'
  AND d.id < :after
  AND (CAST(:trigger AS text) IS NULL OR d.trigger = :trigger)
ORDER BY d.id DESC
LIMIT :limit;

-- name: list_pending
-- Apart from list, so that what is long sent is not on its way.
SELECT
  -- insert: delivery
FROM perdure_delivery d
WHERE d.shard = :shard
  AND d.state = 'pending'
  AND d.id < :after
  AND (CAST(:trigger AS text) IS NULL OR d.trigger = :trigger)
ORDER BY d.id DESC
LIMIT :limit;

-- name: list_dead
SELECT
  -- insert: delivery
FROM perdure_delivery d
WHERE d.shard = :shard
  AND d.state = 'dead'
  AND d.id < :after
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
  AND d.id < :after
  AND (CAST(:state AS text) IS NULL OR d.state = :state)
  AND (CAST(:trigger AS text) IS NULL OR d.trigger = :trigger)
ORDER BY d.id DESC
LIMIT :limit;

-- name: purge
-- in batch.purge
