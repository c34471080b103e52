import { parseArgs } from 'node:util'
import { FAULT_KINDS, type FaultKind } from './faults.ts'

/** README.md explains the options. */
export type ChaosOptions = {
  readonly seed: number
  /** The run lasts until all four targets are reached. */
  readonly seconds: number
  readonly requests: number
  /** Requests, payments, codes and other operations together. */
  readonly operations: number
  readonly kills: number
  readonly kinds: readonly FaultKind[]
  readonly width: number
  /** Concurrent operations that are not requests; 0: none. */
  readonly operators: number
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
      kinds: { type: 'string', default: FAULT_KINDS.join(',') },
      width: { type: 'string', default: '160' },
      operators: { type: 'string', default: '3' },
      relays: { type: 'string', default: '3' },
      fsync: { type: 'string', default: 'everysec' },
      gap: { type: 'string', default: '300-2500' },
      'at-most': { type: 'string', default: '7200' },
      'double-faults': { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false },
      regressions: { type: 'boolean', default: false },
    },
  })
  const [low = 300, high = 2500] = values.gap.split('-').map(Number)
  return {
    seed: Number(values.seed),
    seconds: Number(values.seconds),
    requests: Number(values.requests),
    operations: Number(values.operations),
    kills: Number(values.kills),
    kinds: values.kinds
      .split(',')
      .filter((kind) => kind !== '')
      .map(toKind),
    width: Number(values.width),
    operators: Number(values.operators),
    relays: Number(values.relays),
    fsync: values.fsync === 'always' ? 'always' : 'everysec',
    gap: [low, high],
    allowsDoubleFaults: values['double-faults'],
    isKept: values.keep,
    atMost: Number(values['at-most']),
    isReplay: values.regressions,
  }
}

function toKind(text: string): FaultKind {
  const kind = FAULT_KINDS.find((known) => known === text)
  if (kind === undefined) throw new Error(`no fault ${text}; the faults are ${FAULT_KINDS.join(', ')}`)
  return kind
}
