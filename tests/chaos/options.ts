import { readCommandLine, refuse } from '../support/command-line.ts'
import { OPERATION_KINDS, type OperationKind } from './operations/run-operations.ts'
import { FAULT_KINDS, faultKindsOf, TOPOLOGIES, type FaultKind, type Topology } from './faults.ts'

/** README.md explains the options. */
export type ChaosOptions = {
  readonly seed: number
  /** The run lasts until all five targets are reached. */
  readonly seconds: number
  readonly requests: number
  /** Requests, payments, codes and other operations together. */
  readonly operations: number
  readonly kills: number
  /** Tasks whose submission was answered. */
  readonly tasks: number
  readonly kinds: readonly FaultKind[]
  readonly width: number
  /** Concurrent operations that are not requests; 0: none. */
  readonly operators: number
  readonly operationKinds: readonly OperationKind[]
  /** Bounds of the milliseconds that an operator waits after each operation. */
  readonly pause: readonly [number, number]
  /** Accounts of several people, with projects, members and budgets. */
  readonly organisations: number
  readonly relays: number
  readonly fsync: 'everysec' | 'always'
  /** The faults of Redis are those of a server that has the ledger alone. */
  readonly hasLedgerRedis: boolean
  readonly topology: Topology
  /** Log rows are in a ClickHouse beside Postgres. */
  readonly hasLogStore: boolean
  readonly gap: readonly [number, number]
  readonly allowsDoubleFaults: boolean
  readonly isKept: boolean
  /** Maximum seconds, even if a target is not reached. */
  readonly atMost: number
  /** The file of the page about the run; undefined: docs/generated/chaos.md, if the run is long enough. */
  readonly out: string | undefined
  /** As they were typed. */
  readonly args: readonly string[]
}

const COMMAND = {
  command: 'npm run chaos --',
  about:
    'Kills, freezes and replaces processes under load, then audits every request. The run lasts until all targets are reached. Exit code 1: a violation.',
  example: 'npm run chaos -- --seed 7 --seconds 150 --kinds relay-kill,redis-kill',
  options: {
    seed: { type: 'string', default: '1', about: 'number that the faults and requests are drawn from' },
    seconds: { type: 'string', default: '60', about: 'target: length in seconds' },
    requests: { type: 'string', default: '0', about: 'target: number of requests' },
    operations: { type: 'string', default: '0', about: 'target: number of operations, requests included' },
    kills: { type: 'string', default: '0', about: 'target: number of kills' },
    tasks: { type: 'string', default: '0', about: 'target: number of submitted tasks' },
    kinds: { type: 'string', about: `faults, separated by commas, of ${FAULT_KINDS.join(', ')}; default: all of the topology` },
    topology: {
      type: 'string',
      default: 'single',
      about: 'single, or cluster: the ledger on a Redis Cluster of three masters with replicas',
    },
    'log-store': { type: 'string', default: '', about: 'clickhouse: log rows are in a ClickHouse beside Postgres' },
    width: { type: 'string', default: '160', about: 'concurrent clients' },
    operators: { type: 'string', default: '6', about: 'concurrent operations that are not requests' },
    'operation-kinds': { type: 'string', default: OPERATION_KINDS.join(','), about: 'operations, separated by commas' },
    pause: { type: 'string', default: '0-0', about: 'milliseconds that an operator waits after each operation, from-to' },
    organisations: { type: 'string', default: '2', about: 'organisations, whose tokens belong to projects with budgets' },
    relays: { type: 'string', default: '3', about: 'relay processes' },
    fsync: { type: 'string', default: 'everysec', about: 'appendfsync of Redis: everysec or always' },
    'ledger-redis': { type: 'boolean', default: false, about: 'a Redis for the ledger alone; faults of Redis are its faults' },
    gap: { type: 'string', default: '300-2500', about: 'milliseconds between two faults, from-to' },
    'at-most': { type: 'string', default: '7200', about: 'seconds after which the run ends in any case' },
    'double-faults': { type: 'boolean', default: false, about: 'also pairs of faults that lose both copies of a settlement' },
    out: { type: 'string', about: 'write a page about the run to this file; default: docs/generated/chaos.md from 1 000 000 requests on' },
    keep: { type: 'boolean', default: false, about: 'keep the folder with the logs; a failed run always keeps it' },
    regressions: { type: 'boolean', default: false, about: 'repeat the runs that once found a fault' },
  },
} as const

export function parseOptions(args: readonly string[]): ChaosOptions & { readonly isReplay: boolean } {
  const { values } = readCommandLine({ ...COMMAND, args })
  const topology = pickTopology(values.topology)
  const hasLogStore = pickLogStore(values['log-store'])
  const all = faultKindsOf({ topology, hasLogStore })
  return {
    seed: Number(values.seed),
    seconds: Number(values.seconds),
    requests: Number(values.requests),
    operations: Number(values.operations),
    kills: Number(values.kills),
    tasks: Number(values.tasks),
    kinds: values.kinds === undefined ? all : pickKinds('fault', all, values.kinds),
    topology,
    hasLogStore,
    width: Number(values.width),
    operators: Number(values.operators),
    operationKinds: pickKinds('operation', OPERATION_KINDS, values['operation-kinds']),
    pause: toBounds('pause', values.pause),
    organisations: Number(values.organisations),
    relays: Number(values.relays),
    fsync: pickFsync(values.fsync),
    hasLedgerRedis: values['ledger-redis'],
    gap: toBounds('gap', values.gap),
    allowsDoubleFaults: values['double-faults'],
    isKept: values.keep,
    atMost: Number(values['at-most']),
    out: values.out,
    args,
    isReplay: values.regressions,
  }
}

function pickKinds<Kind extends string>(what: string, all: readonly Kind[], text: string): Kind[] {
  return text
    .split(',')
    .filter((name) => name !== '')
    .map((name) => {
      const kind = all.find((known) => known === name)
      return kind ?? refuse(COMMAND, `no ${what} ${name}; there are ${all.join(', ')}`)
    })
}

function pickTopology(text: string): Topology {
  const found = TOPOLOGIES.find((one) => one === text)
  return found ?? refuse(COMMAND, `--topology takes ${TOPOLOGIES.join(' or ')}, not '${text}'`)
}

function pickLogStore(text: string): boolean {
  if (text === '' || text === 'clickhouse') return text !== ''
  return refuse(COMMAND, `--log-store takes clickhouse, not '${text}'`)
}

function pickFsync(text: string): ChaosOptions['fsync'] {
  if (text === 'always' || text === 'everysec') return text
  return refuse(COMMAND, `--fsync takes everysec or always, not '${text}'`)
}

/** Reads `300-2500`. */
function toBounds(name: string, text: string): [number, number] {
  const [low = 0, high = low] = text.split('-').map(Number)
  if (Number.isNaN(low) || Number.isNaN(high)) refuse(COMMAND, `--${name} takes milliseconds from-to, not '${text}'`)
  return [low, high]
}
