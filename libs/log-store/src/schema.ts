/** Blocks whose tokens a table remembers: more than are inserted between two tries of one batch, because batches follow one another. */
const REMEMBERED_BLOCKS = 10_000

/**
 * The changes of the store's schema in their order; the number of those that a store has is its version. Rows with equal keys become one
 * when parts are merged: a second line of defence behind the tokens.
 */
export const MIGRATIONS: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS logs (
    id Int64 CODEC(Delta, ZSTD),
    created_at Int64 CODEC(Delta, ZSTD),
    type Int64 CODEC(ZSTD),
    user_id Int64 CODEC(ZSTD),
    username String CODEC(ZSTD),
    token_id Int64 CODEC(ZSTD),
    token_name String CODEC(ZSTD),
    channel_id Int64 CODEC(ZSTD),
    model_name LowCardinality(String),
    \`group\` LowCardinality(String),
    quota Int64 CODEC(ZSTD),
    prompt_tokens Int64 CODEC(ZSTD),
    completion_tokens Int64 CODEC(ZSTD),
    use_time Int64 CODEC(ZSTD),
    is_stream Bool,
    content String CODEC(ZSTD(3)),
    other String CODEC(ZSTD(3)),
    request_id String CODEC(ZSTD),
    state LowCardinality(String),
    usage String CODEC(ZSTD(3)),
    quote String CODEC(ZSTD(3)),
    explanation String CODEC(ZSTD(3)),
    error_code LowCardinality(String),
    session String CODEC(ZSTD),
    INDEX by_id id TYPE minmax GRANULARITY 1,
    INDEX by_user user_id TYPE bloom_filter(0.01) GRANULARITY 1,
    INDEX by_token token_id TYPE bloom_filter(0.01) GRANULARITY 1,
    INDEX by_channel channel_id TYPE bloom_filter(0.01) GRANULARITY 1,
    INDEX by_model model_name TYPE bloom_filter(0.01) GRANULARITY 1,
    INDEX by_request request_id TYPE bloom_filter(0.001) GRANULARITY 1,
    INDEX by_session session TYPE bloom_filter(0.001) GRANULARITY 1,
    INDEX by_error error_code TYPE set(100) GRANULARITY 1,
    INDEX by_state state TYPE set(10) GRANULARITY 1
  ) ENGINE = ReplacingMergeTree
  PARTITION BY toYYYYMM(toDateTime(created_at, 'UTC'))
  ORDER BY (created_at, id)
  SETTINGS non_replicated_deduplication_window = ${REMEMBERED_BLOCKS}`,
  // 0: rows that Postgres had before, and those of earlier versions.
  'ALTER TABLE logs ADD COLUMN IF NOT EXISTS batch Int64 DEFAULT 0 CODEC(Delta, ZSTD)',
  // A batch a second would be a gigabyte a year; an older Postgres is hours old, or days.
  `CREATE TABLE IF NOT EXISTS log_batches (
    batch Int64 CODEC(Delta, ZSTD),
    digest String CODEC(ZSTD),
    noted_at DateTime DEFAULT now() CODEC(Delta, ZSTD)
  ) ENGINE = ReplacingMergeTree ORDER BY (batch, digest) TTL noted_at + INTERVAL 90 DAY`,
  `ALTER TABLE log_batches ADD COLUMN IF NOT EXISTS months String DEFAULT '' CODEC(ZSTD)`,
]

/** The versions that a store has had. */
export const VERSIONS = 'CREATE TABLE IF NOT EXISTS log_store_versions (version Int64) ENGINE = MergeTree ORDER BY version'
