-- The outbox: deliveries about task changes that are pending, sent or dead. They are written in the
-- transaction of the change and deleted with the batch. While a node sends a delivery, lease_until
-- is set and due_at is the same instant: if the node dies, the delivery is simply due again.
CREATE TABLE perdure_delivery (
  shard           INTEGER NOT NULL,
  id              BLOB    NOT NULL,
  task            BLOB    NOT NULL,
  batch           BLOB    NOT NULL,
  trigger         TEXT    NOT NULL,
  request         TEXT    NOT NULL,
  state           TEXT    NOT NULL,
  epoch           INTEGER NOT NULL,
  attempt         INTEGER NOT NULL,
  created_at      INTEGER NOT NULL,
  retry_since     INTEGER NOT NULL,
  due_at          INTEGER NOT NULL,
  lease_until     INTEGER,
  updated_at      INTEGER NOT NULL,
  ended_at        INTEGER,
  failure_kind    TEXT,
  failure_status  INTEGER,
  failure_message TEXT,
  CONSTRAINT perdure_delivery_key PRIMARY KEY (shard, id),
  CONSTRAINT perdure_delivery_known_state CHECK (state IN ('pending', 'sent', 'dead')),
  CONSTRAINT perdure_delivery_ended CHECK ((state <> 'pending') = (ended_at IS NOT NULL)),
  CONSTRAINT perdure_delivery_leased CHECK (state = 'pending' OR lease_until IS NULL),
  CONSTRAINT perdure_delivery_counts CHECK (epoch >= 0 AND attempt >= 0)
) STRICT, WITHOUT ROWID;

-- Pending deliveries only, so a claim never reads those that were sent.
CREATE INDEX perdure_delivery_due ON perdure_delivery (shard, due_at, id)
  WHERE state = 'pending';

-- Dead letters.
CREATE INDEX perdure_delivery_dead ON perdure_delivery (shard, id)
  WHERE state = 'dead';

-- For deleting the deliveries of a batch and listing those of a task.
CREATE INDEX perdure_delivery_of_batch ON perdure_delivery (shard, batch, task);
