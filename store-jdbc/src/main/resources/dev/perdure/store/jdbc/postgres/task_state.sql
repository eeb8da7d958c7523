-- name: insert
-- Repeating this statement changes nothing: it inserts tasks only together with the row of their
-- batch, or in the transaction that has just inserted that row. So only one row per batch is
-- checked for a conflict, not every task.
WITH clock AS MATERIALIZED (
  SELECT COALESCE(CAST(:now AS timestamptz), clock_timestamp()) AS now
),
new_batches AS (
  INSERT INTO perdure_batch (
    shard, id, created_at, size, last_active_at, name, context, policy, policy_as_given, actions,
    follow_ups
  )
  SELECT
    :shard, b.id, clock.now, b.size, clock.now, b.name, b.context, b.policy, b.policy_as_given,
    b.actions, b.follow_ups
  FROM clock
  CROSS JOIN unnest(
    CAST(:batches AS uuid[]), CAST(:sizes AS integer[]), CAST(:batch_names AS text[]),
    CAST(:batch_contexts AS text[]), CAST(:batch_policies AS text[]),
    CAST(:batch_policies_as_given AS text[]), CAST(:batch_actions AS text[]),
    CAST(:batch_follow_ups AS text[])
  ) AS b (id, size, name, context, policy, policy_as_given, actions, follow_ups)
  WHERE :first_row = 0
  ON CONFLICT DO NOTHING
  RETURNING id
),
input AS MATERIALIZED (
  SELECT
    g.batch, g.id, g.kind, g.name, g.payload, g.metadata, g.metadata_index, g.policy,
    g.policy_as_given, g.strategy, g.timeout_ms, g.deadline_at, g.priority, g.idempotency_key,
    g.local_id, g.queue, g.actions, g.trace, g.expected_count, g.state, g.epoch, g.attempt,
    g.prev_delay_ms, g.failure_kind, g.error, g.rules, g.limits, g.limit_key, g.dedupe_key,
    COALESCE(g.unmet, 0) AS unmet,
    COALESCE(g.unmet_failed, 0) AS unmet_failed, COALESCE(g.observers, 0) AS observers,
    COALESCE(g.due_at, clock.now + g.due_in_ms * INTERVAL '1 millisecond') AS due_at,
    clock.now - g.age_ms * INTERVAL '1 millisecond' AS retry_since,
    clock.now - g.started_ago_ms * INTERVAL '1 millisecond' AS started_at
  FROM clock
  CROSS JOIN unnest(
    CAST(:task_batches AS uuid[]), CAST(:ids AS uuid[]), CAST(:kinds AS text[]),
    CAST(:names AS text[]), CAST(:payloads AS text[]), CAST(:metadata AS text[]),
    CAST(:metadata_indexes AS text[]), CAST(:policies AS text[]),
    CAST(:policies_as_given AS text[]), CAST(:strategies AS text[]),
    CAST(:timeouts_ms AS bigint[]), CAST(:deadlines_at AS timestamptz[]),
    CAST(:priorities AS integer[]), CAST(:idempotency_keys AS text[]), CAST(:local_ids AS text[]),
    CAST(:queues AS text[]), CAST(:actions AS text[]), CAST(:traces AS text[]),
    CAST(:expected_counts AS bigint[]), CAST(:dues_in_ms AS bigint[]),
    CAST(:dues_at AS timestamptz[]), CAST(:states AS text[]), CAST(:epochs AS bigint[]),
    CAST(:attempts AS bigint[]), CAST(:prev_delays_ms AS bigint[]), CAST(:failure_kinds AS text[]),
    CAST(:ages_ms AS bigint[]), CAST(:started_ago_ms AS bigint[]), CAST(:unmet AS integer[]),
    CAST(:unmet_failed AS integer[]), CAST(:observers AS integer[]), CAST(:rules AS text[]),
    CAST(:limits AS text[]), CAST(:limit_keys AS text[]), CAST(:dedupe_keys AS text[]),
    CAST(:errors AS text[])
  ) AS g (
    batch, id, kind, name, payload, metadata, metadata_index, policy, policy_as_given, strategy,
    timeout_ms, deadline_at, priority, idempotency_key, local_id, queue, actions, trace,
    expected_count, due_in_ms, due_at, state, epoch, attempt, prev_delay_ms, failure_kind, age_ms,
    started_ago_ms, unmet, unmet_failed, observers, rules, limits, limit_key, dedupe_key, error
  )
  WHERE :first_row > 0
     OR g.batch IN (SELECT new_batches.id FROM new_batches)
),
new_states AS (
  INSERT INTO perdure_task_state (
    shard, id, batch, run, kind, queue, priority, state, hold, due_at, claim_at, epoch, attempt,
    losses, retry_base, retry_since, prev_delay_ms, unmet, unmet_failed, observers, timeout_ms,
    deadline_at, started_at, updated_at, failure_kind, success, failures, expected_count, limits,
    limit_key, dedupe_key, error
  )
  SELECT
    :shard, g.id, g.batch, 0, g.kind, g.queue, g.priority, g.state,
    CASE WHEN g.limits IS NULL THEN 0 ELSE 2 END, g.due_at,
    g.due_at - g.priority * INTERVAL '1 second', g.epoch, g.attempt, 0,
    0, COALESCE(g.retry_since, g.due_at), g.prev_delay_ms, g.unmet, g.unmet_failed, g.observers,
    g.timeout_ms, g.deadline_at, g.started_at, clock.now, g.failure_kind, 0, 0, g.expected_count,
    g.limits, g.limit_key, g.dedupe_key, g.error
  FROM input g
  CROSS JOIN clock
),
new_limit_events AS (
  INSERT INTO perdure_limit_event (
    shard, queue, key, freed, max, per_ms, burst, created_at
  )
  SELECT :shard, g.queue, g.key, 0, g.max, g.per_ms, g.burst, clock.now
  FROM unnest(
    CAST(:event_batches AS uuid[]), CAST(:event_queues AS text[]), CAST(:event_keys AS text[]),
    CAST(:event_max AS bigint[]), CAST(:event_per_ms AS bigint[]), CAST(:event_burst AS integer[])
  ) AS g (batch, queue, key, max, per_ms, burst)
  CROSS JOIN clock
  WHERE :first_row > 0
     OR g.batch IN (SELECT new_batches.id FROM new_batches)
)
INSERT INTO perdure_task (
  shard, batch, id, created_at, name, payload, metadata, metadata_index, policy, policy_as_given,
  strategy, idempotency_key, local_id, actions, trace, rules
)
SELECT
  :shard, g.batch, g.id, clock.now, g.name, g.payload, g.metadata, g.metadata_index, g.policy,
  g.policy_as_given, g.strategy, g.idempotency_key, g.local_id, g.actions, g.trace, g.rules
