-- The limits that tasks have or had. queue is the queue or kind that its tasks are claimed under, or
-- 'perdure:any' if there are several. used is the number of claimed and running tasks that count, as
-- far as the events have been applied. A rate allows its next start at next_start_at, when
-- that keeps its distance to the last one. look_at is when a claim looks at the waiting tasks; null
-- while the limit is reached or no task waits, until an event says otherwise. Only claims write these
-- rows, and the check that counts the tasks again.
CREATE TABLE perdure_limit (
  shard         integer          NOT NULL,
  key           text COLLATE "C" NOT NULL,
  queue         text COLLATE "C" NOT NULL,
  type          text COLLATE "C" NOT NULL,
  max           bigint           NOT NULL,
  per_ms        bigint,
  burst         integer          NOT NULL,
  used          bigint           NOT NULL,
  next_start_at timestamptz,
  look_at       timestamptz,
  updated_at    timestamptz      NOT NULL,
  CONSTRAINT perdure_limit_key PRIMARY KEY (shard, key),
  CONSTRAINT perdure_limit_type CHECK (
    type IN ('concurrency', 'capacity', 'rate') AND (type = 'rate') = (per_ms IS NOT NULL)),
  CONSTRAINT perdure_limit_counts CHECK (max > 0 AND used >= 0 AND burst > 0)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

CREATE INDEX perdure_limit_look ON perdure_limit (shard, queue, look_at)
  WHERE look_at IS NOT NULL;

-- What has happened to a limit since a claim last looked at it: tasks stopped running (freed), or a
-- task began to wait for it. If running tasks got the limit, freed is negative. Events are written in
-- the transaction that they are about. So their writers never wait for a claim, and a caller's
-- transaction never makes a claim wait. A submission says how much the limit allows.
CREATE TABLE perdure_limit_event (
  shard      integer          NOT NULL,
  queue      text COLLATE "C" NOT NULL,
  number     bigint           NOT NULL GENERATED ALWAYS AS IDENTITY,
  key        text COLLATE "C" NOT NULL,
  freed      integer          NOT NULL,
  max        bigint,
  per_ms     bigint,
  burst      integer,
  created_at timestamptz      NOT NULL,
  CONSTRAINT perdure_limit_event_key PRIMARY KEY (shard, queue, number)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

CREATE INDEX perdure_limit_event_of_key ON perdure_limit_event (shard, key, number);

-- The limits of kinds. Every claim reads them, and leaves tasks of these kinds out unless their limits
-- are theirs. rules has the form of the rules of a task.
CREATE TABLE perdure_kind_limit (
  shard      integer          NOT NULL,
  kind       text COLLATE "C" NOT NULL,
  rules      text             NOT NULL,
  source     text COLLATE "C" NOT NULL,
  updated_at timestamptz      NOT NULL,
  CONSTRAINT perdure_kind_limit_key PRIMARY KEY (shard, kind),
  CONSTRAINT perdure_kind_limit_source CHECK (source IN ('operator', 'config', 'code'))
);
