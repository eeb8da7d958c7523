-- What the world outside is still to be told, was told, or could not be told of the changes of
-- tasks: written in the transaction of the change, deleted with the batch. While somebody sends one,
-- lease_until is set and due_at the same instant: when he dies it is simply due again.
CREATE TABLE perdure_delivery (
  shard        INTEGER NOT NULL,
  id           BLOB    NOT NULL,
  task         BLOB    NOT NULL,
  batch        BLOB    NOT NULL,
  trigger      TEXT    NOT NULL,
  request      TEXT    NOT NULL,
  state        TEXT    NOT NULL,
  epoch        INTEGER NOT NULL,
  attempt      INTEGER NOT NULL,
  created_at   INTEGER NOT NULL,
  since        INTEGER NOT NULL,
  due_at       INTEGER NOT NULL,
  lease_until  INTEGER,
  updated_at   INTEGER NOT NULL,
  ended_at     INTEGER,
  miss_kind    TEXT,
  miss_status  INTEGER,
  miss_message TEXT,
  CONSTRAINT perdure_delivery_key PRIMARY KEY (shard, id),
  CONSTRAINT perdure_delivery_known CHECK (state IN ('pending', 'sent', 'dead')),
  CONSTRAINT perdure_delivery_ended CHECK ((state <> 'pending') = (ended_at IS NOT NULL)),
  CONSTRAINT perdure_delivery_leased CHECK (state = 'pending' OR lease_until IS NULL),
  CONSTRAINT perdure_delivery_counts CHECK (epoch >= 0 AND attempt >= 0)
) STRICT, WITHOUT ROWID;

-- What is to be sent; what was sent is not on its way.
CREATE INDEX perdure_delivery_due ON perdure_delivery (shard, due_at, id)
  WHERE state = 'pending';

-- The dead letters.
CREATE INDEX perdure_delivery_dead ON perdure_delivery (shard, id)
  WHERE state = 'dead';

-- What goes with a batch, and what belongs to a task.
CREATE INDEX perdure_delivery_of_batch ON perdure_delivery (shard, batch, task);