FROM input g
CROSS JOIN clock;

-- name: apply
-- The rows are looked up one by one by primary key. While a shard is small, or has no statistics,
-- the planner would rather read the whole shard, and it keeps that plan when the shard has grown.
-- So each change carries the shard, and conditions that are always true but look selective make the
-- changes seem few.
WITH clock AS MATERIALIZED (
  SELECT COALESCE(CAST(:now AS timestamptz), clock_timestamp()) AS now
),
input AS NOT MATERIALIZED (
  SELECT
    g.item_index, CAST(:shard AS integer) + g.item_index * 0 AS shard, g.id, g.from_state, g.epoch,
    g.expected_attempt, g.worker, g.require_inactive, g.to_state, g.due_in_ms, g.due_at, g.attempt,
    g.losses, g.retry_base, g.prev_delay_ms, g.hold_set, g.hold_clear, g.give_up_reason,
    g.restarts_expiry, g.outcome, g.failure_kind, g.status, g.code, g.message, g.exception_types,
    g.stack, g.delay_ms, g.result, g.error, g.cancel_action, g.expected_unmet, g.expected_unmet_failed,
    COALESCE(g.waives, false) AS waives,
    CASE WHEN g.outcome = 'resolved' THEN g.epoch + 1 ELSE g.epoch END AS record_epoch,
    (g.from_state IN ('success', 'failure', 'canceled'))
      <> (g.to_state IN ('success', 'failure', 'canceled')) OR g.outcome = 'resolved'
      AS ends_or_revives,
    g.to_state IN ('claimed', 'running') AS leased,
    g.from_state IN ('claimed', 'running') AND g.to_state NOT IN ('claimed', 'running')
      AS leaves_lease,
    g.to_state IN ('pending', 'retry_pending') AS claimable,
    g.to_state IN ('success', 'failure', 'canceled') AS ended,
    g.from_state = 'claimed' AND g.to_state = 'running' AS starts,
    COALESCE(g.hands_off, false) AS hands_off,
    COALESCE(g.success, 0) AS success,
    COALESCE(g.failures, 0) AS failures
  FROM unnest(
    CAST(:item_indexes AS integer[]), CAST(:ids AS uuid[]), CAST(:from_states AS text[]),
    CAST(:epochs AS bigint[]), CAST(:expected_attempts AS bigint[]), CAST(:workers AS text[]),
    CAST(:require_inactive AS boolean[]), CAST(:to_states AS text[]), CAST(:dues_in_ms AS bigint[]),
    CAST(:dues_at AS timestamptz[]), CAST(:attempts AS bigint[]), CAST(:losses AS integer[]),
    CAST(:retry_bases AS bigint[]), CAST(:prev_delays_ms AS bigint[]),
    CAST(:hold_sets AS integer[]), CAST(:hold_clears AS integer[]),
    CAST(:give_up_reasons AS text[]), CAST(:restarts_expiry AS boolean[]),
    CAST(:outcomes AS text[]),
    CAST(:failure_kinds AS text[]), CAST(:statuses AS integer[]), CAST(:codes AS text[]),
    CAST(:messages AS text[]), CAST(:exception_types AS text[]), CAST(:stacks AS text[]),
    CAST(:delays_ms AS bigint[]), CAST(:results AS text[]), CAST(:hands_off AS boolean[]),
    CAST(:cancel_actions AS text[]), CAST(:successes AS bigint[]), CAST(:failures AS bigint[]),
    CAST(:expected_unmet AS integer[]), CAST(:expected_unmet_failed AS integer[]),
    CAST(:waives AS boolean[]), CAST(:errors AS text[])
  ) AS g (
    item_index, id, from_state, epoch, expected_attempt, worker, require_inactive, to_state,
    due_in_ms, due_at, attempt, losses, retry_base, prev_delay_ms, hold_set, hold_clear,
    give_up_reason, restarts_expiry, outcome, failure_kind, status, code, message, exception_types,
    stack, delay_ms, result, hands_off, cancel_action, success, failures, expected_unmet,
    expected_unmet_failed, waives, error
  )
  WHERE g.item_index * 0 = 0
    AND g.attempt * 0 = 0
),
updated AS (
  UPDATE perdure_task_state s
  SET state = g.to_state,
      hold = (s.hold & ~g.hold_clear) | g.hold_set,
      due_at = COALESCE(
        g.due_at, clock.now + g.due_in_ms * INTERVAL '1 millisecond',
        CASE WHEN g.restarts_expiry THEN GREATEST(s.due_at, clock.now) ELSE s.due_at END),
      claim_at = COALESCE(
        g.due_at, clock.now + g.due_in_ms * INTERVAL '1 millisecond',
        CASE WHEN g.restarts_expiry THEN GREATEST(s.due_at, clock.now) ELSE s.due_at END)
        - s.priority * INTERVAL '1 second',
      retry_since = CASE
        WHEN g.restarts_expiry THEN COALESCE(
          g.due_at, clock.now + g.due_in_ms * INTERVAL '1 millisecond',
          GREATEST(s.due_at, clock.now))
        ELSE s.retry_since
      END,
      epoch = g.record_epoch,
      observers = CASE
        WHEN s.ended_at IS NOT NULL AND s.observers & 2 <> 0 THEN s.observers | 128
        ELSE s.observers
      END,
      unmet = CASE WHEN g.waives THEN 0 ELSE s.unmet END,
      unmet_failed = CASE WHEN g.waives THEN 0 ELSE s.unmet_failed END,
      attempt = g.attempt,
      losses = g.losses,
      retry_base = g.retry_base,
      prev_delay_ms = g.prev_delay_ms,
      owner = CASE WHEN g.leased AND NOT g.hands_off THEN s.owner END,
      lease_until = CASE WHEN g.leased AND NOT g.hands_off THEN s.lease_until END,
      handle_epoch = CASE WHEN s.attempt = g.attempt THEN s.handle_epoch END,
      cancel_action = CASE
        WHEN g.hands_off THEN g.cancel_action
        WHEN g.leased THEN s.cancel_action
      END,
      started_at = CASE WHEN g.starts THEN clock.now ELSE s.started_at END,
      times_out_at = CASE
        WHEN g.starts OR g.hands_off THEN clock.now + s.timeout_ms * INTERVAL '1 millisecond'
        WHEN g.leased THEN s.times_out_at
      END,
      ended_at = CASE WHEN g.ended THEN clock.now END,
      updated_at = clock.now,
      failure_kind = CASE
        WHEN g.outcome IS NOT NULL THEN g.failure_kind
        WHEN g.restarts_expiry THEN NULL
        ELSE s.failure_kind
      END,
      give_up_reason = g.give_up_reason,
      error = CASE
        WHEN g.to_state IN ('retry_pending', 'failure') THEN COALESCE(s.error, g.error)
      END,
      success = s.success + g.success,
      failures = s.failures + g.failures,
      work_base = CASE
        WHEN s.attempt = g.attempt THEN s.work_base
        ELSE LEAST(s.success + g.success, 4000000000000000000)
          + LEAST(s.failures + g.failures, 4000000000000000000)
      END
  FROM input g
  CROSS JOIN clock
  WHERE s.shard = g.shard
    AND s.id = g.id
    AND s.state = g.from_state
    AND s.epoch = g.epoch
    AND s.attempt = g.expected_attempt
    AND CASE
      WHEN NOT g.require_inactive THEN true
      WHEN g.outcome = 'lost'
        THEN s.owner IS NOT NULL AND COALESCE(s.lease_until <= clock.now, true)
      ELSE COALESCE(s.times_out_at <= clock.now, false)
    END
    AND (NOT g.starts OR s.hold & 1 = 0)
    AND s.success <= 9223372036854775807 - g.success
    AND s.failures <= 9223372036854775807 - g.failures
    AND s.unmet = COALESCE(g.expected_unmet, s.unmet)
    AND s.unmet_failed = COALESCE(g.expected_unmet_failed, s.unmet_failed)
    AND (s.superseded_by IS NULL OR g.outcome IS DISTINCT FROM 'resolved')
  RETURNING
    g.item_index, g.id, g.record_epoch AS epoch, g.expected_attempt, g.outcome, g.failure_kind, g.status, g.code,
    g.message, g.exception_types, g.stack, g.delay_ms, g.result, g.worker,
    CASE WHEN g.outcome <> 'resolved' THEN s.started_at END AS started_at,
    CASE WHEN g.claimable THEN s.due_at END AS next_at,
    s.observers & 35 <> 0 AND g.ends_or_revives AS observed,
    CASE
      WHEN g.leaves_lease OR (g.claimable AND s.hold = 2) THEN s.limits
    END AS limits,
    COALESCE(s.queue, s.kind) AS queue, g.leaves_lease
),
new_events AS (
  INSERT INTO perdure_propagation_event (shard, task, created_at)
  SELECT :shard, w.id, clock.now
  FROM updated w
  CROSS JOIN clock
  WHERE w.observed
),
new_limit_events AS (
  INSERT INTO perdure_limit_event (shard, queue, key, freed, created_at)
  SELECT :shard, f.queue, f.key, f.freed, clock.now
  FROM (
    SELECT w.queue, k.key, count(*) FILTER (WHERE w.leaves_lease) AS freed
    FROM updated w
    CROSS JOIN LATERAL unnest(string_to_array(w.limits, chr(10))) AS k (key)
    WHERE w.limits IS NOT NULL
    GROUP BY w.queue, k.key
  ) f
  CROSS JOIN clock
),
new_attempts AS (
  INSERT INTO perdure_attempt (
    shard, task, epoch, number, worker, started_at, ended_at, outcome, failure_kind, status, code,
    message, exception_types, stack, delay_ms, next_at, result
  )
  SELECT
    :shard, w.id, w.epoch, w.expected_attempt, w.worker, w.started_at, clock.now, w.outcome,
    w.failure_kind, w.status, w.code, w.message, w.exception_types, w.stack, w.delay_ms,
    w.next_at, w.result
  FROM updated w
  CROSS JOIN clock
  WHERE w.outcome IS NOT NULL
)
SELECT w.item_index, w.observed, w.limits IS NOT NULL AS limited
FROM updated w;

