import type { DispatchResult } from '../channels/outcome.ts'
import { toNoChannelLeftError } from '../response/refuse.ts'
import type { RuntimeConfig } from '../config/runtime-config.ts'
import type { ChannelHealth } from '../health/channel-health.ts'
import type { RequestAbort } from '../request/abort.ts'
import type { Drains } from '../channels/drains.ts'
import { toAbortedResponse, toErrorResponse, type PendingResponse } from '../response/outcome.ts'
import type { Held } from '../request/phases.ts'
import { deliverStream } from '../response/stream-response.ts'
import { deliverWhole } from '../response/whole-response.ts'
import type { BodyWorkers } from '../transport/body-workers/body-workers.ts'
import type { Pinger } from '../response/event-stream.ts'
import type { Logger } from '@tollgate/telemetry/logger'

type Input = { readonly result: DispatchResult; readonly abort: RequestAbort; readonly pinger: Pinger | undefined }
type Deps = {
  readonly log: Logger
  readonly health: ChannelHealth
  readonly drains: Drains
  readonly config: RuntimeConfig
  readonly bodyWorkers: BodyWorkers
  readonly env: { readonly WRITE_STALL_TIMEOUT: number }
}

/** Gives the client the answer, or the reason why there is none, except for the end, which waits for the settlement. */
export function deliver(held: Held, { result, abort, pinger }: Input, deps: Deps): PendingResponse | Promise<PendingResponse> {
  const { calls } = held.progress
  switch (result.kind) {
    case 'client-disconnected':
      return toAbortedResponse(held, abort, deps)
    case 'no-channel-left':
      return toErrorResponse(held, toNoChannelLeftError(result, { context: held.context, isOrder: held.request.operation.isOrder }), deps)
    case 'whole':
      return deliverWhole({ ...held, calls, answer: result }, deps)
    case 'stream':
      return deliverStream({ ...held, calls, answer: result }, { abort, pinger, writeStallMs: deps.env.WRITE_STALL_TIMEOUT * 1000 }, deps)
  }
}
