/** What shares a limit across users. */
export type SharedScope = 'group' | 'model' | 'channel'

/** A brace in a name would end the hash tag. */
const tagged = (name: string): string => encodeURIComponent(name)

/**
 * The only file with key strings. `{s5}` is a cluster hash tag: everything one ledger script touches lies in one slot. Owner and
 * lifetime stand beside each key.
 */
export const keys = {
  /**
   * hash epoch, n, closed (while it is), opened (Redis TIME), restored (n at the opening), posted (n that Postgres has had) · keeper,
   * posted by posting · for ever
   */
  fence: (shard: number) => `fence:{s${shard}}`,
  /** hash credited, spent, held, version, last_n, auth · load script · until evicted */
  wallet: (shard: number, userId: number) => `w:{s${shard}}:${userId}`,
  /** hash granted, charged, held, limited, version, last_n, auth · load script · until evicted */
  token: (shard: number, tokenId: number) => `t:{s${shard}}:${tokenId}`,
  /** zset of hot accounts (`w42`, `t7`) by when they were loaded or last looked at · load and evict scripts · as the account */
  hot: (shard: number) => `hot:{s${shard}}`,
  /** hash request id → open hold or tombstone (one line of text, hold-line.ts) · reserve, settle, reaper · tombstones 24 h */
  holds: (shard: number) => `hold:{s${shard}}`,
  /** zset request id of open holds by reservation time (Redis TIME, ms) · as the hold */
  holdTimes: (shard: number) => `exp:{s${shard}}`,
  /** hash request id → draft of the usage event · reserve · as the open hold */
  pendingEvents: (shard: number) => `pending:{s${shard}}`,
  /** hash request id → progress JSON · the beat · as the open hold */
  progress: (shard: number) => `prog:{s${shard}}`,
  /** zset request id of tombstones by time · reaper and settle · 24 h */
  tombstones: (shard: number) => `tomb:{s${shard}}`,
  /** stream of usage events · settle appends, posting trims 15 minutes behind its cursor */
  usage: (shard: number) => `use:{s${shard}}`,
  /** request windows of one user · reserve and settle · two windows at most */
  userWindow: (shard: number, userId: number, name: 'total' | 'success') => `win:{s${shard}}:${name}:${userId}`,
  /** hash of counters per second and their sums (limit-window.lua) of one user or token · reserve and settle · 2 minutes */
  minute: (shard: number, of: 'user' | 'token', id: number) => `lim:{s${shard}}:${of}:${id}`,
  /** zset of open requests of one user or token by when their hold was last seen · reserve and settle · 1 to 2 days after the last */
  slots: (shard: number, of: 'user' | 'token', id: number) => `slot:{s${shard}}:${of}:${id}`,
  /** the same counters of a group, model or channel · limit-take and limit-give · 2 minutes */
  sharedMinute: (of: SharedScope, name: string) => `lim:{${of}:${tagged(name)}}`,
  /** zset of open requests by when their lease ends · limit-take and limit-give, relays renew · 2 minutes */
  sharedSlots: (of: SharedScope, name: string) => `slot:{${of}:${tagged(name)}}`,
  /** string Redis TIME of the last time any shard was opened · keeper writes, every beat reads · for ever */
  opened: () => 'opened:{cfg}',
  /** string `<store> <position>[ older]`: how far Postgres' log was seen (store-position.ts) · who tells Redis what Postgres says · for ever */
  postgres: () => 'postgres:{cfg}',
  /** hash `<shard>/<epoch>/<owner>` → `<restored>/<highest>/<resent>` (lost-events.ts) · relays write, the keeper takes out */
  lostEvents: () => 'lost:{cfg}',
  /** counter, raised each second by the relay process that owns holds · 1 day */
  heartbeat: (relay_id: string) => `heartbeat:${relay_id}`,
  /** string JSON TokenRecord by sha-256 of the key · control plane · 1 h, rewritten at each change */
  tokenRecord: (keyHash: string) => `tok:${keyHash}`,
  /** hash field → JSON · control plane publishes */
  snapshot: (kind: string) => `snap:{cfg}:${kind}`,
  /** zset field by the version that changed it · control plane · one day of changes */
  snapshotChanges: (kind: string) => `snap:{cfg}:${kind}:changes`,
  /** hash format, version */
  snapshotHead: () => 'snap:{cfg}:head',
  /** stream of channel incidents, MAXLEN ~ 100 000 · relay appends, worker reads */
  incidents: () => 'incidents',
  /** stream of what relays saw of ailing channels since they spoke last · relays write and read · 2 minutes */
  health: () => 'health:{cfg}',
  /** hash of a session · control plane · 30 days */
  session: (idHash: string) => `sess:${idHash}`,
  /** zset session hash by sign-in time · control plane · 30 days */
  userSessions: (userId: number) => `sess-of:${userId}`,
  /** hash row id → absolute quota this viewer was last shown · control plane · 1 h */
  quotaEditBaseline: (kind: 'user' | 'token', viewer: string) => `quota-edit:${kind}:${viewer}`,
  /** mark that an internal call with this nonce was served · control plane · a minute */
  internalNonce: (nonce: string) => `nonce:${nonce}`,
  /** sliding window of an address or account for one purpose · control plane */
  consoleWindow: (mark: string, subject: string) => `limit:${mark}:${subject}`,
} as const