-- name: supersede
-- The tasks that take the place of these in the next run; copies are marked in graph.copy.
UPDATE perdure_task_state s
SET superseded_by = g.new_id
FROM (
  SELECT CAST(:shard AS integer) + g.item_index * 0 AS shard, g.old_id, g.new_id
  FROM unnest(
    CAST(:item_indexes AS integer[]), CAST(:old_ids AS uuid[]), CAST(:new_ids AS uuid[])
  ) AS g (item_index, old_id, new_id)
  WHERE g.item_index * 0 = 0
    AND (g.item_index + 1) * 0 = 0
) g
WHERE s.shard = g.shard
  AND s.id = g.old_id;

-- name: current_state
SELECT s.id, s.state, s.epoch, s.attempt
FROM perdure_task_state s
WHERE s.shard = :shard
  AND s.id = ANY (CAST(:ids AS uuid[]));

-- name: backlog
-- Each part reads an index that holds nothing else. The small indexes come first, so the limit cuts
-- off the last one. ORDER BY follows the index: without statistics a scan that includes all ended
-- tasks would look just as cheap.
SELECT
  l.state,
  l.hold,
  l.kind,
  l.queue,
  count(*) AS tasks,
  count(*) FILTER (
    WHERE l.state IN ('pending', 'retry_pending') AND l.hold = 0 AND l.due_at <= clock.now) AS due,
  count(*) FILTER (WHERE l.state = 'retry_pending' AND l.due_at > clock.now) AS retries_waiting,
  count(*) FILTER (WHERE l.attempt > 0) AS retried,
  CAST(floor(extract(epoch FROM min(l.due_at) FILTER (
    WHERE l.state IN ('pending', 'retry_pending') AND l.hold = 0 AND l.due_at <= clock.now)
  ) * 1000) AS bigint) AS oldest_due_ms
