import { ByChannelAndModel } from './by-channel-and-model.ts'
import type { LoggedRequest } from './traffic-sums.ts'

/** How the calls of a channel for a model went; milliseconds are means, null where there was none. */
export type ObservedCalls = {
  readonly channel_id: number
  readonly model: string
  readonly calls: number
  readonly failed: number
  readonly answered_ms: number | null
  readonly failed_ms: number | null
}

type Sums = {
  readonly channel_id: number
  readonly model: string
  answered: number
  failed: number
  answered_ms: number
  failed_ms: number
}

/** Adds up the calls of requests per channel and model, one request after the other. */
export class CallTally {
  readonly #sums = new ByChannelAndModel<Sums>((channel_id, model) => ({
    channel_id,
    model,
    answered: 0,
    failed: 0,
    answered_ms: 0,
    failed_ms: 0,
  }))

  add({ model_name, explanation }: Pick<LoggedRequest, 'model_name' | 'explanation'>): void {
    const asked = explanation?.fallback?.asked ?? model_name
    const left = explanation?.choice?.draws.at(-1)?.left ?? 0
    for (const attempt of explanation?.attempts ?? []) {
      const { outcome, retry, channel_id, model = asked } = attempt
      const isOfRequest = outcome === 'refused' && retry === 'no' && left > 0
      if (outcome === 'aborted' || isOfRequest) continue
      const sums = this.#sums.of(channel_id, model)
      const ms = attempt.ended_ms - attempt.started_ms
      if (outcome === 'answered') [sums.answered, sums.answered_ms] = [sums.answered + 1, sums.answered_ms + ms]
      else [sums.failed, sums.failed_ms] = [sums.failed + 1, sums.failed_ms + ms]
    }
  }

  rows(): ObservedCalls[] {
    const mean = (sum: number, count: number): number | null => (count === 0 ? null : sum / count)
    return this.#sums.values().map(({ channel_id, model, answered, failed, answered_ms, failed_ms }) => ({
      channel_id,
      model,
      calls: answered + failed,
      failed,
      answered_ms: mean(answered_ms, answered),
      failed_ms: mean(failed_ms, failed),
    }))
  }
}
