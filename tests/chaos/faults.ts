import { setTimeout as wait } from 'node:timers/promises'
import { serverOf, type LedgerServers } from '@tollgate/redis/ledger-servers'
import { createLedgerAdmin } from '@tollgate/ledger/accounts/ledger-admin'
import { addTokenQuota, deleteUser, addFunding, switchUser, toggleToken, topUp, type Clients } from './clients.ts'
import type { Address } from './address.ts'
import { failBack, freezeAndReplace } from './fail-over.ts'
import { failOverMaster, freezeMaster, killMajority, killMaster, killPart, moveShard, restartMaster } from './master-faults.ts'
import { moveIn } from './moving-in.ts'
import { failOverPostgres } from './postgres-fail-over.ts'
import { changePrice } from './prices.ts'
import type { Random } from './random.ts'
import { advanceStreamIds, emptyRedis, rollBackPostgres, rollBackRedis, waitUntilOpen, waitUntilPosted } from './stores.ts'
import type { Member, Cluster } from './cluster.ts'

/** The stores of the ledger: one Redis, or a Redis Cluster. */
export const TOPOLOGIES = ['single', 'cluster'] as const
export type Topology = (typeof TOPOLOGIES)[number]

export type FaultContext = {
  readonly cluster: Cluster
  readonly clients: Clients
  readonly random: Random
  readonly redis: LedgerServers
  readonly isLong: boolean
  readonly allowsDoubleFaults: boolean
}

export type Fault = {
  /** Relative frequency. */
  readonly weight: number
  /** Two faults with the same target never overlap. */
  readonly target: (context: Pick<FaultContext, 'cluster' | 'random'>) => string
  readonly run: (context: FaultContext, target: string) => Promise<void>
}

const relayOf = ({ cluster, random }: Pick<FaultContext, 'cluster' | 'random'>): string => random.pick(cluster.relays).name
const REDIS = () => 'redis'
const POSTGRES = () => 'postgres'
const LOG_STORE = () => 'log-store'

