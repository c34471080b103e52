import { setTimeout as wait } from 'node:timers/promises'
import { connectRedis, type Redis } from '@tollgate/redis/connect'
import { createLedgerAdmin } from '@tollgate/redis/ledger-admin'
import { addTokenQuota, toggleToken, topUp, type People } from './people.ts'
import type { Random } from './random.ts'
import type { Member, World } from './world.ts'

/** What was done and when; `to` 0: still going on. */
export type Incident = { readonly kind: Kind; readonly target: string; readonly from: number; to: number; error?: string }

export type Trouble = { readonly incidents: readonly Incident[]; finish(): Promise<void> }

type Scene = { readonly world: World; readonly people: People; readonly random: Random; readonly redis: Redis; readonly isLong: boolean }
type Deed = {
  /** How often, against the others. */
  readonly weight: number
  /** Two deeds with the same target never overlap. */
  readonly target: (scene: Scene) => string
  readonly run: (scene: Scene, target: string) => Promise<void>
}

const relayOf = ({ world, random }: Scene): string => random.pick(world.relays).name

/** The kinds of trouble. `--kinds` chooses among them; without it all are drawn. */
export const deeds = {
  'relay-kill': {
    weight: 5,
    target: relayOf,
    run: ({ world, random }, target) => killAndStart(named(world, target), random.between(100, 3000)),
  },
  'relay-stop': {
    weight: 2,
    target: relayOf,
    run: ({ world, random, isLong }, target) =>
      freeze(named(world, target), isLong && random.chance(0.5) ? 90_000 : random.between(6000, 18_000)),
  },
  'relay-restart': {
    weight: 1,
    target: relayOf,
    run: async ({ world }, target) => {
      await named(world, target).end('SIGTERM')
      await named(world, target).start()
    },
  },
  'worker-kill': { weight: 4, target: () => 'worker', run: ({ world, random }) => killAndStart(world.worker, random.between(50, 3000)) },
  'control-plane-kill': {
    weight: 3,
    target: () => 'control-plane',
    run: ({ world, random }) => killAndStart(world.controlPlane, random.between(50, 4000)),
  },
  'postgres-kill': {
    weight: 3,
    target: () => 'postgres',
    run: ({ world, random }) => killAndStart(world.postgres, random.between(50, 4000)),
  },
  'redis-kill': { weight: 2, target: () => 'redis', run: ({ world, random }) => killAndStart(world.redis, random.between(20, 2000)) },
  'redis-stop': {
    weight: 1,
    target: () => 'redis',
    run: ({ world, random, isLong }) => freeze(world.redis, random.between(1000, isLong ? 20_000 : 8000)),
  },
  'redis-pause': {
    weight: 1,
    target: () => 'redis',
    run: async ({ redis, random }) => {
      const ms = random.between(300, 6000)
      await redis.call('CLIENT', 'PAUSE', String(ms), 'ALL')
      await wait(ms)
    },
  },
  'top-up': {
    weight: 5,
    target: () => 'money',
    run: ({ world, people, random }) => topUp(world.db, { userId: random.pick(people.users), amount: random.between(1000, 40_000) }),
  },
  'token-quota': {
    weight: 3,
    target: () => 'tokens',
    run: async ({ people, random }) => addTokenQuota(await people.api(), random.pick(live(people)).token_id, random.between(1000, 20_000)),
  },
  'token-toggle': {
    weight: 4,
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
  evict: { weight: 3, target: () => 'money', run: evictSomebody },
} as const satisfies Record<string, Deed>

export type Kind = keyof typeof deeds
export const KINDS = Object.keys(deeds).filter((kind): kind is Kind => kind in deeds)
/** Those that end or freeze a process. */
export const KILLS: readonly Kind[] = KINDS.filter((kind) => /kill|stop|restart|pause/.test(kind))

const live = ({ rootTokens }: People) => rootTokens.filter(({ isDeleted }) => !isDeleted)

type TroubleOptions = {
  readonly world: World
  readonly people: People
  readonly random: Random
  readonly kinds: readonly Kind[]
  readonly isLong: boolean
  readonly isTogether: boolean
}

/** Does one thing after the other, as the seed says; those of different targets overlap. */
export function startTrouble({ world, people, random, kinds, isLong, isTogether }: TroubleOptions): Trouble {
  const incidents: Incident[] = []
  const busy = new Map<string, Promise<void>>()
  const redis = connectRedis(world.redisUrl, 'ledger')
  const scene = { world, people, random, redis, isLong }
  const ending = new AbortController()
  const go = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      await wait(random.between(150, 1200), undefined, { signal: ending.signal }).catch(() => undefined)
      const kind = drawKind(kinds, random)
      const deed: Deed = deeds[kind]
      const target = deed.target(scene)
      if (ending.signal.aborted || busy.has(target) || (!isTogether && isSecondDeath(kind, incidents))) continue
      const incident: Incident = { kind, target, from: Date.now(), to: 0 }
      incidents.push(incident)
      const done = inTime(deed.run(scene, target))
        .catch((error: unknown) => {
          // An edit may find the control plane or Postgres dead: that is part of the game, and is counted.
          incident.error = error instanceof Error ? error.message : String(error)
        })
        .finally(() => {
          incident.to = Date.now()
          busy.delete(target)
        })
      busy.set(target, done)
    }
  }
  const going = kinds.length === 0 ? Promise.resolve() : go()
  return {
    incidents,
    finish: async () => {
      ending.abort()
      await going
      await Promise.all(busy.values())
      redis.disconnect()
    },
  }
}

const SETTLED_AGAIN_MS = 5000

/**
 * The ledger promises to survive the death of any one process. A relay that dies while Redis is away, or before it could settle
 * what waited meanwhile, is a second one: only `--together` does that.
 */
function isSecondDeath(kind: Kind, incidents: readonly Incident[]): boolean {
  return kind === 'relay-kill' && incidents.some(({ target, to }) => target === 'redis' && (to === 0 || Date.now() - to < SETTLED_AGAIN_MS))
}

const PATIENCE_MS = 100_000

/** An edit whose answer never comes must not keep the others waiting. */
async function inTime(work: Promise<void>): Promise<void> {
  const ending = new AbortController()
  const late = wait(PATIENCE_MS, undefined, { signal: ending.signal, ref: false }).then(() => {
    throw new Error('no answer')
  })
  try {
    await Promise.race([work, late])
  } finally {
    ending.abort()
    late.catch(() => undefined)
  }
}

function drawKind(kinds: readonly Kind[], random: Random): Kind {
  let left = random.next() * kinds.reduce((sum, kind) => sum + deeds[kind].weight, 0)
  return kinds.find((kind) => (left -= deeds[kind].weight) < 0) ?? random.pick(kinds)
}

function named({ relays }: World, name: string): Member {
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
async function evictSomebody({ world, people, random, redis }: Scene): Promise<void> {
  const userId = random.pick(people.users)
  const { shard } = await world.db.selectFrom('users').select('shard').where('id', '=', userId).executeTakeFirstOrThrow()
  const { last_n: posted_n } = await world.db
    .selectFrom('posting_cursors')
    .select('last_n')
    .where('shard', '=', shard)
    .executeTakeFirstOrThrow()
  const admin = createLedgerAdmin(redis)
  await admin.evictWallet({ shard, user_id: userId, posted_n, idle_ms: IDLE_MS })
  for (const { user_id, token_id } of people.accounts)
    if (user_id === userId) await admin.evictToken({ shard, token_id, posted_n, idle_ms: IDLE_MS })
}
