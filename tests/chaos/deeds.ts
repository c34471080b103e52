import { setTimeout as wait } from 'node:timers/promises'
import type { Redis } from '@tollgate/redis/connect'
import { createLedgerAdmin } from '@tollgate/ledger/accounts/ledger-admin'
import { addTokenQuota, deleteUser, noteGiven, switchUser, toggleToken, topUp, type People } from './people.ts'
import type { Random } from './random.ts'
import { aheadOfTheClock, emptyRedis, rollBackPostgres, rollBackRedis, waitUntilOpen, waitUntilPosted } from './stores.ts'
import type { Member, Cluster } from './cluster.ts'

export type Scene = {
  readonly cluster: Cluster
  readonly people: People
  readonly random: Random
  readonly redis: Redis
  readonly isLong: boolean
  readonly isTogether: boolean
}

export type Deed = {
  /** How often, against the others. */
  readonly weight: number
  /** Two deeds with the same target never overlap. */
  readonly target: (scene: Pick<Scene, 'cluster' | 'random'>) => string
  readonly run: (scene: Scene, target: string) => Promise<void>
}

const relayOf = ({ cluster, random }: Pick<Scene, 'cluster' | 'random'>): string => random.pick(cluster.relays).name
const REDIS = () => 'redis'
const POSTGRES = () => 'postgres'

/** The kinds of trouble. `--kinds` chooses among them; without it all are drawn. */
export const deeds = {
  'relay-kill': {
    weight: 5,
    target: relayOf,
    run: ({ cluster, random }, target) => killAndStart(named(cluster, target), random.between(100, 2000)),
  },
  'relay-stop': {
    weight: 1,
    target: relayOf,
    run: ({ cluster, random, isLong }, target) =>
      freeze(named(cluster, target), isLong && random.chance(0.3) ? 90_000 : random.between(6000, 15_000)),
  },
  'relay-restart': {
    weight: 1,
    target: relayOf,
    run: async ({ cluster }, target) => {
      await named(cluster, target).end('SIGTERM')
      await named(cluster, target).start()
    },
  },
  'worker-kill': {
    weight: 3,
    target: () => 'worker',
    run: ({ cluster, random }) => killAndStart(cluster.worker, random.between(50, 3000)),
  },
  'control-plane-kill': {
    weight: 2,
    target: () => 'control-plane',
    run: ({ cluster, random }) => killAndStart(cluster.controlPlane, random.between(50, 4000)),
  },
  'postgres-kill': { weight: 3, target: POSTGRES, run: ({ cluster, random }) => killAndStart(cluster.postgres, random.between(50, 4000)) },
  'postgres-rollback': {
    weight: 0.5,
    target: POSTGRES,
    run: ({ cluster, random, isLong }) => rollBackPostgres(cluster, isLong && random.chance(0.5) ? 60_000 : random.between(5000, 15_000)),
  },
  'redis-kill': {
    weight: 2,
    target: REDIS,
    run: (scene) => untilOpen(scene, killAndStart(scene.cluster.redis, scene.random.between(20, 1500))),
  },
  'redis-rollback': { weight: 1, target: REDIS, run: (scene) => untilOpen(scene, rollBackRedis(scene.cluster, 3000)) },
  'redis-empty': { weight: 0.7, target: REDIS, run: (scene) => untilOpen(scene, emptyOncePosted(scene)) },
  'redis-stop': {
    weight: 1,
    target: REDIS,
    run: (scene) =>
      untilOpen(scene, freeze(scene.cluster.redis, scene.isLong && scene.random.chance(0.2) ? 20_000 : scene.random.between(500, 5000))),
  },
  'redis-pause': {
    weight: 1,
    target: REDIS,
    run: async ({ redis, random }) => {
      const ms = random.between(300, 4000)
      await redis.call('CLIENT', 'PAUSE', String(ms), 'ALL')
      await wait(ms)
    },
  },
  xsetid: {
    weight: 0.7,
    target: REDIS,
    run: ({ cluster, redis, random }) => aheadOfTheClock(redis, random.int(cluster.shards), random.between(60_000, 3_600_000)),
  },
  'top-up': {
    weight: 5,
    target: () => 'money',
    run: async ({ cluster, people, random }) => {
      const userId = random.pick(people.users)
      const amount = random.between(1000, 40_000)
      await topUp(cluster.db, { userId, amount })
      noteGiven(people.given, `user ${userId}`, amount)
    },
  },
  'token-quota': {
    weight: 2,
    target: () => 'tokens',
    run: async ({ people, random }) => {
      const { token_id } = random.pick(live(people))
      const amount = random.between(1000, 20_000)
      await addTokenQuota(await people.api(), token_id, amount)
      noteGiven(people.given, `token ${token_id}`, amount)
    },
  },
  'token-toggle': {
    weight: 3,
    target: () => 'tokens',
    run: async ({ people, random }) => toggleToken(await people.api(), random.pick(live(people)).token_id),
  },
  'token-delete': {
    weight: 0.3,
    target: () => 'tokens',
    run: async ({ people, random }) => {
      if (live(people).length < 3) return
      const account = random.pick(live(people))
      const answer = await (await people.api()).remove(`/api/token/${account.token_id}`)
      if (answer.success) account.isDeleted = true
    },
  },
  'user-switch': {
    weight: 1,
    target: () => 'users',
    run: async ({ cluster, people, random }) => {
      const userId = random.pick(people.switchable)
      await switchUser(cluster.db, userId, 'off')
      await wait(random.between(300, 2500))
      await switchUser(cluster.db, userId, 'on')
    },
  },
  'user-delete': {
    weight: 0.4,
    target: () => 'users',
    run: async ({ cluster, people, random }) => {
      const userId = random.pick(people.deletable)
      await deleteUser(cluster.db, userId)
      for (const account of people.accounts) if (account.user_id === userId) account.isDeleted = true
    },
  },
  evict: { weight: 3, target: () => 'money', run: evictSomebody },
} as const satisfies Record<string, Deed>

