import { setImmediate as nextTurn } from 'node:timers/promises'
import { toInteractionId } from '@tollgate/providers/chat/formats/gemini-interactions/own-ids'
import { toResponseId } from '@tollgate/providers/chat/formats/openai-responses/own-ids'
import type { RelayDeps } from '../deps.ts'
import type { Held } from '../request/phases.ts'
import { keepableInput } from '../response-state/response-states.ts'

/** Keeps the new items of a request whose answer is converted; vendors keep those of their own answers. */
export function keepInput({ context, caller, request, progress }: Held, { responses, config }: RelayDeps): Promise<void> | undefined {
  const { conversation, body } = request
  if (conversation?.is_stored !== true || !progress.calls.is_converted) return undefined
  const { bytes } = body
  const kind = request.chat.state?.kind
  const keep = async (): Promise<void> => {
    // After the first piece of the answer was sent.
    await nextTurn()
    const items = conversation.input ?? keepableInput(bytes, config.settings.response_state.max_bytes, kind)
    if (items === undefined) return
    const response_id = kind === 'interaction' ? toInteractionId(context) : toResponseId(context)
    await responses.keepInput({ user_id: caller.record.user_id, response_id, items })
  }
  return keep()
}
