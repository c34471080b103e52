import { parseArgs } from 'node:util'
import { OPERATION_KINDS, type OperationKind } from './operations/run-operations.ts'
import { FAULT_KINDS, type FaultKind } from './faults.ts'

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
  readonly relays: number
  readonly fsync: 'everysec' | 'always'
  readonly gap: readonly [number, number]
  readonly allowsDoubleFaults: boolean
  readonly isKept: boolean
  /** Maximum seconds, even if a target is not reached. */
  readonly atMost: number
}

export function parseOptions(args: readonly string[]): ChaosOptions & { readonly isReplay: boolean } {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seed: { type: 'string', default: '1' },
      seconds: { type: 'string', default: '60' },
      requests: { type: 'string', default: '0' },
      operations: { type: 'string', default: '0' },
      kills: { type: 'string', default: '0' },
      tasks: { type: 'string', default: '0' },
      kinds: { type: 'string', default: FAULT_KINDS.join(',') },
      width: { type: 'string', default: '160' },
      operators: { type: 'string', default: '6' },
      'operation-kinds': { type: 'string', default: OPERATION_KINDS.join(',') },
      pause: { type: 'string', default: '0-0' },
      relays: { type: 'string', default: '3' },
      fsync: { type: 'string', default: 'everysec' },
      gap: { type: 'string', default: '300-2500' },
      'at-most': { type: 'string', default: '7200' },
      'double-faults': { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false },
      regressions: { type: 'boolean', default: false },
    },
  })
  return {
    seed: Number(values.seed),
    seconds: Number(values.seconds),
    requests: Number(values.requests),
    operations: Number(values.operations),
    kills: Number(values.kills),
    tasks: Number(values.tasks),
    kinds: pickKinds('fault', FAULT_KINDS, values.kinds),
    width: Number(values.width),
    operators: Number(values.operators),
    operationKinds: pickKinds('operation', OPERATION_KINDS, values['operation-kinds']),
    pause: toBounds(values.pause),
    relays: Number(values.relays),
    fsync: values.fsync === 'always' ? 'always' : 'everysec',
    gap: toBounds(values.gap),
    allowsDoubleFaults: values['double-faults'],
    isKept: values.keep,
    atMost: Number(values['at-most']),
    isReplay: values.regressions,
  }
}

function pickKinds<Kind extends string>(what: string, all: readonly Kind[], text: string): Kind[] {
  return text
    .split(',')
    .filter((name) => name !== '')
    .map((name) => {
      const kind = all.find((known) => known === name)
      if (kind === undefined) throw new Error(`no ${what} ${name}; there are ${all.join(', ')}`)
      return kind
    })
}

/** Reads `300-2500`. */
function toBounds(text: string): [number, number] {
  const [low = 0, high = low] = text.split('-').map(Number)
  return [low, high]
}
