import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createAccounts, PROPAGATION_MS, type SoakAccounts } from '../../soak/accounts.ts'
import { startProduct, type Product } from '../../soak/product.ts'
import type { Scenario } from '../../scenarios/scenarios.ts'
import { relayRequest, type Gateway } from '../gateways.ts'
import { cpuMicros, cpuMicrosOfAll, familyOf, rssBytes } from '../proc.ts'
import type { Side } from '../processes.ts'
import type { Testbed } from '../testbed.ts'

/** Everything that serves a request. Each part is a process of the launcher with its descendants; the launcher is itself only. */
export const PARTS = ['relay', 'redis', 'worker', 'postgres', 'control-plane', 'launcher'] as const
export type Part = (typeof PARTS)[number]
export type ByPart = Readonly<Record<Part, number>>

/** The running `npm start` of one checkout, with accounts and channels. */
export type Installation = {
  readonly name: string
  readonly gateway: Gateway
  readonly testbed: Testbed
  /** Where its console is, and who can sign in there. */
  readonly origin: string
  readonly accounts: SoakAccounts
  /** CPU so far, in microseconds. */
  cpu(): ByPart
  /** Resident memory by process, in bytes; the relay's supervisor and its processes apart. */
  rss(): Readonly<Record<string, number>>
  verify: Product['verify']
  stop(): Promise<void>
}

type Setup = {
  readonly name: string
  readonly root: string
  readonly vendorPort: number
  readonly vendorPids: readonly number[]
  readonly scenarios: readonly Scenario[]
  readonly side: Side | undefined
  /** Added to the environment of `npm start`. */
  readonly env?: Readonly<Record<string, string>>
  /** Servers of the ledger beside its own Redis, whose CPU counts as that of Redis. */
  readonly ledgerPids?: readonly number[]
  readonly log: (line: string) => void
}

export async function install({
  name,
  root,
  vendorPort,
  vendorPids,
  scenarios,
  side,
  env = {},
  ledgerPids = [],
  log,
}: Setup): Promise<Installation> {
  const options = { root, isInspected: false, ...(side === undefined ? {} : { side }) }
  const product = await startProduct((line) => log(`${name}: ${line}`), env, options)
  try {
    const accounts = await createAccounts(product, vendorPort, scenarios, { isPlain: true })
    await wait(PROPAGATION_MS)
    const keys = { rich: join(product.dir, 'rich'), poor: join(product.dir, 'poor'), one: join(product.dir, 'one') }
    writeFileSync(keys.rich, accounts.rich.join('\n'))
    const nothing = async (): Promise<void> => undefined
    const pids = (): number[] => familyOf(pidOf(product, 'relay'))
    return {
      name,
      origin: product.origin,
      accounts,
      gateway: { name, port: product.port, pids, request: relayRequest(keys), inspectPort: 0, stop: nothing },
      testbed: { dir: product.dir, load: 1, vendorPort, env: {}, keys, loadPids: vendorPids, trim: nothing, stop: nothing },
      cpu: () => byPart((part) => cpuOf(product, part) + (part === 'redis' ? cpuMicros(ledgerPids) : 0)),
      rss: () => residentOf(product),
      verify: () => product.verify(),
      stop: () => product.stop(),
    }
  } catch (error) {
    await product.stop()
    throw error
  }
}

export const byPart = (of: (part: Part) => number): ByPart => ({
  relay: of('relay'),
  redis: of('redis'),
  worker: of('worker'),
  postgres: of('postgres'),
  'control-plane': of('control-plane'),
  launcher: of('launcher'),
})

const cpuOf = (product: Product, part: Part): number =>
  part === 'launcher' ? cpuMicros([product.launcher]) : cpuMicrosOfAll(pidOf(product, part))

/** Read each time: the launcher starts a part again when it ends. */
function pidOf({ dir, launcher }: Product, part: Part): number {
  if (part === 'launcher') return launcher
  return Number(/"pid":(\d+)/.exec(readFileSync(join(dir, 'state/pids', `${part}.json`), 'utf8'))?.[1])
}

function residentOf(product: Product): Record<string, number> {
  const [supervisor = 0, ...relays] = familyOf(pidOf(product, 'relay'))
  return {
    launcher: rssBytes([product.launcher]),
    'relay supervisor': rssBytes([supervisor]),
    'relay process (mean)': rssBytes(relays) / Math.max(1, relays.length),
    'control plane': rssBytes([pidOf(product, 'control-plane')]),
    worker: rssBytes([pidOf(product, 'worker')]),
    redis: rssBytes([pidOf(product, 'redis')]),
  }
}
