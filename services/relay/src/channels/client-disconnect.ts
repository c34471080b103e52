import { readClientDisconnect, type ClientDisconnectSetting } from '@tollgate/contracts/relay/client-disconnected'
import { hidesReasoning } from '@tollgate/providers/adapters/reasoning-models'
import type { Settings } from '../config/settings.ts'
import type { RequestAbort } from '../request/abort.ts'
import type { Drains } from './drains.ts'
import type { Held } from '../request/phases.ts'

type Listener = {
  /** The answer is being delivered as a stream, or the client expects one. */
  readonly is_stream: boolean
  /** End the upstream call now. */
  readonly onStop: () => void
  /** Keep reading upstream without writing to the client. */
  readonly onDrain?: () => void
}

export type DisconnectDeps = { readonly drains: Drains; readonly config: { readonly settings: Pick<Settings, 'drain'> } }

/**
 * Applies the channel's disconnect policy to a running upstream call: when the client disconnects, the call ends at once or is read on
 * for a limited time; on shutdown it ends at once. Returns a function that stops watching.
 */
export function watchDisconnect(
  held: Held,
  abort: RequestAbort,
  { is_stream, onStop, onDrain }: Listener,
  { drains, config }: DisconnectDeps,
): () => void {
  const { progress } = held
  let deadline: NodeJS.Timeout | undefined
  let drained: number | undefined
  const onAbort = () => {
    const { left_ms } = abort
    if (abort.reason === 'shutting-down' || left_ms === undefined) return onStop()
    const { drain } = config.settings
    const setting = readClientDisconnect(progress.calls.channel?.setting ?? {})
    const channel_id = progress.calls.channel?.id ?? 0
    const wanted = actionOf(setting, held, is_stream)
    const policy = wanted === 'drain' && drains.take(channel_id, drain.per_channel) ? 'drain' : 'cancel'
    progress.client_disconnect = { policy, left_ms, is_capped: policy !== wanted }
    if (policy === 'cancel') return onStop()
    drained = channel_id
    onDrain?.()
    const rest_ms = left_ms + secondsOf(setting, is_stream, drain) * 1000 - held.context.clock.elapsed()
    deadline = setTimeout(() => {
      progress.client_disconnect = { policy, left_ms, is_capped: true }
      onStop()
    }, rest_ms)
  }
  abort.onAbort(onAbort)
  if (abort.aborted) onAbort()
  return () => {
    clearTimeout(deadline)
    abort.onAbort(undefined)
    if (drained !== undefined) drains.give(drained)
    drained = undefined
  }
}

/** The cost of a whole answer, and of reasoning that is not delivered, is known from the usage at its end only. */
function actionOf({ policy }: ClientDisconnectSetting, { request, progress }: Held, is_stream: boolean): 'cancel' | 'drain' {
  if (policy !== 'auto') return policy
  const reasons = request.chat.asks_reasoning === true || hidesReasoning(progress.calls.upstream_model)
  return !is_stream || reasons ? 'drain' : 'cancel'
}

/** A whole answer is bounded by the time-outs of its call. */
function secondsOf({ drain_seconds }: ClientDisconnectSetting, is_stream: boolean, drain: Settings['drain']): number {
  return drain_seconds ?? (is_stream ? drain.seconds : MAX_WHOLE_SECONDS)
}

const MAX_WHOLE_SECONDS = 600
