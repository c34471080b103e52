import type { Log } from '@tollgate/contracts/resources/logs'
import type { RoutedCall } from '@tollgate/contracts/channels/routed-calls'
import type { ForecastRow, RoutingForecast, RoutingQuestion } from '@tollgate/contracts/channels/routing-forecast'
import type { CandidateResult, Explanation } from '@tollgate/contracts/relay/usage-event'
import { orderedCandidates } from './explanation-view.ts'

const CALLS: readonly (readonly [path: RegExp, call: RoutedCall])[] = [
  [/^\/(v1|pg)\/chat\/completions$/, 'openai-chat'],
  [/^\/v1\/responses$/, 'openai-responses'],
  [/^\/v1\/messages$/, 'anthropic-messages'],
  [/^\/v1(beta)?\/models\/[^/]+:(generateContent|streamGenerateContent)$/, 'gemini'],
  [/^\/v1(beta)?\/models\/[^/]+:(embedContent|batchEmbedContents)$/, 'gemini-embeddings'],
  [/^\/v1\/completions$/, 'openai-completions'],
  [/^\/v1\/(engines\/[^/]+\/)?embeddings$/, 'openai-embeddings'],
  [/^\/v1\/images\/generations$/, 'openai-images'],
  [/^\/v1\/images\/edits$/, 'openai-image-edits'],
  [/^\/v1\/audio\/speech$/, 'openai-speech'],
  [/^\/v1\/audio\/transcriptions$/, 'openai-transcriptions'],
  [/^\/v1\/moderations$/, 'openai-moderations'],
  [/^\/v1\/rerank$/, 'rerank'],
]

/** The recorded request as a question of routing; none when its kind cannot be forecast. Its session is the affinity key that the relay used, unless it is the id of a realtime session. */
export function toQuestion({ model_name, group, token_id }: Log, { client }: Explanation, session: string): RoutingQuestion | undefined {
  const path = client.path.replace(/\?.*$/, '')
  const call = CALLS.find(([pattern]) => pattern.test(path))?.[1]
  if (call === undefined || model_name === '') return undefined
  const known = session.length <= 12 ? session : ''
  return { model: model_name, call, group, token_id, conversation: '', session: known, region: '' }
}

export type Difference =
  | { readonly kind: 'gone' | 'new' | 'now-skipped' | 'now-usable' | 'other-reason' | 'other-turn' }
  | { readonly kind: 'priority' | 'weight'; readonly before: number; readonly now: number }

export type Compared = {
  readonly channel_id: number
  readonly channel_name: string
  readonly recorded: CandidateResult | undefined
  /** The attempts that went to the channel, from 0. */
  readonly turns: readonly number[]
  readonly now: ForecastRow | undefined
  readonly differences: readonly Difference[]
}

/** Each channel of a recorded choice beside the forecast of now, in the recorded order; channels that only the forecast has come last. */
export function compareRouting(explanation: Explanation, forecast: RoutingForecast): readonly Compared[] {
  const recorded = orderedCandidates(explanation)
  const known = new Set(recorded.map(({ channel_id }) => channel_id))
  const rowOf = new Map(forecast.rows.toReversed().map((row) => [row.first.channel_id, row]))
  const isComplete = explanation.candidates_cut === 0
  return [
    ...recorded.map((candidate): Compared => {
      const { channel_id, channel_name } = candidate
      const turns = explanation.attempts.flatMap((attempt, nth) => (attempt.channel_id === channel_id ? [nth] : []))
      const now = rowOf.get(channel_id)
      return { channel_id, channel_name, recorded: candidate, turns, now, differences: differencesOf(candidate, turns, now) }
    }),
    ...forecast.rows
      .filter((row) => !known.has(row.first.channel_id) && rowOf.get(row.first.channel_id) === row)
      .map((now): Compared => {
        const { channel_id, channel_name } = now.first
        return { channel_id, channel_name, recorded: undefined, turns: [], now, differences: isComplete ? [{ kind: 'new' }] : [] }
      }),
  ]
}

/** True if the channel could be used, even if its turn did not come. Results of a record are of its last attempt, a forecast's of its first. */
export const isOpen = ({ result }: CandidateResult): boolean =>
  result === 'chosen' ||
  result === 'not-drawn' ||
  result === 'lower-priority' ||
  result === 'already-tried' ||
  result === 'slower' ||
  result === 'costlier' ||
  result === 'other-region'

function differencesOf(recorded: CandidateResult, turns: readonly number[], now: ForecastRow | undefined): readonly Difference[] {
  if (now === undefined) return [{ kind: 'gone' }]
  const { first } = now
  const numbers = (['priority', 'weight'] as const).flatMap((kind): Difference[] =>
    recorded[kind] === first[kind] ? [] : [{ kind, before: recorded[kind], now: first[kind] }],
  )
  const kind = standingDifference(recorded, turns, now)
  return kind === undefined ? numbers : [{ kind }, ...numbers]
}

function standingDifference(
  recorded: CandidateResult,
  turns: readonly number[],
  { first, probabilities }: ForecastRow,
): 'now-skipped' | 'now-usable' | 'other-reason' | 'other-turn' | undefined {
  if (isOpen(recorded) !== isOpen(first)) return isOpen(first) ? 'now-usable' : 'now-skipped'
  if (!isOpen(recorded)) return recorded.result === first.result ? undefined : 'other-reason'
  // Attempts beyond the forecast were not computed.
  return turns.some((nth) => probabilities[nth] === 0) ? 'other-turn' : undefined
}
