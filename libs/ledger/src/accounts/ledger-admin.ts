import type { Quota, UnixMillis } from '@tollgate/contracts/units'
import type { Redis } from '@tollgate/redis/connect'
import { isCluster, serverOf, type LedgerServers } from '@tollgate/redis/ledger-servers'
import { keys } from '@tollgate/redis/keys'
import { endKeys } from '../client/args.ts'
import { correctedBudgets, loadedBudgets, syncedBudgets, type BudgetCounters } from '../client/budget-args.ts'
import type { ScriptArgument } from '@tollgate/redis/scripts/script-call'
import { callScript, numberIn, type SingleScriptName, type ScriptOutcome } from '../scripts/scripts.ts'

/** One wallet, read by one SQL statement. */
export type WalletState = {
  readonly shard: number
  /** The shard's posted n from the same statement: the last event that `spent` includes. */
  readonly posted_n: number
  readonly user_id: number
  readonly credited: Quota
  readonly spent: Quota
  /** `users.wallet_version` */
  readonly version: number
  /** `users.auth_version` */
  readonly auth: number
  /** Windows of budgets of the user and of his group that are not long over. */
  readonly budgets?: readonly BudgetCounters[]
}

/** One token, read by one SQL statement; `shard` is its user's. */
export type TokenState = {
  readonly shard: number
  /** The shard's posted n from the same statement: the last event that `charged` includes. */
  readonly posted_n: number
  readonly token_id: number
  readonly granted: Quota
  readonly charged: Quota
  readonly is_limited: boolean
  readonly version: number
  readonly auth: number
  /** Windows of budgets of the token that are not long over. */
  readonly budgets?: readonly BudgetCounters[]
}

export type LedgerUnavailable = { readonly kind: 'closed' } | { readonly kind: 'unavailable'; readonly cause: unknown }
export type LoadResult = { readonly kind: 'made' | 'loaded' | 'old' } | LedgerUnavailable
export type SyncResult = { readonly kind: 'synced' | 'current' | 'cold' } | LedgerUnavailable
export type EvictResult = { readonly kind: 'evicted' | 'busy' | 'absent' } | LedgerUnavailable
export type CorrectionResult = { readonly kind: 'corrected' | 'busy' | 'absent' } | LedgerUnavailable
export type ReapResult = { readonly kind: 'reaped'; readonly n: number } | { readonly kind: 'absent' | 'cold' } | LedgerUnavailable
export type SweepResult = { readonly kind: 'swept'; readonly count: number } | LedgerUnavailable

export type ReapInput = {
  readonly shard: number
  readonly request_id: string
  readonly user_id: number
  readonly token_id: number
  readonly relay_id: string
  readonly charge: Quota
  readonly body: string
}

/** Redis TIME (ms) before a read of Postgres; of several servers, which have a clock each, this process's monotonic clock. */
export type ReadAt = UnixMillis | { readonly monotonic: number }

/** Up to which event of the shard sums were posted. */
export type PostedUpTo = {
  readonly shard: number
  readonly posted_n: number
  /** Stream id of that event. */
  readonly posted_id: string
  readonly budgets?: readonly BudgetCounters[]
}

export type LedgerAdmin = {
  /** Redis TIME in ms of the server of a shard. */
  redisTime(shard?: number): Promise<UnixMillis>
  /** Call it before the SQL read whose rows go to `loadWallets` or `loadTokens`. */
  beginRead(): Promise<ReadAt>
  /**
   * `readAt` is `beginRead()` from before the read. `old`: read more than 5 s ago, before the fence opened, or from a Postgres that has
   * posted less than before. Read again; if the answer stays `old`, Postgres came back older and recovery must check it first.
   */
  loadWallets(wallets: readonly WalletState[], readAt: ReadAt): Promise<LoadResult[]>
  loadTokens(tokens: readonly TokenState[], readAt: ReadAt): Promise<LoadResult[]>
  syncWallet(wallet: Omit<WalletState, 'spent' | 'posted_n'>): Promise<SyncResult>
  syncToken(token: Omit<TokenState, 'charged' | 'posted_n'>): Promise<SyncResult>
  /** `posted_n` must have been committed for longer than a load may be old (5 s), else a load could restore older values. */
  evictWallet(where: {
    readonly shard: number
    readonly user_id: number
    readonly posted_n: number
    readonly idle_ms: number
  }): Promise<EvictResult>
  evictToken(where: {
    readonly shard: number
    readonly token_id: number
    readonly posted_n: number
    readonly idle_ms: number
  }): Promise<EvictResult>
  /** Sets `spent` to Postgres' value and the charges of the wallet's events after it. `busy`: more than 1 000 events follow. */
  correctWallet(wallet: PostedUpTo & { readonly user_id: number; readonly spent: Quota }): Promise<CorrectionResult>
  correctToken(token: PostedUpTo & { readonly token_id: number; readonly charged: Quota }): Promise<CorrectionResult>
  reap(input: ReapInput): Promise<ReapResult>
  sweepTombstones(shard: number, ageMs: number, limit: number): Promise<SweepResult>
}