FROM (
  (
    SELECT s.state, s.kind, s.queue, s.hold, s.due_at, s.attempt
    FROM perdure_task_state s
    WHERE s.shard = :shard
      AND s.state IN ('claimed', 'running')
    ORDER BY s.owner
    LIMIT :limit
  )
  UNION ALL
  (
    SELECT s.state, s.kind, s.queue, s.hold, s.due_at, s.attempt
    FROM perdure_task_state s
    WHERE s.shard = :shard
      AND (s.state = 'waiting' OR (s.state IN ('pending', 'retry_pending') AND s.hold NOT IN (0, 2)))
    ORDER BY s.shard
    LIMIT :limit
  )
  UNION ALL
  (
    SELECT s.state, s.kind, s.queue, s.hold, s.due_at, s.attempt
    FROM perdure_task_state s
    WHERE s.shard = :shard
      AND s.state IN ('pending', 'retry_pending')
      AND s.hold = 2
    ORDER BY s.limit_key
    LIMIT :limit
  )
  UNION ALL
  (
    SELECT s.state, s.kind, s.queue, s.hold, s.due_at, s.attempt
    FROM perdure_task_state s
    WHERE s.shard = :shard
      AND s.state IN ('pending', 'retry_pending')
      AND s.hold = 0
      AND s.priority <> 0
    ORDER BY COALESCE(s.queue, s.kind), s.claim_at
    LIMIT :limit
  )
  UNION ALL
  (
    SELECT s.state, s.kind, s.queue, s.hold, s.due_at, s.attempt
    FROM perdure_task_state s
    WHERE s.shard = :shard
      AND s.state IN ('pending', 'retry_pending')
      AND s.hold = 0
      AND s.priority = 0
    ORDER BY COALESCE(s.queue, s.kind), s.claim_at
    LIMIT :limit
  )
  LIMIT :limit
) l
CROSS JOIN (SELECT COALESCE(CAST(:now AS timestamptz), statement_timestamp()) AS now) clock
GROUP BY l.state, l.hold, l.kind, l.queue;

-- name: count_failed
-- The failed tasks that ended after an instant.
SELECT count(*) AS tasks
FROM (
  SELECT s.ended_at
  FROM perdure_task_state s
  WHERE s.shard = :shard
    AND s.state = 'failure'
    AND s.ended_at > :after
  ORDER BY s.ended_at DESC
  LIMIT :limit
) f;

-- name: count_ended
SELECT
  e.state,
  count(*) AS tasks,
  count(*) FILTER (WHERE e.attempt > 0) AS retried,
  count(*) FILTER (WHERE e.give_up_reason = 'exhausted') AS exhausted
FROM (
  SELECT s.state, s.attempt, s.give_up_reason
  FROM perdure_task_state s
  WHERE s.shard = :shard
    AND s.ended_at IS NOT NULL
  ORDER BY s.ended_at DESC
  LIMIT :limit
) e
GROUP BY e.state;

-- name: delete
-- in batch.delete
