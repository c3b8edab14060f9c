/** One step of the schema `heatmark_local`. A released step never changes: a change is a new step. */
export interface Migration {
  /**
   * The lowest version that a release must know to start after this step. A step that only adds tables, or columns that
   * are nullable or have a default, leaves it as it was. Any other step names its own version.
   */
  readonly startableFrom: number
  readonly sql: string
}

const first = `
  CREATE TABLE heatmark_local.lease (
    name text PRIMARY KEY,
    owner text NOT NULL,
    backend_pid integer NOT NULL,
    backend_start timestamptz NOT NULL,
    fencing bigint NOT NULL,
    expires_at timestamptz NOT NULL,
    condition text
  );
  COMMENT ON TABLE heatmark_local.lease IS
    'Who leads: projectors by schema, policies by store and name. Expiry is by this server''s clock.';

  CREATE TABLE heatmark_local.policy_cursor (
    store_id uuid NOT NULL,
    policy text NOT NULL,
    position bigint NOT NULL,
    event_id uuid NOT NULL,
    PRIMARY KEY (store_id, policy)
  );

  CREATE TABLE heatmark_local.run (
    run_id uuid PRIMARY KEY,
    schema text NOT NULL,
    kind text NOT NULL,
    projection text NOT NULL,
    status text NOT NULL,
    started_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    detail jsonb NOT NULL
  );
  CREATE INDEX ON heatmark_local.run (schema, projection, started_at);

  CREATE TABLE heatmark_local.last_used (
    key_id text PRIMARY KEY,
    last_used_at timestamptz NOT NULL
  );

  CREATE TABLE heatmark_local.rule_evaluation (
    event_id uuid PRIMARY KEY,
    company_id uuid NOT NULL,
    rule_pack_id text NOT NULL,
    done integer NOT NULL,
    total integer NOT NULL,
    finished boolean NOT NULL,
    updated_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX ON heatmark_local.rule_evaluation (company_id, rule_pack_id);
  COMMENT ON TABLE heatmark_local.rule_evaluation IS
    'How far the subjects are evaluated that a subscription, upgrade or unsubscription (event_id) concerns.';

  CREATE TABLE heatmark_local.policy_job (
    store_id uuid NOT NULL,
    policy text NOT NULL,
    company_id uuid NOT NULL,
    scope text NOT NULL,
    position bigint NOT NULL,
    event_id uuid NOT NULL,
    since bigint NOT NULL,
    after text,
    done integer NOT NULL DEFAULT 0,
    total integer NOT NULL DEFAULT 0,
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (store_id, policy, company_id, scope)
  );
  CREATE INDEX ON heatmark_local.policy_job (store_id, policy, company_id, since, scope);
  COMMENT ON TABLE heatmark_local.policy_job IS
    'Parts of companies (scope) that a policy has yet to look at, for the events from since to position.';

  CREATE TABLE heatmark_local.policy_parked (
    store_id uuid NOT NULL,
    policy text NOT NULL,
    company_id uuid NOT NULL,
    reason text NOT NULL,
    tries integer NOT NULL,
    parked_at timestamptz NOT NULL,
    next_try_at timestamptz NOT NULL,
    PRIMARY KEY (store_id, policy, company_id)
  );
  COMMENT ON TABLE heatmark_local.policy_parked IS
    'Companies that a policy could not serve. Their jobs wait until the next try.';

  CREATE TABLE heatmark_local.projection_skip (
    store_id uuid NOT NULL,
    projection text NOT NULL,
    event_id uuid NOT NULL,
    event_type text NOT NULL,
    stream_name text NOT NULL,
    position bigint NOT NULL,
    company_ids text[] NOT NULL,
    reason text NOT NULL,
    skipped_at timestamptz NOT NULL DEFAULT now(),
    schema text NOT NULL DEFAULT '',
    PRIMARY KEY (store_id, projection, event_id, schema)
  );
  COMMENT ON TABLE heatmark_local.projection_skip IS 'Events that projections pass over.';
  COMMENT ON COLUMN heatmark_local.projection_skip.schema IS
    'Empty if an operator said so, for every release. Otherwise the schema of the release that cannot fold the event.';
  COMMENT ON COLUMN heatmark_local.projection_skip.company_ids IS
    'The companies whose rows lack the event: that of its stream, and that of its data.';

  CREATE TABLE heatmark_local.person (
    store_id uuid NOT NULL,
    company_id uuid NOT NULL,
    user_id text COLLATE "C" NOT NULL,
    name_hash text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    salt text COLLATE "C" NOT NULL,
    erasure_id uuid,
    recorded_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (store_id, company_id, user_id, name_hash),
    UNIQUE (store_id, company_id, user_id, name)
  );
  COMMENT ON TABLE heatmark_local.person IS
    'Names of persons, by company. Events hold name_hash: the HMAC-SHA-256 of name under salt, all in hex.';
  COMMENT ON COLUMN heatmark_local.person.erasure_id IS
    'The last PersonErased of this person in this company when the row was written. An older row does not count.';
  COMMENT ON COLUMN heatmark_local.person.recorded_at IS
    'When a process kept the name last. The newest is the name of today.';

  CREATE TABLE heatmark_local.invitation (
    store_id uuid NOT NULL,
    company_id uuid NOT NULL,
    invitation_id uuid NOT NULL,
    email text COLLATE "C" NOT NULL,
    roles jsonb NOT NULL,
    invited_by text COLLATE "C" NOT NULL,
    inviter_kind text NOT NULL,
    invited_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (store_id, company_id, email)
  );
  CREATE INDEX ON heatmark_local.invitation (store_id, email);
  COMMENT ON TABLE heatmark_local.invitation IS
    'Invitations to companies that nobody has taken up. Each counts for 30 days.';

  CREATE TABLE heatmark_local.webhook_secret (
    webhook_id uuid PRIMARY KEY,
    secret text COLLATE "C" NOT NULL,
    made_at bigint NOT NULL,
    former text COLLATE "C",
    former_until timestamptz
  );
  COMMENT ON TABLE heatmark_local.webhook_secret IS
    'The secrets that sign the requests to webhooks, as of the event at made_at. former signs as well until former_until.';

  CREATE TABLE heatmark_local.webhook_place (
    webhook_id uuid PRIMARY KEY,
    position bigint NOT NULL,
    started_at bigint NOT NULL,
    pinged_url text,
    tries integer NOT NULL,
    next_try_at timestamptz,
    failure jsonb,
    disabled jsonb
  );
  COMMENT ON TABLE heatmark_local.webhook_place IS
    'The last change that each webhook has accepted, since the event at started_at let sending begin or go on.';

  CREATE TABLE heatmark_local.webhook_attempt (
    attempt_id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    webhook_id uuid NOT NULL,
    attempted_at timestamptz NOT NULL,
    is_ping boolean NOT NULL,
    changes integer NOT NULL,
    after bigint NOT NULL,
    status integer,
    failure jsonb
  );
  CREATE INDEX ON heatmark_local.webhook_attempt (webhook_id, attempt_id DESC);
  CREATE INDEX ON heatmark_local.webhook_attempt (attempted_at);
  COMMENT ON TABLE heatmark_local.webhook_attempt IS 'The requests to webhooks. Each is kept for 30 days.';

  CREATE TABLE heatmark_local.session (
    id_hash text COLLATE "C" PRIMARY KEY,
    login_hash text COLLATE "C" UNIQUE,
    user_id text COLLATE "C" NOT NULL,
    issuer text COLLATE "C" NOT NULL,
    subject text COLLATE "C" NOT NULL,
    sid text COLLATE "C",
    tokens text COLLATE "C" NOT NULL,
    token_expires_at timestamptz NOT NULL,
    refreshing_until timestamptz,
    began_at timestamptz NOT NULL,
    used_at timestamptz NOT NULL,
    longest_idle_seconds integer NOT NULL DEFAULT 0,
    ends_at timestamptz NOT NULL,
    ended_at timestamptz
  );
  CREATE INDEX ON heatmark_local.session (issuer, subject);
  CREATE INDEX ON heatmark_local.session (ends_at);
  COMMENT ON TABLE heatmark_local.session IS
    'Logins at the portal. A row is kept for a day after its end, to tell an ended session from an unknown one.';
  COMMENT ON COLUMN heatmark_local.session.id_hash IS
    'The SHA-256 of the session cookie. The cookie itself is stored nowhere.';
  COMMENT ON COLUMN heatmark_local.session.login_hash IS
    'The SHA-256 of the state of the login: a login begins one session at most.';
  COMMENT ON COLUMN heatmark_local.session.longest_idle_seconds IS
    'The longest time between two uses so far. A company that allows less refuses the session.';
  COMMENT ON COLUMN heatmark_local.session.tokens IS
    'The tokens of the identity provider, encrypted by a key that is derived from OIDC_CLIENT_SECRET.';
  COMMENT ON COLUMN heatmark_local.session.refreshing_until IS
    'While this is ahead of the clock of this server, one node asks the provider for new tokens.';

  CREATE TABLE heatmark_local.log_checkpoint (
    store_id uuid NOT NULL,
    company_id uuid NOT NULL,
    size bigint NOT NULL,
    root text COLLATE "C" NOT NULL,
    note text COLLATE "C" NOT NULL,
    subtrees json NOT NULL,
    position bigint NOT NULL,
    event_id uuid,
    signed_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (store_id, company_id)
  );
  COMMENT ON TABLE heatmark_local.log_checkpoint IS
    'The last checkpoint that was signed of the log of each company. No other history is signed after it.';
  COMMENT ON COLUMN heatmark_local.log_checkpoint.root IS 'The head of the Merkle tree, in base64.';
  COMMENT ON COLUMN heatmark_local.log_checkpoint.subtrees IS
    'The heads of the complete subtrees, in base64: the next checkpoint is signed from here on.';
  COMMENT ON COLUMN heatmark_local.log_checkpoint.position IS
    'The checkpoint covers the events of the company up to this position of the store, where event_id is.';

  CREATE TABLE heatmark_local.import (
    store_id uuid NOT NULL,
    company_id uuid NOT NULL,
    import_id uuid NOT NULL,
    kind text COLLATE "C" NOT NULL,
    format text COLLATE "C" NOT NULL,
    sha256 text COLLATE "C" NOT NULL,
    created_by text COLLATE "C" NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    confirmed text COLLATE "C",
    PRIMARY KEY (store_id, import_id)
  );
  CREATE INDEX ON heatmark_local.import (store_id, created_at);
  COMMENT ON TABLE heatmark_local.import IS
    'Files that wait for a person to confirm them. The bytes are objects. Both are removed after 7 days.';
  COMMENT ON COLUMN heatmark_local.import.confirmed IS
    'The confirmation that was begun last. The same one may be repeated, although the records have changed by it.';

  CREATE TABLE heatmark_local.log_anchor (
    store_id uuid NOT NULL,
    company_id uuid NOT NULL,
    kind text COLLATE "C" NOT NULL,
    size bigint NOT NULL,
    note text COLLATE "C" NOT NULL,
    proof text COLLATE "C",
    anchored_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (store_id, company_id, kind)
  );
  COMMENT ON TABLE heatmark_local.log_anchor IS
    'The newest checkpoint of each company that is kept elsewhere, for each kind of place.';
  COMMENT ON COLUMN heatmark_local.log_anchor.proof IS
    'The timestamp token (RFC 3161) of the checkpoint, in base64; null for other kinds.';

  CREATE TABLE heatmark_local.log_reread (
    store_id uuid PRIMARY KEY,
    reread_at timestamptz NOT NULL DEFAULT now()
  );
  COMMENT ON TABLE heatmark_local.log_reread IS
    'When the signer has last read all histories again, and found each as it was signed.';

  CREATE TABLE heatmark_local.company_run (
    store_id uuid NOT NULL,
    company_id uuid NOT NULL,
    run_id uuid NOT NULL,
    kind text COLLATE "C" NOT NULL,
    input jsonb NOT NULL,
    request_hash text COLLATE "C" NOT NULL,
    started_by jsonb NOT NULL,
    status text COLLATE "C" NOT NULL DEFAULT 'waiting',
    attempt integer NOT NULL DEFAULT 0,
    progress double precision NOT NULL DEFAULT 0,
    result jsonb,
    error jsonb,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (store_id, run_id)
  );
  CREATE INDEX ON heatmark_local.company_run (store_id, company_id, created_at, run_id);
  CREATE INDEX ON heatmark_local.company_run (store_id, created_at) WHERE status IN ('waiting', 'running');
  COMMENT ON TABLE heatmark_local.company_run IS
    'Long work that companies have asked for, such as packs of orders. The runs of operators are in the table run.';
  COMMENT ON COLUMN heatmark_local.company_run.request_hash IS
    'Of the request, to tell a repeat under one Idempotency-Key from another request.';
  COMMENT ON COLUMN heatmark_local.company_run.attempt IS
    'How many processes have begun it. A process whose attempt is over writes nothing more.';
`

/** The migrations in order. The version of the schema is the number of those that have been applied. */
export const migrations: readonly Migration[] = [{ startableFrom: 1, sql: first }]
