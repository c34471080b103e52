import { setTimeout as wait } from 'node:timers/promises'
import { FAULTS, KILLS, REDIS_SWAPS, type Fault, type FaultKind, type FaultContext } from './faults.ts'
import type { Clients } from './clients.ts'
import { POSTGRES_SWAPS } from './swaps.ts'
import type { Random } from './random.ts'
import { openLedgerOf, type Cluster } from './cluster.ts'

/** `from` and `to` are Unix milliseconds; `to` is 0 while the fault lasts. */
export type InjectedFault = { readonly kind: FaultKind; readonly target: string; readonly from: number; to: number; error?: string }

export type FaultInjector = {
  readonly injected: readonly InjectedFault[]
  kills(): number
  finish(): Promise<void>
}

type FaultInjectorOptions = {
  readonly cluster: Cluster
  readonly clients: Clients
  readonly random: Random
  readonly kinds: readonly FaultKind[]
  readonly isLong: boolean
  readonly allowsDoubleFaults: boolean
  /** Lower and upper bound of the milliseconds between two faults. */
  readonly gap: readonly [number, number]
}

/** Injects the faults that the seed draws. Faults of different targets overlap. */
export async function startFaultInjector({
  cluster,
  clients,
  random,
  kinds,
  isLong,
  allowsDoubleFaults,
  gap,
}: FaultInjectorOptions): Promise<FaultInjector> {
  const injected: InjectedFault[] = []
  const busy = new Map<string, Promise<void>>()
  const { servers: redis, close } = await openLedgerOf(cluster, 'ledger')
  const context: FaultContext = { cluster, clients, random, redis, isLong, allowsDoubleFaults }
  const stopping = new AbortController()
  const start = (kind: FaultKind, fault: Fault, target: string): void => {
    const entry: InjectedFault = { kind, target, from: Date.now(), to: 0 }
    injected.push(entry)
    const done = withTimeout(fault.run(context, target))
      .catch((error: unknown) => {
        // An edit fails when the control plane or Postgres is down; the report counts it.
        entry.error = error instanceof Error ? error.message : String(error)
      })
      .finally(() => {
        entry.to = Date.now()
        busy.delete(target)
      })
    busy.set(target, done)
  }
  const injectFaults = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await wait(random.between(...gap), undefined, { signal: stopping.signal }).catch(() => undefined)
      const kind = drawKind(kinds, random)
      const fault: Fault = FAULTS[kind]
      const target = fault.target(context)
      if (stopping.signal.aborted || busy.has(target) || (!allowsDoubleFaults && isDoubleFault({ kind, target }, injected))) continue
      start(kind, fault, target)
    }
  }
  const injecting = kinds.length === 0 ? Promise.resolve() : injectFaults()
  return {
    injected,
    kills: () => injected.filter(({ kind }) => KILLS.includes(kind)).length,
    finish: async () => {
      stopping.abort()
      await injecting
      await Promise.all(busy.values())
      close()
    },
  }
}

/** After this time relays have sent their pending settlements again. */
const RESEND_MS = 5000
const RELAY_ENDS: readonly FaultKind[] = ['relay-kill', 'relay-restart']
/** After this time a relay's last writes are posted and in the append-only file; a busy disk delays fsync by 2 s. */
const FSYNC_MS = 6000

/**
 * The ledger promises to survive the loss of any one process or store. These pairs lose both copies of a settlement: a relay that dies
 * while Redis is down, or just before Redis loses writes; and Postgres and Redis both coming back older. Only `--double-faults` allows them.
 */
function isDoubleFault({ kind, target }: { kind: FaultKind; target: string }, injected: readonly InjectedFault[]): boolean {
  const isRecent = (isOne: (fault: InjectedFault) => boolean, sinceMs: number): boolean =>
    injected.some((fault) => isOne(fault) && (fault.to === 0 || Date.now() - fault.to < sinceMs))
  if (RELAY_ENDS.includes(kind)) {
    // A relay that was stopped meanwhile sends its settlements again when it continues.
    return isRecent((one) => one.target === 'redis' || (one.kind === 'relay-stop' && one.target === target), RESEND_MS)
  }
  if (REDIS_SWAPS.includes(kind)) {
    const diedRecently = injected.some((one) => RELAY_ENDS.includes(one.kind) && (one.to === 0 || Date.now() - one.to < FSYNC_MS))
    return diedRecently || isRecent((fault) => POSTGRES_SWAPS.includes(fault.kind), RESEND_MS)
  }
  if (POSTGRES_SWAPS.includes(kind)) return isRecent((fault) => REDIS_SWAPS.includes(fault.kind), RESEND_MS)
  return false
}

const FAULT_TIMEOUT_MS = 150_000

/** An edit that gets no response must not block later faults on its target. */
async function withTimeout(work: Promise<void>): Promise<void> {
  const stopping = new AbortController()
  const late = wait(FAULT_TIMEOUT_MS, undefined, { signal: stopping.signal, ref: false }).then(() => {
    throw new Error('timed out')
  })
  try {
    await Promise.race([work, late])
  } finally {
    stopping.abort()
    late.catch(() => undefined)
  }
}

function drawKind(kinds: readonly FaultKind[], random: Random): FaultKind {
  let left = random.next() * kinds.reduce((sum, kind) => sum + FAULTS[kind].weight, 0)
  return kinds.find((kind) => (left -= FAULTS[kind].weight) < 0) ?? random.pick(kinds)
}
