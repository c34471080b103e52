import type { CandidateResult, RecordedDraw } from '@tollgate/contracts/relay/usage-event'
import type { Assessed } from './assess.ts'
import { ONE_KEY, type Choice, type ChoiceInput } from './choice.ts'
import { costRatioOf, regionOf } from './preference.ts'

type Excluded = Extract<Assessed, { kind: 'excluded' }>['result']
type Paused = Extract<Assessed, { kind: 'paused' }>['result']

/** State of a candidate as one letter; `u`: usable, `p`: usable and in need of a probe. */
export const STATE_LETTERS = {
  disabled: 'd',
  'auto-disabled': 'a',
  'off-schedule': 's',
  'keys-out': 'k',
  'already-tried': 't',
  'limit-reached': 'l',
  unsupported: 'n',
  'breaker-open': 'b',
  cooling: 'c',
  'half-open': 'h',
} as const satisfies Record<Excluded | Paused, string>

/** Keys of a channel that are recorded; a record of more has their number only. */
const MAX_KEYS = 16

export type DrawFacts = {
  /** The number of the draw, and the place that it has in the list. */
  readonly n: number
  readonly at: number
  /** The group, if the request could use several. */
  readonly group: string | undefined
  /** The model, if it is another than the requested one. */
  readonly model?: string | undefined
}

/** Records the facts of a choice, small enough for a log row. `reproduceChoice` makes the same choice from it. */
export function recordDraw(choice: Choice, input: ChoiceInput, { n, at, group, model }: DrawFacts): RecordedDraw {
  const { retries_left: left = 0, needs_usable, strategy = 'weight', region = '' } = input
  const { channel, key_ids, turn, assessed } = choice
  let states = ''
  for (const one of assessed) states += letterOf(one)
  const draw: RecordedDraw = { left, states }
  if (n !== at) draw.n = n
  if (group !== undefined) {
    draw.ids = assessed.map((one) => one.channel.id)
    draw.group = group
  }
  if (model !== undefined) draw.model = model
  if (needs_usable === true) draw.needs_usable = true
  if (strategy !== 'weight') {
    draw.strategy = strategy
    const usable = usableOf(assessed).map(({ channel: candidate }) => candidate)
    if (strategy === 'effective-cost') {
      const costs = usable.map((candidate) => input.costOf?.(candidate) ?? { usd: costRatioOf(candidate, input.model), is_measured: false })
      draw.figures = costs.map(({ usd }) => usd)
      draw.bases = costs.map(({ is_measured }) => (is_measured ? 'm' : 'l')).join('')
    } else
      draw.figures = usable.map((candidate) =>
        strategy === 'price' ? costRatioOf(candidate, input.model) : (input.latencyOf?.(candidate) ?? null),
      )
  }
  if (region !== '') draw.regions = usableOf(assessed).map((one) => String(regionOf(one.channel)))
  if (channel !== undefined && !assessed.some((one) => one.kind === 'usable'))
    draw.pauses = assessed.flatMap((one) => (one.kind === 'paused' ? [one.severity, one.remaining_ms] : []))
  if (key_ids.length > MAX_KEYS) draw.key_count = key_ids.length
  else if (channel !== undefined && (key_ids.length > 1 || key_ids[0] !== ONE_KEY[0])) draw.keys = [...key_ids]
  if (turn !== undefined) draw.turn = turn
  return draw
}

const usableOf = (all: readonly Assessed[]): readonly Assessed[] => all.filter(({ kind }) => kind === 'usable')

function letterOf(one: Assessed): string {
  if (one.kind === 'usable') return one.is_probe ? 'p' : 'u'
  return STATE_LETTERS[one.result]
}

/** Id, priority and weight of candidates that a record lists no further. */
export const restOf = (rows: readonly CandidateResult[]): number[] =>
  rows.flatMap(({ channel_id, priority, weight }) => [channel_id, priority, weight])
