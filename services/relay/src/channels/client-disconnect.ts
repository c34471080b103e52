import { readClientDisconnect, type ClientDisconnectSetting } from '@tollgate/contracts/client-disconnected'
import { hidesReasoning } from '@tollgate/providers/adapters/reasoning-models'
import type { Settings } from '../config/settings.ts'
import type { RequestAbort } from '../request/abort.ts'
import type { Drains } from './drains.ts'
import type { RequestRecord } from '../request/record.ts'

type Listener = {
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
  record: RequestRecord,
  abort: RequestAbort,
  { onStop, onDrain }: Listener,
  { drains, config }: DisconnectDeps,
): () => void {
  let deadline: NodeJS.Timeout | undefined
  let drained: number | undefined
  const onAbort = () => {
    const { left_ms } = abort
    if (abort.reason === 'shutting-down' || left_ms === undefined) return onStop()
    const { drain } = config.settings
    const setting = readClientDisconnect(record.channel?.setting ?? {})
    const channel_id = record.channel?.id ?? 0
    const wanted = actionOf(setting, record)
    const policy = wanted === 'drain' && drains.take(channel_id, drain.per_channel) ? 'drain' : 'cancel'
    record.client_disconnect = { policy, left_ms, is_capped: policy !== wanted }
    if (policy === 'cancel') return onStop()
    drained = channel_id
    onDrain?.()
    const rest_ms = left_ms + secondsOf(setting, record, drain) * 1000 - record.context.clock.elapsed()
    deadline = setTimeout(() => {
      record.client_disconnect = { policy, left_ms, is_capped: true }
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
function actionOf({ policy }: ClientDisconnectSetting, record: RequestRecord): 'cancel' | 'drain' {
  if (policy !== 'auto') return policy
  return !record.is_stream || record.asks_reasoning || hidesReasoning(record.upstream_model) ? 'drain' : 'cancel'
}

/** A whole answer is bounded by the time-outs of its call. */
function secondsOf({ drain_seconds }: ClientDisconnectSetting, { is_stream }: RequestRecord, drain: Settings['drain']): number {
  return drain_seconds ?? (is_stream ? drain.seconds : MAX_WHOLE_SECONDS)
}

const MAX_WHOLE_SECONDS = 600
