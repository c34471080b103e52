import type { ClientDisconnect, ModelFallback } from '@tollgate/contracts/relay/usage-event'
import type { Lease } from '@tollgate/ledger/limits/shared-limits'
import type { AnswerStream } from '@tollgate/providers/chat/stream'
import type { RunningCalls } from './calls.ts'
import type { ContentRecording } from './content-recording.ts'
import type { Admitted } from './phases.ts'

/** `first_token_ms` of a response without content. */
export const NO_FIRST_TOKEN = -1000

/** All that changes of a request while it holds money; the heartbeat reads it. */
export type Progress = {
  readonly calls: RunningCalls
  /** Reads the usage of the stream that is being delivered. */
  usageReader: AnswerStream | undefined
  first_token_ms: number
  client_disconnect: ClientDisconnect | undefined
  /** Prompt and answer for the trace; undefined: they are not recorded. */
  recording: ContentRecording | undefined
}

const NONE: ModelFallback['passed'] = []

export function startProgress(
  { request: { chat }, admission: { group, model, chain }, costEstimate }: Admitted,
  leases: readonly Lease[],
): Progress {
  return {
    calls: {
      group: { group, model, costEstimate },
      passed: chain === undefined ? NONE : chain.passed,
      leases,
      session: undefined,
      stays_on_channel: false,
      choice: undefined,
      candidates: [],
      attempts: [],
      channel: undefined,
      channelKey: undefined,
      vendorKey: '',
      upstream_model: model,
      reasoning_effort: chat.reasoning_effort,
      warnings: [],
      is_converted: false,
      owes_prompt: false,
    },
    usageReader: undefined,
    first_token_ms: NO_FIRST_TOKEN,
    client_disconnect: undefined,
    recording: undefined,
  }
}
