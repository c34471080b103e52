import type { LedgerCheck } from '@tollgate/contracts/resources/ledger'
import type { Quota } from '@tollgate/contracts/units'
import { serverOf, type LedgerServers } from '@tollgate/redis/ledger-servers'
import { keys } from '@tollgate/redis/keys'
import type { BudgetCounters } from '../client/budget-args.ts'
import { inspectShard, type HotAccount, type ShardView } from './inspect-shard.ts'
import { Tally } from './tally.ts'

export type RedisCheck = {
  readonly checks: readonly LedgerCheck[]
  readonly facts: {
    readonly unposted: number
    readonly open_holds: number
    readonly hot_wallets: number
    /** Accounts whose sums were not compared, because posting is about to correct them. */
    readonly corrections: number
  }
}

export type RedisLimits = {
  readonly shards: number
  readonly maxHoldAgeMs: number
  readonly maxLagMs: number
}

/** A wallet or token as Postgres has it. */
export type PostedAccount = {
  readonly id: number
  readonly given: Quota
  readonly used: Quota
  readonly version: number
  /** Posting dropped or corrected events of it, and has yet to tell Redis. */
  readonly is_due: boolean
}

type Page = { readonly after: number; readonly limit: number }

/** One shard in Postgres while its posting cursor is locked, so nothing is posted during the comparison. */
export type LockedShard = {
  readonly last_id: string
  readonly last_n: number
  /** Users with an id greater than `after`, by id. */
  listUsers(page: Page): Promise<readonly PostedAccount[]>
  listTokens(page: Page): Promise<readonly PostedAccount[]>
  /** Windows of budgets of these users that are not long over, or, if they belong to tokens, of these tokens. */
  listBudgets(of: { readonly kind: Kind; readonly ids: readonly number[] }): Promise<readonly PostedWindow[]>
}

/** A window of a budget as Postgres has it. */
export type PostedWindow = { readonly owner_id: number } & BudgetCounters

export type PostedShards = { withLockedShard(shard: number, work: (locked: LockedShard) => Promise<void>): Promise<void> }

type Stores = { readonly posted: PostedShards; readonly redis: LedgerServers }
type Tallies = Readonly<Record<'given' | 'used' | 'held' | 'holds' | 'stream' | 'lag' | 'budgets', Tally>>
type Facts = { -readonly [Name in keyof RedisCheck['facts']]: number }

const ACCOUNTS_PER_CALL = 100

/** Compares Redis with Postgres, one shard at a time, each while its posting cursor is locked. */
export async function checkRedis({ posted, redis }: Stores, limits: RedisLimits, signal?: AbortSignal): Promise<RedisCheck> {
  const tallies: Tallies = {
    given: new Tally('Redis: credited and granted, at equal version'),
    used: new Tally('Redis: spent − Postgres = Σ unposted'),
    held: new Tally('Redis: held = Σ open holds'),
    holds: new Tally('Redis: no hold older than the limit'),
    stream: new Tally('Redis: every event after the cursor is in the stream'),
    lag: new Tally('Redis: no unposted event older than the limit'),
    budgets: new Tally('Redis: budgets: base, spent − Postgres = Σ unposted, held = Σ open holds'),
  }
  const facts: Facts = { unposted: 0, open_holds: 0, hot_wallets: 0, corrections: 0 }
  for (let shard = 0; shard < limits.shards; shard += 1) {
    signal?.throwIfAborted()
    const now = Number((await serverOf(redis, shard).time())[0]) * 1000
    await posted.withLockedShard(shard, (locked) => checkShard({ locked, redis, shard, tallies, facts, limits, now }))
  }
  return { checks: Object.values(tallies).map((tally) => tally.result()), facts }
}

type ShardCheck = {
  readonly locked: LockedShard
  readonly redis: LedgerServers
  readonly shard: number
  readonly tallies: Tallies
  readonly facts: Facts
  readonly limits: RedisLimits
  readonly now: number
}

async function checkShard(check: ShardCheck): Promise<void> {
  const { locked, redis, shard, tallies, facts, limits, now } = check
  const { last_id, last_n } = locked
  const view = await inspectShard(redis, shard, { after: last_id, userIds: [], tokenIds: [] })
  facts.unposted += view.unposted.length
  facts.open_holds += view.holds.length
  tallies.stream.count()
  if (view.n - last_n !== view.unposted.length)
    tallies.stream.differ([`shard ${shard}: ${view.unposted.length} unposted events, but ${view.n} were appended and ${last_n} posted`])
  tallies.holds.count(view.holds.length)
  for (const { request_id, hold } of view.holds) {
    if (hold.reserved_at < now - limits.maxHoldAgeMs)
      tallies.holds.differ([`request ${request_id} of user ${hold.user_id} is open since ${new Date(hold.reserved_at).toISOString()}`])
  }
  await checkLag(check, last_id)
  await checkAccounts(check, last_id, 'user')
  await checkAccounts(check, last_id, 'token')
}

/** Checks the oldest event of the shard that is not posted, by the time that its script wrote (not the time in its stream id). */
async function checkLag({ redis, shard, tallies, limits, now }: ShardCheck, lastId: string): Promise<void> {
  tallies.lag.count()
  const [oldest] = await serverOf(redis, shard).xrange(keys.usage(shard), `(${lastId}`, '+', 'COUNT', 1)
  if (oldest === undefined) return
  const [stream_id, fields] = oldest
  const at = Number(fields[fields.indexOf('at') + 1])
  if (at >= now - limits.maxLagMs) return
  tallies.lag.differ([`shard ${shard}: event ${stream_id} is unposted since ${new Date(at).toISOString()}`])
}

type Kind = 'user' | 'token'

