-- Schedules. Their shard follows from the name, which is therefore unique. A schedule fires when
-- look_at has come: at next_at, or sooner if firings are queued. template is what it submits; as_given
-- is the same in the form of its owner. version changes with every edit. problem says why it
-- could not fire when it was last due; look_at is then when a node tries again.
CREATE TABLE perdure_schedule (
  shard        integer          NOT NULL,
  id           uuid             NOT NULL,
  name         text COLLATE "C" NOT NULL,
  trigger_json text             NOT NULL,
  overlap      text COLLATE "C" NOT NULL,
  misfire      text COLLATE "C" NOT NULL,
  enabled      boolean          NOT NULL,
  template     text             NOT NULL,
  as_given     text,
  version      bigint           NOT NULL,
  anchor_at    timestamptz      NOT NULL,
  next_at      timestamptz,
  look_at      timestamptz,
  queued       integer          NOT NULL,
  firings      bigint           NOT NULL,
  created_at   timestamptz      NOT NULL,
  updated_at   timestamptz      NOT NULL,
  problem      text,
  CONSTRAINT perdure_schedule_key PRIMARY KEY (shard, id),
  CONSTRAINT perdure_schedule_name UNIQUE (shard, name),
  CONSTRAINT perdure_schedule_overlap CHECK (overlap IN ('skip', 'queue', 'allow')),
  CONSTRAINT perdure_schedule_misfire CHECK (misfire IN ('fire_once', 'skip')),
  CONSTRAINT perdure_schedule_next CHECK (enabled = (next_at IS NOT NULL))
);

CREATE INDEX perdure_schedule_look ON perdure_schedule (shard, look_at)
  WHERE look_at IS NOT NULL;

-- The last firings of schedules: one row for each instant, and one for each manual
-- firing. missed is how many earlier firings it stands for.
CREATE TABLE perdure_firing (
  shard         integer          NOT NULL,
  schedule      uuid             NOT NULL,
  scheduled_for timestamptz      NOT NULL,
  manual        boolean          NOT NULL,
  fired_at      timestamptz      NOT NULL,
  outcome       text COLLATE "C" NOT NULL,
  batch         uuid,
  missed        bigint           NOT NULL,
  CONSTRAINT perdure_firing_key PRIMARY KEY (shard, schedule, scheduled_for, manual),
  CONSTRAINT perdure_firing_outcome CHECK (
    outcome IN ('fired', 'skipped', 'missed', 'queued')
    AND (outcome = 'fired') = (batch IS NOT NULL))
);

CREATE INDEX perdure_firing_queued ON perdure_firing (shard, schedule, scheduled_for)
  WHERE outcome = 'queued';
