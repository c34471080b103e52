import { affinityKeyOf, sessionIn } from '@tollgate/domain/channel-choice/affinity-key'
import { nameByRule } from '@tollgate/domain/channel-choice/affinity-rules'
import { findSensitive, type WordSearch } from '@tollgate/domain/access/sensitive'
import type { GenAiMessages } from '@tollgate/providers/chat/gen-ai-messages'
import type { ModelRequest } from '@tollgate/providers/chat/model-request'
import type { Obstacle, Operation } from '@tollgate/providers/calls/operation'
import type { ApiFormat } from '@tollgate/providers/calls/api-format'
import { prepare, route, type Prepared } from '@tollgate/upstream/prepare'
import { estimatePrompt } from '../usage/estimate-prompt.ts'
import { promptMessages } from '../usage/prompt-messages.ts'
import type { AffinityInput, Content, Preparing } from '../transport/content.ts'

/** Content that was parsed on this thread. */
export class LocalContent implements Content {
  readonly #operation: Operation
  #request: ModelRequest | undefined
  #hasSensitive: boolean | undefined

  constructor(operation: Operation, request: ModelRequest) {
    this.#operation = operation
    this.#request = request
  }

  /** Stores the result of a search that a body worker did. */
  setHasSensitive(hasSensitive: boolean): void {
    this.#hasSensitive = hasSensitive
  }

  hasSensitive(words: WordSearch): boolean {
    return this.#hasSensitive ?? this.#get().texts.some((text) => findSensitive(words, text) !== undefined)
  }

  estimate(sample_seed: number, model?: string): number {
    return estimatePrompt(this.#as(model), sample_seed)
  }

  affinityKeyFor({ user_id, prompt_tokens, rule, headers }: AffinityInput): number | undefined {
    const { body, texts } = this.#get()
    const name = rule === undefined ? undefined : nameByRule(rule, { body, headers })
    return affinityKeyOf({ user_id, body, texts, prompt_tokens, name, session: sessionIn(headers) })
  }

  formatFor(formats: readonly ApiFormat[], model?: string): ApiFormat | undefined {
    return this.#operation.formatFor(formats, this.#as(model))
  }

  findObstacle(): Obstacle | undefined {
    return this.#operation.findObstacle?.(this.#get())
  }

  prepare({ inputFor, fetchMedia }: Preparing): Prepared | Promise<Prepared> {
    const input = inputFor(this.#get())
    const found = route(input)
    const urls = found.kind === 'ok' ? found.translator.media() : NOTHING
    return urls.length === 0 ? prepare(input, found) : fetchMedia(urls).then((media) => prepare(input, found, media))
  }

  describe(): GenAiMessages | undefined {
    return promptMessages(this.#operation.name, this.#get())
  }

  drop(): void {
    this.#request = undefined
  }

  #as(model: string | undefined): ModelRequest {
    const request = this.#get()
    return model === undefined || model === request.model ? request : { ...request, model }
  }

  #get(): ModelRequest {
    if (this.#request === undefined) throw new Error('the content of this request was dropped')
    return this.#request
  }
}

const NOTHING: readonly string[] = []
