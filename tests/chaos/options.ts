import { parseArgs } from 'node:util'
import { KINDS, type Kind } from './deeds.ts'

/** What a run is; README.md says what each option does. */
export type ChaosOptions = {
  readonly seed: number
  /** The run goes on until all three are reached. */
  readonly seconds: number
  readonly requests: number
  readonly kills: number
  readonly kinds: readonly Kind[]
  readonly width: number
  readonly relays: number
  readonly fsync: 'everysec' | 'always'
  readonly gap: readonly [number, number]
  readonly isTogether: boolean
  readonly isKept: boolean
  /** Seconds after which a run that has not reached its numbers ends all the same. */
  readonly atMost: number
}

export function parseOptions(args: readonly string[]): ChaosOptions & { readonly isReplay: boolean } {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seed: { type: 'string', default: '1' },
      seconds: { type: 'string', default: '60' },
      requests: { type: 'string', default: '0' },
      kills: { type: 'string', default: '0' },
      kinds: { type: 'string', default: KINDS.join(',') },
      width: { type: 'string', default: '160' },
      relays: { type: 'string', default: '3' },
      fsync: { type: 'string', default: 'everysec' },
      gap: { type: 'string', default: '300-2500' },
      'at-most': { type: 'string', default: '7200' },
      together: { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false },
      regressions: { type: 'boolean', default: false },
    },
  })
  const [low = 300, high = 2500] = values.gap.split('-').map(Number)
  return {
    seed: Number(values.seed),
    seconds: Number(values.seconds),
    requests: Number(values.requests),
    kills: Number(values.kills),
    kinds: values.kinds
      .split(',')
      .filter((kind) => kind !== '')
      .map(toKind),
    width: Number(values.width),
    relays: Number(values.relays),
    fsync: values.fsync === 'always' ? 'always' : 'everysec',
    gap: [low, high],
    isTogether: values.together,
    isKept: values.keep,
    atMost: Number(values['at-most']),
    isReplay: values.regressions,
  }
}

function toKind(text: string): Kind {
  const kind = KINDS.find((known) => known === text)
  if (kind === undefined) throw new Error(`no kind ${text}; there are ${KINDS.join(', ')}`)
  return kind
}
