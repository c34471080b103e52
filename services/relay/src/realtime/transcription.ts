import type { Usage } from '@tollgate/contracts/pricing/quote'
import { countText, estimateTokens, familyOf } from '@tollgate/domain/pricing/estimate'
import { estimateTranscription } from '@tollgate/providers/operations/realtime'
import type { RuntimeConfig } from '../config/runtime-config.ts'
import { encodeEventOpening } from '../request/event-opening.ts'
import type { Delivered } from '../request/phases.ts'
import { quoteModel } from '../usage/quote-model.ts'

/** The transcription of the client's speech, which vendors charge beside the responses, by another model's price. */
export class Transcription {
  readonly #pending = new Set<string>()
  #model: string | undefined
  #bytes_per_second = 48_000
  #bytes = 0

  configure({
    transcription_model,
    input_bytes_per_second,
  }: {
    transcription_model: string | undefined
    input_bytes_per_second: number
  }): void {
    this.#model = transcription_model
    this.#bytes_per_second = input_bytes_per_second
  }

  hear(bytes: number): void {
    this.#bytes += bytes
  }

  /** Speech that the vendor begins to transcribe, if a model does that. */
  begin(item_id: string): void {
    if (this.#model === undefined) this.#bytes = 0
    else this.#pending.add(item_id)
  }

  /** Usage of a finished transcription: the vendor's, otherwise by the speech that was sent since the last. */
  end(item_id: string, { usage, text }: { readonly usage: Usage | undefined; readonly text: string }): Usage {
    this.#pending.delete(item_id)
    return this.#take(usage, text)
  }

  fail(item_id: string): void {
    this.#pending.delete(item_id)
  }

  /** Usage of the transcriptions that had begun and whose end was not awaited; undefined: none. */
  abandon(): Usage | undefined {
    if (this.#pending.size === 0) return undefined
    this.#pending.clear()
    return this.#take(undefined, '')
  }

  /**
   * The request with the prices of the transcription's model; unchanged if that is the session's own, or has none, because the session's
   * model costs more.
   */
  price(delivered: Delivered, config: RuntimeConfig): Delivered {
    const model = this.#model
    const { context, caller, request, calls } = delivered
    const { group, costEstimate } = calls.group
    if (model === calls.upstream_model) return delivered
    const quote = model === undefined ? 'unpriced' : quoteModel(model, { record: caller.record, group }, config)
    if (model === undefined || quote === 'unpriced' || (quote.mode === 'ratio' && quote.is_unpriced)) return delivered
    return {
      ...delivered,
      request: { ...request, chat: { ...request.chat, model } },
      opening: encodeEventOpening(context, { record: caller.record, model, group, quote }),
      calls: { ...calls, upstream_model: model, group: { group, model, costEstimate: { ...costEstimate, quote } } },
    }
  }

  #take(usage: Usage | undefined, text: string): Usage {
    const seconds = this.#bytes / this.#bytes_per_second
    this.#bytes = 0
    const model = this.#model ?? ''
    return usage ?? estimateTranscription(model, { seconds, text_out: text === '' ? 0 : estimateTokens(countText(text), familyOf(model)) })
  }
}
