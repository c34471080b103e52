/** Scopes whose limits are shared across users. */
export type SharedScope = 'group' | 'model' | 'channel'

/** Purpose of a one-time record: see the services that take it. */
export type OneTimePurpose = 'oauth' | 'second-step' | 'passkey' | 'telegram'

/** Encoded, because a brace in a name would end the hash tag. */
const tagged = (name: string): string => encodeURIComponent(name)

/**
 * The only file with key strings. `{s5}` is a cluster hash tag: all keys of one ledger script are in one slot. Each comment names the
 * value, its writers and its lifetime.
 */
export const keys = {
  /**
   * hash epoch, n, closed (if it is), opened (Redis TIME), restored (n at the opening), posted (n that Postgres has posted), store (mark
   * of the server on which it was opened, store-mark.ts) · recovery; posting writes posted · no expiry
   */
  fence: (shard: number) => `fence:{s${shard}}`,
  /** hash credited, spent, held, version, last_n, auth · load script · until evicted */
  wallet: (shard: number, userId: number) => `w:{s${shard}}:${userId}`,
  /** hash granted, charged, held, limited, version, last_n, auth · load script · until evicted */
  token: (shard: number, tokenId: number) => `t:{s${shard}}:${tokenId}`,
  /** zset of hot accounts (`w42`, `t7`) by the time they were loaded or last checked · load and evict scripts · as the account */
  hot: (shard: number) => `hot:{s${shard}}`,
  /** hash request id → open hold or tombstone (one line of text, hold-codec.ts) · reserve, settle, reap · tombstones 24 h */
  holds: (shard: number) => `hold:{s${shard}}`,
  /** zset request id of open holds by reservation time (Redis TIME, ms) · as the hold */
  holdTimes: (shard: number) => `exp:{s${shard}}`,
  /** hash request id → pending usage event · reserve · as the open hold */
  pendingEvents: (shard: number) => `pending:{s${shard}}`,
  /** hash request id → progress JSON · heartbeat · as the open hold */
  progress: (shard: number) => `prog:{s${shard}}`,
  /** zset request id of tombstones by time · settle, reap · 24 h */
  tombstones: (shard: number) => `tomb:{s${shard}}`,
  /** stream of usage events · settle and reap append, posting trims 15 minutes behind its cursor */
  usage: (shard: number) => `use:{s${shard}}`,
  /** number of sessions that a short-lived token has opened · relay · until the token ends */
  tokenUses: (id: string) => `uses:${id}`,
  /** zset request id by time, a request window of one user · reserve, settle · two windows at most */
  userWindow: (shard: number, userId: number, name: 'total' | 'success') => `win:{s${shard}}:${name}:${userId}`,
  /** hash of counters per second and their sums (limit-window.lua) of one user or token · reserve, settle · 2 minutes */
  minute: (shard: number, of: 'user' | 'token', id: number) => `lim:{s${shard}}:${of}:${id}`,
  /** zset of open requests of one user or token by the time their hold was last seen · reserve, settle · 1 to 2 days after the last */
  slots: (shard: number, of: 'user' | 'token', id: number) => `slot:{s${shard}}:${of}:${id}`,
  /** the same counters for a group, model or channel · limit-take, limit-release · 2 minutes */
  sharedMinute: (of: SharedScope, name: string) => `lim:{${of}:${tagged(name)}}`,
  /** zset of open requests by lease expiry · limit-take, limit-release; relays renew · 2 minutes */
  sharedSlots: (of: SharedScope, name: string) => `slot:{${of}:${tagged(name)}}`,
  /** hash process id → JSON of what a process says about itself (running-services.ts) · every service · a day */
  services: () => 'services:{cfg}',
  /** string `<Redis TIME> <mark of the server>` when a fence was last opened · recovery writes, every connection reads · no expiry */
  opened: () => 'opened:{cfg}',
  /** SHA-1 of the reserve script of the version that opened the fence last · recovery · no expiry */
  openedScript: () => 'opened-script:{cfg}',
  /** string `<store> <position>[ older]`: highest seen position of Postgres' log (store-position.ts) · every writer of Postgres data · no expiry */
  postgres: () => 'postgres:{cfg}',
  /** hash `<shard>/<epoch>/<relay id>` → `<restored>/<highest>/<resent>` (lost-events.ts) · relays write, recovery removes */
  lostEvents: () => 'lost:{cfg}',
  /** counter · each relay process raises its own every second · 1 day */
  heartbeat: (relayId: string) => `heartbeat:${relayId}`,
  /** the same on each server of a cluster, beside one of its shards · 1 day */
  heartbeatBeside: (shard: number, relayId: string) => `heartbeat:{s${shard}}:${relayId}`,
  /** string JSON TokenRecord by SHA-256 of the key · control plane · 1 h, rewritten at each change */
  tokenRecord: (keyHash: string) => `tok:${keyHash}`,
  /** hash field → JSON · control plane publishes */
  snapshot: (kind: string) => `snap:{cfg}:${kind}`,
  /** zset field by the version that changed it · control plane · one day of changes */
  snapshotChanges: (kind: string) => `snap:{cfg}:${kind}:changes`,
  /** hash format, version */
  snapshotHead: () => 'snap:{cfg}:head',
  /** pub/sub channel: each version when it is published · control plane publishes, relays subscribe */
  snapshotVersions: () => 'snap:{cfg}:versions',
  /** stream of channel incidents, MAXLEN ~ 100 000 · relays append, worker reads */
  incidents: () => 'incidents',
  /** hash channel id → counts of its calls in the five minutes from this unix second (channel-activity-add.lua) · relays · 75 minutes */
  channelActivity: (start: number) => `activity:{cfg}:${start}`,
  /** hash channel id → JSON of its last failed call · relays · 7 days after the last one */
  channelErrors: () => 'activity:{cfg}:errors',
  /** string JSON of the effective costs of channels (effective-costs.ts) · worker · two hours after they were measured */
  effectiveCosts: () => 'costs:{cfg}',
  /** hash relay id → JSON of its breakers that are not closed, and the time · relays · a minute after the last report */
  openBreakers: () => 'breakers:{cfg}',
  /** hash JSON of channel id, kind and word → JSON of its latest unexpected answer · relays · a day after the last one */
  unexpectedAnswers: () => 'unexpected:{cfg}',
  /** hash the same fields → how often · relays · a day after the last one */
  unexpectedAnswerCounts: () => 'unexpected:{cfg}:counts',
  /** stream of batches of refused requests, at most 500 · relays append, worker reads and removes */
  refusals: () => 'refusals:{cfg}',
  /** number of a relay's last batch · relay · 1 day */
  refusalSeq: (relayId: string) => `refusals:{cfg}:seq:${relayId}`,
  /** string id of the run over channels that is under way · control plane, worker · two minutes after its last step */
  channelRunLock: (kind: string) => `run:{cfg}:${kind}:lock`,
  /** hash of the latest run over channels (channel-run.ts) · control plane, worker · 7 days */
  channelRun: (kind: string) => `run:{cfg}:${kind}`,
  /** list of the JSON of its results · worker · 7 days */
  channelRunResults: (kind: string) => `run:{cfg}:${kind}:results`,
  /** string id of the import that is under way · control plane · 20 s after its last step */
  importLock: () => 'import:{cfg}:lock',
  /** string id of the latest import of the console · control plane · 7 days */
  latestImport: () => 'import:{cfg}:latest',
  /** string JSON of an import of the console · control plane · 7 days */
  importRun: (id: string) => `import:{cfg}:run:${id}`,
  /** string its report, compressed · control plane · 7 days */
  importReport: (id: string) => `import:{cfg}:report:${id}`,
  /** flag: the import is to stop · control plane · an hour */
  importCancelled: (id: string) => `import:{cfg}:cancelled:${id}`,
  /** string sealed address or path of the source of an import · control plane · 24 h */
  importSource: (id: string) => `import:{cfg}:source:${id}`,
  /** string id of the latest search of the archive of a user, in own rows or in those of all · control plane · half an hour */
  latestArchiveSearch: (userId: number, rows: 'own' | 'all') => `archive:{cfg}:latest:${userId}:${rows}`,
  /** string JSON of a search of the archive (archive-search.ts) · control plane, worker · half an hour */
  archiveSearch: (id: string) => `archive:{cfg}:search:${id}`,
  /** stream of channel health changes · relays write and read · 2 minutes */
  health: () => 'health:{cfg}',
  /** hash count and next (attempt-take.lua) of attempts at a password · control plane · 1 h after the last */
  attempts: (purpose: string, subject: string) => `try:${purpose}:${subject}`,
  /** string name of the model that answers a conversation in place of the requested one · relays · 1 h after its last answer */
  servedModel: (userId: number, conversation: number, asked: string) => `served:${userId}:${conversation}:${tagged(asked)}`,
  /** string sealed record of one user's kept response, by name (response-state in the relay) · relays · option ResponseStateTtl */
  responseState: (userId: number, name: string) => `resp:{u${userId}}:${name}`,
  /** zset record name by the time of its last use (ms) · relays · as the records */
  responseStateOrder: (userId: number) => `resp-order:{u${userId}}`,
  /** hash record name → bytes, and their sum under the empty name · relays · as the records */
  responseStateSizes: (userId: number) => `resp-sizes:{u${userId}}`,
  /** hash of a session · control plane · 30 days */
  session: (idHash: string) => `sess:${idHash}`,
  /** zset session hash by sign-in time · control plane · 30 days */
  userSessions: (userId: number) => `sess-of:${userId}`,
  /** string JSON of a sign-in that has begun, by the hash of a secret that one browser has · control plane · 5 minutes, taken once */
  oneTime: (purpose: OneTimePurpose, secretHash: string) => `once:${purpose}:${secretHash}`,
  /** hash row id → absolute quota that this viewer last saw · control plane · 1 h */
  quotaEditBaseline: (kind: 'user' | 'token', viewer: string) => `quota-edit:${kind}:${viewer}`,
  /** flag: an internal call with this nonce was served · control plane · a minute */
  internalNonce: (nonce: string) => `nonce:${nonce}`,
  /** flag: the account has changed something (recent-writes.ts) · control plane · as long as a replica may be behind */
  recentWrite: (accountId: number) => `wrote:${accountId}`,
  /** sliding window of an address or account for one purpose · control plane */
  consoleWindow: (purpose: string, subject: string) => `limit:${purpose}:${subject}`,
} as const