/** Ledger calls of the control plane and the worker: load, sync, evict, correct, reap, sweep. One script call per account. */
export function createLedgerAdmin(servers: LedgerServers): LedgerAdmin {
  const call = callerOf(servers)
  return {
    redisTime: (shard = 0) => readRedisTime(serverOf(servers, shard)),
    beginRead: async () => (isCluster(servers) ? { monotonic: performance.now() } : await readRedisTime(servers)),
    ...accountLoads(servers, call),
    syncWallet: (w) =>
      call(
        w.shard,
        'sync-wallet',
        [keys.fence(w.shard), keys.wallet(w.shard, w.user_id)],
        [w.credited, w.version, w.auth, ...syncedBudgets(w.budgets ?? [])],
        SYNCED,
      ),
    syncToken: (t) =>
      call(
        t.shard,
        'sync-token',
        [keys.fence(t.shard), keys.token(t.shard, t.token_id)],
        [t.granted, t.is_limited ? 1 : 0, t.version, t.auth, ...syncedBudgets(t.budgets ?? [])],
        SYNCED,
      ),
    evictWallet: (at) =>
      call(at.shard, 'evict', evictKeys(at.shard, keys.wallet(at.shard, at.user_id)), evictArgs(at, `w${at.user_id}`), EVICTED),
    evictToken: (at) =>
      call(at.shard, 'evict', evictKeys(at.shard, keys.token(at.shard, at.token_id)), evictArgs(at, `t${at.token_id}`), EVICTED),
    ...corrections(call),
    reap: async (input) =>
      toReapResult(
        await callScript(servers, input.shard, 'reap', endKeys(input.shard, input.user_id, input.token_id), [
          input.request_id,
          input.relay_id,
          input.charge,
          input.body,
        ]),
      ),
    sweepTombstones: async (shard, ageMs, limit) => {
      const outcome = await callScript(
        servers,
        shard,
        'sweep',
        [keys.fence(shard), keys.holds(shard), keys.tombstones(shard)],
        [ageMs, limit],
      )
      return outcome.kind === 'answered' ? { kind: 'swept', count: numberIn(outcome.reply, 1) } : outcome
    },
  }
}

type Call = ReturnType<typeof callerOf>

/** Calls a script of one shard, whose answer is one of these kinds. */
function callerOf(servers: LedgerServers) {
  return async <Kind extends string>(
    shard: number,
    name: SingleScriptName,
    scriptKeys: readonly string[],
    args: readonly ScriptArgument[],
    kinds: readonly Kind[],
  ): Promise<{ kind: Kind } | LedgerUnavailable> => toKind(await callScript(servers, shard, name, scriptKeys, args), name, kinds)
}

function corrections(call: Call): Pick<LedgerAdmin, 'correctWallet' | 'correctToken'> {
  return {
    correctWallet: (w) =>
      call(
        w.shard,
        'correct-balance',
        [keys.fence(w.shard), keys.wallet(w.shard, w.user_id), keys.usage(w.shard)],
        ['spent', w.spent, w.posted_n, w.posted_id, w.user_id, ...correctedBudgets(w.budgets ?? [])],
        CORRECTED,
      ),
    correctToken: (t) =>
      call(
        t.shard,
        'correct-balance',
        [keys.fence(t.shard), keys.token(t.shard, t.token_id), keys.usage(t.shard)],
        ['charged', t.charged, t.posted_n, t.posted_id, t.token_id, ...correctedBudgets(t.budgets ?? [])],
        CORRECTED,
      ),
  }
}

