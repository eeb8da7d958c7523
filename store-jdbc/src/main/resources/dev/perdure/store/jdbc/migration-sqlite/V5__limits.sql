-- The limits that tasks have or had. queue is the queue or kind that its tasks are claimed under, or
-- 'perdure:any' if there are several. used is the number of claimed and running tasks that count, as
-- far as the events have been applied. A rate allows its next start at next_start_at, when
-- that keeps its distance to the last one. look_at is when a claim looks at the waiting tasks; null
-- while the limit is reached or no task waits, until an event says otherwise. Claims write these rows,
-- the check that counts the tasks again, and changes of rules.
CREATE TABLE perdure_limit (
  shard         INTEGER NOT NULL,
  key           TEXT    NOT NULL,
  queue         TEXT    NOT NULL,
  type          TEXT    NOT NULL,
  max           INTEGER NOT NULL,
  per_ms        INTEGER,
  burst         INTEGER NOT NULL,
  used          INTEGER NOT NULL,
  next_start_at INTEGER,
  look_at       INTEGER,
  updated_at    INTEGER NOT NULL,
  CONSTRAINT perdure_limit_key PRIMARY KEY (shard, key),
  CONSTRAINT perdure_limit_type CHECK (
    type IN ('concurrency', 'capacity', 'rate') AND (type = 'rate') = (per_ms IS NOT NULL)),
  CONSTRAINT perdure_limit_counts CHECK (max > 0 AND used >= 0 AND burst > 0)
) STRICT, WITHOUT ROWID;

CREATE INDEX perdure_limit_look ON perdure_limit (shard, queue, look_at)
  WHERE look_at IS NOT NULL;

-- What has happened to a limit since a claim last looked at it: tasks stopped running (freed), or a
-- task began to wait for it. They are written in the transaction that they are about. A submission
-- says how much the limit allows.
CREATE TABLE perdure_limit_event (
  number     INTEGER PRIMARY KEY,
  shard      INTEGER NOT NULL,
  queue      TEXT    NOT NULL,
  key        TEXT    NOT NULL,
  freed      INTEGER NOT NULL,
  max        INTEGER,
  per_ms     INTEGER,
  burst      INTEGER,
  created_at INTEGER NOT NULL
) STRICT;

CREATE INDEX perdure_limit_event_queue ON perdure_limit_event (shard, queue, number);
CREATE INDEX perdure_limit_event_of_key ON perdure_limit_event (shard, key, number);

-- The limits of kinds. Every claim reads them, and leaves tasks of these kinds out unless their limits
-- are theirs. rules has the form of the rules of a task.
CREATE TABLE perdure_kind_limit (
  shard      INTEGER NOT NULL,
  kind       TEXT    NOT NULL,
  rules      TEXT    NOT NULL,
  source     TEXT    NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (shard, kind),
  CHECK (source IN ('operator', 'config', 'code'))
) STRICT, WITHOUT ROWID;