export type Kind = keyof typeof deeds
export const KINDS = Object.keys(deeds).filter((kind): kind is Kind => kind in deeds)
/** Those that end, freeze or replace a process. */
export const KILLS: readonly Kind[] = KINDS.filter((kind) => /kill|stop|restart|pause|rollback|empty/.test(kind))
/** Those after which Redis has other contents than before. */
export const REDIS_SWAPS: readonly Kind[] = ['redis-kill', 'redis-rollback', 'redis-empty']

const live = ({ rootTokens }: People) => rootTokens.filter(({ isDeleted }) => !isDeleted)

const OPEN_WITHIN_MS = 60_000

async function untilOpen({ cluster }: Scene, work: Promise<void>): Promise<void> {
  await work
  if (!(await waitUntilOpen(cluster, OPEN_WITHIN_MS))) throw new Error(`the ledger stayed closed for ${OPEN_WITHIN_MS} ms`)
}

/** What waits in Redis for longer than relays remember is gone with it: a second death, of the one who should have posted it. */
const POSTED_AGE_MS = 4000

async function emptyOncePosted({ cluster, redis, isTogether }: Scene): Promise<void> {
  if (!isTogether && !(await waitUntilPosted(cluster, redis, POSTED_AGE_MS))) throw new Error('nobody posted')
  await emptyRedis(cluster)
}

function named({ relays }: Cluster, name: string): Member {
  const found = relays.find((relay) => relay.name === name)
  if (found === undefined) throw new Error(`no member ${name}`)
  return found
}

async function killAndStart(member: Member, afterMs: number): Promise<void> {
  await member.end('SIGKILL')
  await wait(afterMs)
  await member.start()
}

async function freeze(member: Member, ms: number): Promise<void> {
  member.signal('SIGSTOP')
  await wait(ms)
  member.signal('SIGCONT')
}

/** Longer than a load may be old (5 s): with less, a load that was read before would bring back what has changed since. */
const IDLE_MS = 6000

/** Asks the evict script for every account of one user; it refuses where money is held or an event is not posted. */
async function evictSomebody({ cluster, people, random, redis }: Scene): Promise<void> {
  const userId = random.pick(people.users)
  const { shard } = await cluster.db.selectFrom('users').select('shard').where('id', '=', userId).executeTakeFirstOrThrow()
  const { last_n: posted_n } = await cluster.db
    .selectFrom('posting_cursors')
    .select('last_n')
    .where('shard', '=', shard)
    .executeTakeFirstOrThrow()
  const admin = createLedgerAdmin(redis)
  await admin.evictWallet({ shard, user_id: userId, posted_n, idle_ms: IDLE_MS })
  for (const { user_id, token_id } of people.accounts)
    if (user_id === userId) await admin.evictToken({ shard, token_id, posted_n, idle_ms: IDLE_MS })
}
