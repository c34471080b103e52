import type { ModelEvent } from '../../events.ts'
import { logprobsEvent, type LogprobsEvent } from '../../logprobs.ts'
import { isObject, objectAt, objectsAt, type JsonObject } from '../../../json.ts'

/** `logprobsResult` of a candidate, as the event of Chat Completions. https://ai.google.dev/api/generate-content#LogprobsResult */
export function readLogprobs(candidate: JsonObject): ModelEvent[] {
  const result = objectAt(candidate, 'logprobsResult')
  const chosen = objectsAt(result, 'chosenCandidates')
  if (chosen.length === 0) return []
  const tops = objectsAt(result, 'topCandidates')
  const content = chosen.map((one, at) => ({ ...toEntry(one), top_logprobs: objectsAt(tops[at] ?? {}, 'candidates').map(toEntry) }))
  return [logprobsEvent({ content, refusal: null })]
}

/** The same as Google's `logprobsResult`. Ids of tokens are Google's own and are left out. */
export function toLogprobsResult(events: readonly LogprobsEvent[]): JsonObject {
  const entries = events.flatMap(({ raw }) => objectsAt(raw, 'content'))
  return {
    topCandidates: entries.map((entry) => ({ candidates: objectsAt(entry, 'top_logprobs').map(toCandidate) })),
    chosenCandidates: entries.map(toCandidate),
  }
}

const toEntry = ({ token, logProbability }: JsonObject): JsonObject => ({ token, logprob: logProbability, bytes: null })
const toCandidate = (entry: unknown): JsonObject => (isObject(entry) ? { token: entry['token'], logProbability: entry['logprob'] } : {})
