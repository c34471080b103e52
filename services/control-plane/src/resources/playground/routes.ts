import { AppError } from '@tollgate/contracts/app-error'
import { playground } from '@tollgate/contracts/resources/playground'
import { handle, type Binding, type CallContext } from '@tollgate/http/handle'
import type { Actor } from '@tollgate/http/actor'
import type { Deps } from '../../deps.ts'
import { holdWhileRead } from '../../long-answer.ts'
import { forwardToRelay } from './forward.ts'
import { renderRefusal } from './refusal.ts'
import { toChatCall, toCredential, toImageCall, toSpeechCall, toTranscriptionCall, type RelayCall } from './service.ts'

export const playgroundRoutes = (deps: Deps): Binding[] => [
  handle(playground.chat, (call) =>
    pass(
      deps,
      call,
      () => toCredential(deps, call.actor, call.body),
      () => toChatCall(call.body),
    ),
  ),
  handle(playground.image, (call) =>
    pass(
      deps,
      call,
      () => toCredential(deps, call.actor, call.body),
      () => toImageCall(call.body),
    ),
  ),
  handle(playground.speech, (call) =>
    pass(
      deps,
      call,
      () => toCredential(deps, call.actor, call.body),
      () => toSpeechCall(call.body),
    ),
  ),
  handle(playground.transcription, (call) =>
    pass(
      deps,
      call,
      () => toCredential(deps, call.actor, call.query),
      () => toTranscriptionCall(call.query, call.c.req.raw),
    ),
  ),
]

type Making<T> = () => Promise<T> | T

/** Asks the relay in the caller's name; a refusal is in the format of its API. */
async function pass(
  deps: Deps,
  trace: CallContext & { readonly actor: Actor },
  credential: Making<string>,
  call: Making<RelayCall>,
): Promise<Response> {
  const place = deps.budgets.playgroundCalls.tryTake({ user: trace.actor.id })
  if (typeof place === 'string')
    return renderRefusal(new AppError(place === 'share' ? 'playground.share' : 'playground.busy'), trace.language)
  try {
    const key = await credential()
    return holdWhileRead(await forwardToRelay(deps, { ...(await call()), credential: key }, trace), place)
  } catch (error) {
    place.release()
    if (error instanceof AppError) return renderRefusal(error, trace.language)
    throw error
  }
}