function accountLoads(servers: LedgerServers, call: Call): Pick<LedgerAdmin, 'loadWallets' | 'loadTokens'> {
  const keysOf = (shard: number, account: string): string[] => [keys.fence(shard), account, keys.holds(shard), keys.hot(shard)]
  return {
    loadWallets: (wallets, readAt) =>
      loadEach(servers, wallets, readAt, (w, at) =>
        call(w.shard, 'load-wallet', keysOf(w.shard, keys.wallet(w.shard, w.user_id)), loadWalletArgs(w, at), LOADED),
      ),
    loadTokens: (tokens, readAt) =>
      loadEach(servers, tokens, readAt, (t, at) =>
        call(t.shard, 'load-token', keysOf(t.shard, keys.token(t.shard, t.token_id)), loadTokenArgs(t, at), LOADED),
      ),
  }
}

/** Loads each account, with the time of the read by the clock of its server. */
async function loadEach<State extends { readonly shard: number }>(
  servers: LedgerServers,
  states: readonly State[],
  readAt: ReadAt,
  loadOne: (state: State, at: UnixMillis) => Promise<LoadResult>,
): Promise<LoadResult[]> {
  if (typeof readAt === 'number') return await Promise.all(states.map((state) => loadOne(state, readAt)))
  const times = new Map<Redis, Promise<UnixMillis>>()
  const timeOf = (redis: Redis): Promise<UnixMillis> => {
    const time = times.get(redis) ?? timeAt(redis, readAt.monotonic)
    times.set(redis, time)
    return time
  }
  return await Promise.all(
    states.map((state) =>
      timeOf(serverOf(servers, state.shard)).then(
        (at) => loadOne(state, at),
        (cause: unknown): LoadResult => ({ kind: 'unavailable', cause }),
      ),
    ),
  )
}

/** Redis TIME of an earlier moment, or a little less: the answer was on its way while the monotonic clock went on. */
async function timeAt(redis: Redis, monotonic: number): Promise<UnixMillis> {
  const time = await readRedisTime(redis)
  return Math.floor(time - (performance.now() - monotonic))
}

function loadWalletArgs(wallet: WalletState, readAt: UnixMillis): ScriptArgument[] {
  const { user_id, credited, spent, version, auth, posted_n, budgets = [] } = wallet
  return [user_id, credited, spent, version, auth, readAt, posted_n, ...loadedBudgets(budgets)]
}

function loadTokenArgs(token: TokenState, readAt: UnixMillis): ScriptArgument[] {
  const { token_id, granted, charged, is_limited, version, auth, posted_n, budgets = [] } = token
  return [token_id, granted, charged, is_limited ? 1 : 0, version, auth, readAt, posted_n, ...loadedBudgets(budgets)]
}

const evictKeys = (shard: number, account: string): string[] => [keys.fence(shard), account, keys.hot(shard)]
const evictArgs = (at: { posted_n: number; idle_ms: number }, name: string): ScriptArgument[] => [at.posted_n, at.idle_ms, name]

const LOADED = ['made', 'loaded', 'old'] as const
const SYNCED = ['synced', 'current', 'cold'] as const
const EVICTED = ['evicted', 'busy', 'absent'] as const
const CORRECTED = ['corrected', 'busy', 'absent'] as const

/** Redis TIME in whole milliseconds. */
export async function readRedisTime(redis: Redis): Promise<UnixMillis> {
  const [seconds, micros] = await redis.time()
  return Number(seconds) * 1000 + Math.floor(Number(micros) / 1000)
}

function toKind<Kind extends string>(outcome: ScriptOutcome, name: string, kinds: readonly Kind[]): { kind: Kind } | LedgerUnavailable {
  if (outcome.kind !== 'answered') return outcome
  const kind = kinds.find((known) => known === outcome.reply[0])
  if (kind === undefined) throw new Error(`${name} answered ${String(outcome.reply[0])}`)
  return { kind }
}

function toReapResult(outcome: ScriptOutcome): ReapResult {
  if (outcome.kind !== 'answered') return outcome
  const kind = outcome.reply[0]
  if (kind === 'reaped') return { kind, n: numberIn(outcome.reply, 1) }
  if (kind === 'absent' || kind === 'cold') return { kind }
  throw new Error(`reap answered ${String(kind)}`)
}