/** `--kinds` selects among these; by default all are drawn. */
export const FAULTS = {
  'relay-kill': {
    weight: 5,
    target: relayOf,
    run: ({ cluster, random }, target) => killAndRestart(relayNamed(cluster, target), random.between(100, 2000)),
  },
  'relay-stop': {
    weight: 1,
    target: relayOf,
    run: ({ cluster, random, isLong }, target) =>
      freeze(relayNamed(cluster, target), isLong && random.chance(0.3) ? 90_000 : random.between(6000, 15_000)),
  },
  'relay-restart': {
    weight: 1,
    target: relayOf,
    run: async ({ cluster }, target) => {
      await relayNamed(cluster, target).end('SIGTERM')
      await relayNamed(cluster, target).start()
    },
  },
  'worker-kill': {
    weight: 3,
    target: () => 'worker',
    run: ({ cluster, random }) => killAndRestart(cluster.worker, random.between(50, 3000)),
  },
  'control-plane-kill': {
    weight: 2,
    target: () => 'control-plane',
    run: ({ cluster, random }) => killAndRestart(cluster.controlPlane, random.between(50, 4000)),
  },
  'postgres-kill': {
    weight: 3,
    target: POSTGRES,
    run: ({ cluster, random }) => killAndRestart(cluster.postgres, random.between(50, 4000)),
  },
  'postgres-rollback': {
    weight: 0.5,
    target: POSTGRES,
    run: ({ cluster, random, isLong }) => rollBackPostgres(cluster, isLong && random.chance(0.5) ? 60_000 : random.between(5000, 15_000)),
  },
  'postgres-fail-over': {
    weight: 0.7,
    target: POSTGRES,
    run: ({ cluster, random }) => failOverPostgres(cluster, { isSynchronous: true, ...drawTimes(random) }),
  },
  'postgres-fail-over-async': {
    weight: 0.3,
    target: POSTGRES,
    run: ({ cluster, random }) => failOverPostgres(cluster, { isSynchronous: false, ...drawTimes(random) }),
  },
  'redis-kill': {
    weight: 2,
    target: REDIS,
    run: (context) => thenWaitUntilOpen(context, killAndRestart(context.cluster.redis, context.random.between(20, 1500))),
  },
  'redis-rollback': { weight: 1, target: REDIS, run: (context) => thenWaitUntilOpen(context, rollBackRedis(context.cluster, 3000)) },
  'redis-empty': { weight: 0.7, target: REDIS, run: (context) => thenWaitUntilOpen(context, emptyRedisOncePosted(context)) },
  'redis-stop': {
    weight: 1,
    target: REDIS,
    run: (context) =>
      thenWaitUntilOpen(
        context,
        freeze(context.cluster.redis, context.isLong && context.random.chance(0.2) ? 20_000 : context.random.between(500, 5000)),
      ),
  },
  'redis-pause': {
    weight: 1,
    target: REDIS,
    run: async ({ cluster, redis, random }) => {
      const ms = random.between(300, 4000)
      await serverOf(redis, random.int(cluster.shards)).call('CLIENT', 'PAUSE', String(ms), 'ALL')
      await wait(ms)
    },
  },
  'redis-fail-back': {
    weight: 1,
    target: REDIS,
    run: (context) => thenWaitUntilOpen(context, failBack(context.cluster, context.random.between(300, 3000))),
  },
  'redis-replaced': {
    weight: 1,
    target: REDIS,
    run: (context) => {
      const { cluster, random } = context
      return thenWaitUntilOpen(context, freezeAndReplace(cluster, { frozenMs: random.between(100, 2500), lateMs: random.between(0, 700) }))
    },
  },
  'redis-silent': {
    weight: 1,
    target: REDIS,
    run: (context) => thenWaitUntilOpen(context, silence(context.cluster.redisAddress, silentMsOf(context))),
  },
  'postgres-silent': {
    weight: 1.5,
    target: POSTGRES,
    run: (context) => silence(context.cluster.postgresAddress, silentMsOf(context)),
  },
  'master-kill': { weight: 2, target: REDIS, run: (context) => thenWaitUntilOpen(context, killMaster(context)) },
  'master-restart': { weight: 1, target: REDIS, run: (context) => thenWaitUntilOpen(context, restartMaster(context)) },
  'master-stop': { weight: 1.5, target: REDIS, run: (context) => thenWaitUntilOpen(context, freezeMaster(context)) },
  'master-failover': { weight: 1, target: REDIS, run: (context) => thenWaitUntilOpen(context, failOverMaster(context)) },
  'part-kill': { weight: 1, target: REDIS, run: (context) => thenWaitUntilOpen(context, killPart(context)) },
  'majority-kill': { weight: 1, target: REDIS, run: (context) => thenWaitUntilOpen(context, killMajority(context)) },
  'shard-move': { weight: 2, target: REDIS, run: (context) => thenWaitUntilOpen(context, moveShard(context)) },
  xsetid: {
    weight: 0.7,
    target: REDIS,
    run: ({ cluster, redis, random }) => advanceStreamIds(redis, random.int(cluster.shards), random.between(60_000, 3_600_000)),
  },
  'top-up': {
    weight: 5,
    target: () => 'money',
    run: async ({ cluster, clients, random }) => {
      const userId = random.pick(clients.users)
      const amount = random.between(1000, 40_000)
      await topUp(cluster.db, { userId, amount })
      addFunding(clients.funding, `user ${userId}`, amount)
    },
  },
  'token-quota': {
    weight: 2,
    target: () => 'tokens',
    run: async ({ clients, random }) => {
      const { token_id } = random.pick(live(clients))
      const amount = random.between(1000, 20_000)
      await addTokenQuota(await clients.api(), token_id, amount)
      addFunding(clients.funding, `token ${token_id}`, amount)
    },
  },
  'token-toggle': {
    weight: 3,
    target: () => 'tokens',
    run: async ({ clients, random }) => toggleToken(await clients.api(), random.pick(live(clients)).token_id),
  },
  'token-delete': {
    weight: 0.3,
    target: () => 'tokens',
    run: async ({ clients, random }) => {
      if (live(clients).length < 3) return
      const account = random.pick(live(clients))
      const answer = await (await clients.api()).remove(`/api/token/${account.token_id}`)
      if (answer.success) account.isDeleted = true
    },
  },
  'user-switch': {
    weight: 1,
    target: () => 'users',
    run: async ({ cluster, clients, random }) => {
      const userId = random.pick(clients.switchable)
      await switchUser(cluster.db, userId, 'off')
      await wait(random.between(300, 2500))
      await switchUser(cluster.db, userId, 'on')
    },
  },
  'user-delete': {
    weight: 0.4,
    target: () => 'users',
    run: async ({ cluster, clients, random }) => {
      const userId = random.pick(clients.deletable)
      await deleteUser(cluster.db, userId)
      for (const account of clients.accounts) if (account.user_id === userId) account.isDeleted = true
    },
  },
  'price-change': {
    weight: 2,
    target: () => 'prices',
    run: async ({ clients, random }) => changePrice(await clients.api(), clients.priceChanges, random),
  },
  import: { weight: 0.5, target: () => 'import', run: moveIn },
  'log-store-kill': {
    weight: 1.5,
    target: LOG_STORE,
    run: ({ cluster, random }) => killAndRestart(logStoreOf(cluster), random.between(50, 8000)),
  },
  'log-store-stop': {
    weight: 1,
    target: LOG_STORE,
    run: ({ cluster, random, isLong }) => freeze(logStoreOf(cluster), random.between(500, isLong ? 20_000 : 8000)),
  },
  evict: { weight: 3, target: () => 'money', run: evictUser },
} as const satisfies Record<string, Fault>

