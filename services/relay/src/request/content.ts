import type { WordSearch } from '@tollgate/domain/access/sensitive'
import type { ModelRequest } from '@tollgate/providers/chat/model-request'
import type { MediaSource } from '@tollgate/providers/chat/request'
import type { ApiFormat } from '@tollgate/providers/operations/api-format'
import type { Prepared, PrepareInput } from '@tollgate/upstream/prepare'

/** What a request says beyond its facts, wherever it lies: in this thread as a tree, or in another one behind a number. */
export type Content = {
  hasSensitive(words: WordSearch): boolean
  /** Tokens of the prompt before anybody has counted them. */
  estimate(random: () => number): number
  /** The conversation's number. */
  affinityKeyFor(user: { readonly user_id: number; readonly prompt_tokens: number }): number | undefined
  /** The format in which a vendor that speaks these serves it. */
  formatFor(formats: readonly ApiFormat[]): ApiFormat | undefined
  /** Why only a vendor of the client's own format can serve it. */
  findObstacle(): string | undefined
  /** The call to a channel. */
  prepare(preparing: Preparing): Prepared | Promise<Prepared>
  /** Forgets it: a slow stream must not keep its prompt in memory. May be called more than once. */
  drop(): void
}

export type Preparing = {
  inputFor(request: ModelRequest): PrepareInput
  /** Gets what the vendor cannot fetch itself. */
  fetchMedia(urls: readonly string[]): Promise<ReadonlyMap<string, MediaSource>>
}
