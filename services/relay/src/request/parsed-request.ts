import type { RequestFacts } from '@tollgate/providers/chat/model-request'
import type { Operation } from '@tollgate/providers/calls/operation'
import type { Body } from '../transport/body/collect-body.ts'
import type { Bound } from './bound.ts'
import type { Content } from '../transport/content.ts'

/** A decoded request: the body's bytes, the facts the gateway needs, and the content behind them. */
export type ParsedRequest = {
  readonly body: Body
  readonly operation: Operation
  readonly content_type: string
  readonly chat: RequestFacts
  readonly content: Content
  /** Tokens of a prompt that the vendor caches, which come before the body's. */
  readonly cached_tokens?: number
  /** The client's own chain of models, which its body no longer has. */
  readonly fallback_models?: readonly string[]
  /** Requests of formats whose answers can be kept. */
  readonly conversation?: Conversation
}

/** The conversation that a request continues. */
export type Conversation = {
  readonly is_stored: boolean
  /** Ids of the responses before the new one, oldest first. */
  readonly chain: readonly string[]
  /** The only channel and key that can serve the request. */
  readonly bound?: Bound | undefined
  /** The new items as JSON, if the body also has earlier ones. */
  readonly input?: string | undefined
  /** The conversation that the turn is added to (OpenAI). */
  readonly conversation_id?: string
}

/** The request for another model of its chain. */
export const asModel = (request: ParsedRequest, model: string): ParsedRequest =>
  model === request.chat.model ? request : { ...request, chat: { ...request.chat, model } }

/** Frees body and content once they are sent, so that a slow stream does not keep its prompt in memory. */
export function dropBody({ body, content }: ParsedRequest): void {
  body.release()
  content.drop()
}
