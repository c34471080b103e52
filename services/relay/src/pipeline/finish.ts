import { mapModel } from '@tollgate/domain/channel-choice/map-model'
import type { JsonObject } from '@tollgate/providers/json'
import type { ResponseStates } from '../response-state/response-states.ts'
import type { RelayDeps } from '../deps.ts'
import type { Delivered, Held } from '../request/phases.ts'
import { toErrorResponse, type PendingResponse } from '../response/outcome.ts'
import { noteServed } from './find-chain.ts'
import { settle } from './settle.ts'

/** A response, and the input that is being kept for later turns beside it. */
export type Response = PendingResponse & { readonly keeping?: Promise<void> | undefined }

/** The only finaliser: settles an opened request once, whatever `work` returns or throws, and sends the end of the response after that. */
export async function settleOnEnd(held: Held, deps: RelayDeps, work: () => Promise<Response>): Promise<void> {
  const response: Response = await work().catch((error: unknown) => toErrorResponse(held, error, deps))
  const keeping = keepAnswer(held, response, deps)
  noteServed(held, response.ended, deps)
  const { reply, hashes } = held.context
  hashes.end(reply.isClosed ? undefined : response.last)
  const outcome = await settle(response.ended, deps)
  // The client can refer to the answer as soon as it has its end.
  if (keeping !== undefined) await keeping
  if (!reply.isClosed) response.finish()
  deps.observer.finished(response.ended, outcome)
}

/** Keeps the answer for later turns; undefined: it is not to be kept. */
function keepAnswer(held: Held, { answer, keeping }: Response, { responses, config }: RelayDeps): Promise<unknown> | undefined {
  const { caller, request, progress } = held
  const { conversation } = request
  const { channel, channelKey, is_converted, group } = progress.calls
  const { model } = group
  if (request.operation.keeps === 'cache') return keepCache(held, answer, responses)
  const turn = keepTurn(held, answer, responses)
  if (conversation?.is_stored !== true || answer === undefined || channelKey === undefined) return turn
  const { channel_id, key_id } = channelKey
  const mapped = channel === undefined ? undefined : mapModel(channel.model_mapping, model)
  const isRenamed = mapped?.kind === 'ok' && mapped.isMapped && !config.settings.calls.names_upstream_model
  const made_by = is_converted ? undefined : { channel_id, key_id, ...(isRenamed ? { model } : {}) }
  const kept = responses.keepAnswer(answer, { user_id: caller.record.user_id, chain: conversation.chain, made_by })
  return Promise.all([kept, keeping, turn])
}

/** Remembers which account has a cached prompt. */
function keepCache({ caller, progress }: Held, content: JsonObject | undefined, { caches }: ResponseStates): Promise<unknown> | undefined {
  const { channelKey } = progress.calls
  if (content === undefined || channelKey === undefined) return undefined
  const { channel_id, key_id } = channelKey
  return caches.keep(caller.record.user_id, { channel_id, key_id, content })
}

/** Adds the turn to the conversation that it belongs to, whether the response itself is kept or not. */
function keepTurn({ caller, request }: Held, answer: JsonObject | undefined, { conversations }: ResponseStates): Promise<void> | undefined {
  const { conversation_id, input = '' } = request.conversation ?? {}
  if (conversation_id === undefined || answer === undefined) return undefined
  return conversations.addTurn(caller.record.user_id, conversation_id, { input, output: answer['output'] })
}

/** Settles an opened request that has no response of its own: one response of a realtime session. */
export async function settleRequest(delivered: Delivered, deps: RelayDeps): Promise<void> {
  const ended = { kind: 'delivered', delivered } as const
  deps.observer.finished(ended, await settle(ended, deps))
}