export type FaultKind = keyof typeof FAULTS
export const FAULT_KINDS = Object.keys(FAULTS).filter((kind): kind is FaultKind => kind in FAULTS)
/** Faults that end, freeze or replace a process. */
export const KILLS: readonly FaultKind[] = FAULT_KINDS.filter((kind) =>
  /kill|stop|restart|pause|rollback|empty|fail-back|fail-?over|replaced|silent/.test(kind),
)
/** Faults after which Redis may have lost writes. */
export const REDIS_SWAPS: readonly FaultKind[] = [
  'redis-kill',
  'redis-rollback',
  'redis-empty',
  'redis-fail-back',
  'redis-replaced',
  'master-kill',
  'master-restart',
  'master-stop',
  'master-failover',
  'part-kill',
  'majority-kill',
]
const OF_CLUSTER = /^(?:master|majority|part|shard)-/
const OF_LOG_STORE = /^log-store-/
/** Faults of the one server of the ledger. */
const OF_SERVER = /^redis-(?:rollback|empty|fail-back|replaced)$/

/** With a cluster, faults of Redis that are left are those of the server beside it. */
export function faultKindsOf({ topology, hasLogStore }: { readonly topology: Topology; readonly hasLogStore: boolean }): FaultKind[] {
  const others = topology === 'cluster' ? OF_SERVER : OF_CLUSTER
  return FAULT_KINDS.filter((kind) => !others.test(kind) && (hasLogStore || !OF_LOG_STORE.test(kind)))
}

const live = ({ rootTokens }: Clients) => rootTokens.filter(({ isDeleted }) => !isDeleted)

/** Less than a fault may last. Other faults delay recovery, and the audit takes the end of this wait as the end of the loss. */
const OPEN_WITHIN_MS = 140_000

async function thenWaitUntilOpen({ cluster }: FaultContext, work: Promise<void>): Promise<void> {
  await work
  if (!(await waitUntilOpen(cluster, OPEN_WITHIN_MS))) throw new Error(`the ledger stayed closed for ${OPEN_WITHIN_MS} ms`)
}

/** Emptying Redis while an older event is unposted would be a double fault: its relay no longer keeps the settlement. */
const POSTED_AGE_MS = 4000

async function emptyRedisOncePosted({ cluster, redis, allowsDoubleFaults }: FaultContext): Promise<void> {
  if (!allowsDoubleFaults && !(await waitUntilPosted(cluster, redis, POSTED_AGE_MS))) throw new Error('the worker did not post in time')
  await emptyRedis(cluster)
}

function logStoreOf({ logStore }: Cluster): Member {
  if (logStore === undefined) throw new Error('faults of the log store need --log-store clickhouse')
  return logStore.member
}

const drawTimes = (random: Random) => ({
  followedMs: random.between(200, 5000),
  stalledMs: random.between(500, 5000),
  servedMs: random.between(500, 8000),
})

function relayNamed({ relays }: Cluster, name: string): Member {
  const found = relays.find((relay) => relay.name === name)
  if (found === undefined) throw new Error(`no relay ${name}`)
  return found
}

async function killAndRestart(member: Member, afterMs: number): Promise<void> {
  await member.end('SIGKILL')
  await wait(afterMs)
  await member.start()
}

async function freeze(member: Member, ms: number): Promise<void> {
  member.signal('SIGSTOP')
  await wait(ms)
  member.signal('SIGCONT')
}

/** Half of them lose what is open and nothing that comes later, like a firewall that forgets its connections. */
const silentMsOf = ({ random }: FaultContext): number => (random.chance(0.5) ? 0 : random.between(500, 6000))

async function silence(address: Address, ms: number): Promise<void> {
  await address.fallSilent()
  await wait(ms)
  await address.speak()
}

/** Must exceed the maximum age of a load (5 s): a load read before the eviction would restore an outdated balance. */
const IDLE_MS = 6000

/** Runs the evict script for every account of one user; it refuses where money is held or an event is not posted. */
async function evictUser({ cluster, clients, random, redis }: FaultContext): Promise<void> {
  const userId = random.pick(clients.users)
  const { shard } = await cluster.db.selectFrom('users').select('shard').where('id', '=', userId).executeTakeFirstOrThrow()
  const { last_n: posted_n } = await cluster.db
    .selectFrom('posting_cursors')
    .select('last_n')
    .where('shard', '=', shard)
    .executeTakeFirstOrThrow()
  const admin = createLedgerAdmin(redis)
  await admin.evictWallet({ shard, user_id: userId, posted_n, idle_ms: IDLE_MS })
  for (const { user_id, token_id } of clients.accounts)
    if (user_id === userId) await admin.evictToken({ shard, token_id, posted_n, idle_ms: IDLE_MS })
}
