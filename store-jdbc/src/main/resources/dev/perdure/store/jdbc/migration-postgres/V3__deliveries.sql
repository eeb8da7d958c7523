-- What the world outside is still to be told, was told, or could not be told of the changes of
-- tasks: written in the transaction of the change, deleted with the batch. While somebody sends one,
-- lease_until is set and due_at the same instant: when he dies it is simply due again.
CREATE TABLE perdure_delivery (
  shard        integer          NOT NULL,
  id           uuid             NOT NULL,
  task         uuid             NOT NULL,
  batch        uuid             NOT NULL,
  trigger      text COLLATE "C" NOT NULL,
  request      text             NOT NULL,
  state        text COLLATE "C" NOT NULL,
  epoch        bigint           NOT NULL,
  attempt      bigint           NOT NULL,
  created_at   timestamptz      NOT NULL,
  since        timestamptz      NOT NULL,
  due_at       timestamptz      NOT NULL,
  lease_until  timestamptz,
  updated_at   timestamptz      NOT NULL,
  ended_at     timestamptz,
  miss_kind    text COLLATE "C",
  miss_status  integer,
  miss_message text,
  CONSTRAINT perdure_delivery_key PRIMARY KEY (shard, id),
  CONSTRAINT perdure_delivery_known CHECK (state IN ('pending', 'sent', 'dead')),
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

-- What is to be sent; what was sent is not on its way.
CREATE INDEX perdure_delivery_due ON perdure_delivery (shard, due_at, id)
  WHERE state = 'pending';

-- The dead letters.
CREATE INDEX perdure_delivery_dead ON perdure_delivery (shard, id)
  WHERE state = 'dead';

-- What goes with a batch, and what belongs to a task.
CREATE INDEX perdure_delivery_of_batch ON perdure_delivery (shard, batch, task);