async function checkAccounts({ locked, redis, shard, tallies, facts }: ShardCheck, lastId: string, kind: Kind): Promise<void> {
  const list = (page: Page) => (kind === 'user' ? locked.listUsers(page) : locked.listTokens(page))
  for (let after = 0; ;) {
    const accounts = await list({ after, limit: ACCOUNTS_PER_CALL })
    const last = accounts.at(-1)
    if (last === undefined) return
    after = last.id
    const ids = accounts.map(({ id }) => id)
    const seen = await inspectShard(redis, shard, {
      after: lastId,
      userIds: kind === 'user' ? ids : [],
      tokenIds: kind === 'token' ? ids : [],
    })
    const hot = kind === 'user' ? seen.wallets : seen.tokens
    const [unposted, held] = [sumUnposted(seen, kind), sumHeld(seen, kind)]
    const windows = await locked.listBudgets({ kind, ids })
    const due = new Set(accounts.filter(({ is_due }) => is_due).map(({ id }) => id))
    facts.corrections += due.size
    compareBudgets({ seen, windows: windows.filter(({ owner_id }) => !due.has(owner_id)), due, kind, shard }, tallies.budgets)
    if (kind === 'user') facts.hot_wallets += hot.filter((one) => one !== undefined).length
    for (const [index, read] of accounts.entries()) {
      // A change may have reached Redis between the two reads.
      const isAhead = (hot[index]?.version ?? 0) > read.version
      const [account = read] = isAhead ? await list({ after: read.id - 1, limit: 1 }) : []
      const sums = { unposted: unposted.get(account.id) ?? 0, held: held.get(account.id) ?? 0 }
      compareAccount(`${kind} ${account.id}`, { account, hot: hot[index], ...sums }, tallies)
    }
  }
}

type Pair = { readonly account: PostedAccount; readonly hot: HotAccount | undefined; readonly unposted: number; readonly held: number }

function compareAccount(subject: string, { account, hot, unposted, held }: Pair, tallies: Tallies): void {
  if (!Number.isSafeInteger(account.given) || !Number.isSafeInteger(account.used)) {
    tallies.given.count()
    tallies.given.differ([`${subject}: Postgres ${account.given} and ${account.used}, beyond what can be held exactly`])
    return
  }
  if (hot === undefined) return
  if (hot.version >= account.version) tallies.given.count()
  if (hot.version === account.version && hot.given !== account.given)
    tallies.given.differ([`${subject}: Redis ${hot.given}, Postgres ${account.given}`])
  if (hot.version > account.version)
    tallies.given.differ([`${subject}: Redis has version ${hot.version}, Postgres ${account.version}: it came back older`])
  if (!account.is_due) tallies.used.count()
  if (!account.is_due && hot.used - account.used !== unposted)
    tallies.used.differ([`${subject}: Redis ${hot.used}, Postgres ${account.used}, unposted ${unposted}`])
  tallies.held.count()
  if (hot.held !== held) tallies.held.differ([`${subject}: held ${hot.held}, open holds ${held}`])
}

type Budgets = {
  readonly seen: ShardView
  readonly windows: readonly PostedWindow[]
  /** Ids of accounts that are not compared. */
  readonly due: ReadonlySet<number>
  readonly kind: Kind
  readonly shard: number
}

/** Every window that Redis counts in a hot account, or Postgres has of one. */
function compareBudgets({ seen, windows, due, kind, shard }: Budgets, tally: Tally): void {
  const account = kind === 'user' ? 'wallet' : 'token'
  const keyOf = (id: number): string => (kind === 'user' ? keys.wallet(shard, id) : keys.token(shard, id))
  const left = new Set([...due].map(keyOf))
  const hot = new Map(seen.budgets.flatMap(({ key, field, value }) => (left.has(key) ? [] : [[`${key} ${field}`, value] as const])))
  const sums = new Map<string, number>()
  const add = (name: string, amount: number): void => void sums.set(name, (sums.get(name) ?? 0) + amount)
  for (const event of seen.unposted)
    for (const part of event.budgets)
      if (part.account === account)
        add(`${keyOf(kind === 'user' ? event.user_id : event.token_id)} bs${part.id}:${part.start}`, event.charge)
  for (const { hold } of seen.holds)
    for (const part of hold.budgets ?? [])
      if (part.account === account) add(`${keyOf(kind === 'user' ? hold.user_id : hold.token_id)} bh${part.id}:${part.start}`, part.held)
  const posted = new Map<string, number>()
  for (const { owner_id, budget_id, window_start, base, spent } of windows) {
    posted.set(`${keyOf(owner_id)} bs${budget_id}:${window_start}`, spent)
    posted.set(`${keyOf(owner_id)} bb${budget_id}:${window_start}`, base)
  }
  for (const [name, value] of hot) {
    tally.count()
    const expected = (posted.get(name) ?? 0) + (sums.get(name) ?? 0)
    if (value !== expected) tally.differ([`${name}: Redis ${value}, expected ${expected}`])
  }
}

function sumUnposted({ unposted }: ShardView, kind: Kind): Map<number, number> {
  return sumBy(
    unposted.map(({ user_id, token_id, charge, token_charge }) => (kind === 'user' ? [user_id, charge] : [token_id, token_charge])),
  )
}

function sumHeld({ holds }: ShardView, kind: Kind): Map<number, number> {
  return sumBy(
    holds.map(({ hold: { user_id, token_id, wallet_held, token_held } }) =>
      kind === 'user' ? [user_id, wallet_held] : [token_id, token_held],
    ),
  )
}

function sumBy(amounts: readonly (readonly [id: number, amount: number])[]): Map<number, number> {
  const sums = new Map<number, number>()
  for (const [id, amount] of amounts) sums.set(id, (sums.get(id) ?? 0) + amount)
  return sums
}
