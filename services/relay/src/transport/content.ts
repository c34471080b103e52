import type { AffinityRule } from '@tollgate/contracts/channels/affinity-rules'
import type { Obstacle } from '@tollgate/providers/calls/operation'
import type { WordSearch } from '@tollgate/domain/access/sensitive'
import type { GenAiMessages } from '@tollgate/providers/chat/gen-ai-messages'
import type { ModelRequest } from '@tollgate/providers/chat/model-request'
import type { MediaSource } from '@tollgate/providers/chat/request'
import type { ApiFormat } from '@tollgate/providers/calls/api-format'
import type { Prepared, PrepareInput } from '@tollgate/upstream/prepare'

/** The content of a request, held by this thread or by a body worker. */
export type Content = {
  hasSensitive(words: WordSearch): boolean
  /** Estimated tokens of the prompt, as this model counts them; absent: the requested one. Content in a body worker knows the latter only. */
  estimate(sample_seed: number, model?: string): number
  /** A hash of the conversation, for channel affinity. */
  affinityKeyFor(facts: AffinityInput): number | undefined
  /** The format, out of those a vendor supports, in which the request is sent to it, for another model than the requested one if given. */
  formatFor(formats: readonly ApiFormat[], model?: string): ApiFormat | undefined
  /** Why only a vendor of the client's own format can serve it, if that is so. */
  findObstacle(): Obstacle | undefined
  /** Prepares the call to a channel. */
  prepare(preparing: Preparing): Prepared | Promise<Prepared>
  /** The conversation for the request's trace; undefined: the request is no chat. */
  describe(): GenAiMessages | undefined | Promise<GenAiMessages | undefined>
  /** Frees the content, so that a slow stream does not keep its prompt in memory. May be called more than once. */
  drop(): void
}

export type AffinityInput = {
  readonly user_id: number
  readonly prompt_tokens: number
  /** The operator's rule for the request. */
  readonly rule: AffinityRule | undefined
  /** The client headers that rules may ask for. */
  readonly headers: Readonly<Record<string, string>>
}

export type Preparing = {
  inputFor(request: ModelRequest): PrepareInput
  /** Fetches media that the vendor cannot fetch itself. */
  fetchMedia(urls: readonly string[]): Promise<ReadonlyMap<string, MediaSource>>
}
