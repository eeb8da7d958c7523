-- The outbox: deliveries about task changes that are pending, sent or dead. They are written in the
-- transaction of the change and deleted with the batch. While a node sends a delivery, lease_until
-- is set and due_at is the same instant: if the node dies, the delivery is simply due again.
CREATE TABLE perdure_delivery (
  shard           integer          NOT NULL,
  id              uuid             NOT NULL,
  task            uuid             NOT NULL,
  batch           uuid             NOT NULL,
  trigger         text COLLATE "C" NOT NULL,
  request         text             NOT NULL,
  state           text COLLATE "C" NOT NULL,
  epoch           bigint           NOT NULL,
  attempt         bigint           NOT NULL,
  created_at      timestamptz      NOT NULL,
  retry_since     timestamptz      NOT NULL,
  due_at          timestamptz      NOT NULL,
  lease_until     timestamptz,
  updated_at      timestamptz      NOT NULL,
  ended_at        timestamptz,
  failure_kind    text COLLATE "C",
  failure_status  integer,
  failure_message text,
  CONSTRAINT perdure_delivery_key PRIMARY KEY (shard, id),
  CONSTRAINT perdure_delivery_known_state CHECK (state IN ('pending', 'sent', 'dead')),
  CONSTRAINT perdure_delivery_ended CHECK ((state <> 'pending') = (ended_at IS NOT NULL)),
  CONSTRAINT perdure_delivery_leased CHECK (state = 'pending' OR lease_until IS NULL),
  CONSTRAINT perdure_delivery_counts CHECK (epoch >= 0 AND attempt >= 0)
) WITH (
  fillfactor = 90,
  autovacuum_vacuum_scale_factor = 0.01,
  autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_cost_delay = 0,
  autovacuum_analyze_scale_factor = 0.05
);

-- Pending deliveries only, so a claim never reads those that were sent.
CREATE INDEX perdure_delivery_due ON perdure_delivery (shard, due_at, id)
  WHERE state = 'pending';

-- Dead letters.
CREATE INDEX perdure_delivery_dead ON perdure_delivery (shard, id)
  WHERE state = 'dead';

-- For deleting the deliveries of a batch and listing those of a task. It does not begin with the
-- shard, because the planner would then prefer it to the primary key while the table is empty.
CREATE INDEX perdure_delivery_of_batch ON perdure_delivery (batch, task);
