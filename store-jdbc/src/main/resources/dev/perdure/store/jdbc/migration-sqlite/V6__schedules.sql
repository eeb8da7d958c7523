-- Schedules. Their shard follows from the name, which is therefore unique. A schedule fires when
-- look_at has come: at next_at, or sooner if firings are queued. template is what it submits; as_given
-- is the same in the form of its owner. version changes with every edit. problem says why it
-- could not fire when it was last due; look_at is then when a node tries again.
CREATE TABLE perdure_schedule (
  shard        INTEGER NOT NULL,
  id           BLOB    NOT NULL,
  name         TEXT    NOT NULL,
  trigger_json TEXT    NOT NULL,
  overlap      TEXT    NOT NULL,
  misfire      TEXT    NOT NULL,
  enabled      INTEGER NOT NULL,
  template     TEXT    NOT NULL,
  as_given     TEXT,
  version      INTEGER NOT NULL,
  anchor_at    INTEGER NOT NULL,
  next_at      INTEGER,
  look_at      INTEGER,
  queued       INTEGER NOT NULL,
  firings      INTEGER NOT NULL,
  created_at   INTEGER NOT NULL,
  updated_at   INTEGER NOT NULL,
  problem      TEXT,
  CONSTRAINT perdure_schedule_key PRIMARY KEY (shard, id),
  CONSTRAINT perdure_schedule_overlap CHECK (overlap IN ('skip', 'queue', 'allow')),
  CONSTRAINT perdure_schedule_misfire CHECK (misfire IN ('fire_once', 'skip')),
  CONSTRAINT perdure_schedule_next CHECK (enabled = (next_at IS NOT NULL))
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX perdure_schedule_by_name ON perdure_schedule (shard, name);
CREATE INDEX perdure_schedule_look ON perdure_schedule (shard, look_at)
  WHERE look_at IS NOT NULL;

-- The last firings of schedules: one row for each instant, and one for each manual
-- firing. missed is how many earlier firings it stands for.
CREATE TABLE perdure_firing (
  shard         INTEGER NOT NULL,
  schedule      BLOB    NOT NULL,
  scheduled_for INTEGER NOT NULL,
  manual        INTEGER NOT NULL,
  fired_at      INTEGER NOT NULL,
  outcome       TEXT    NOT NULL,
  batch         BLOB,
  missed        INTEGER NOT NULL,
  CONSTRAINT perdure_firing_key PRIMARY KEY (shard, schedule, scheduled_for, manual),
  CONSTRAINT perdure_firing_outcome CHECK (
    outcome IN ('fired', 'skipped', 'missed', 'queued')
    AND (outcome = 'fired') = (batch IS NOT NULL))
) STRICT, WITHOUT ROWID;

CREATE INDEX perdure_firing_queued ON perdure_firing (shard, schedule, scheduled_for)
  WHERE outcome = 'queued';
