import { optsInToGenAi } from '@tollgate/telemetry/gen-ai'
import { stepTimesOf } from '@tollgate/contracts/relay/usage-event'
import type { Telemetry } from '@tollgate/telemetry/otel'
import { below, parentOf, recordSpan } from '@tollgate/telemetry/spans'
import { visible } from '@tollgate/telemetry/visible'
import type { BodyBudget } from '../transport/body/body-budget.ts'
import type { BodyWorkers } from '../transport/body-workers/body-workers.ts'
import type { OpenRequests } from '../request/open-requests.ts'
import type { Settings } from '../config/settings.ts'
import type { ContentRecording } from '../request/content-recording.ts'
import type { Ended, Held } from '../request/phases.ts'
import type { ResponseOutcome } from '../request/response-outcome.ts'
import { traceparentOf } from '../request/context.ts'
import { createGenAi, type GenAi } from './gen-ai.ts'
import { recordContent } from './record-content.ts'

/** Records every finished request; does nothing when no collector is configured. */
export type Observer = {
  /** Begins to record prompt and answer, where the site and the token allow it; undefined: they do not. */
  record(held: Held): ContentRecording | undefined
  /** True if the site and the token allow prompts and answers in traces. */
  recordsContent(held: Held): boolean
  finished(ended: Ended, outcome: ResponseOutcome): void
}

type Gauged = {
  readonly open: OpenRequests
  readonly bodies: BodyBudget
  readonly bodyWorkers: BodyWorkers
  readonly settleQueue: { readonly size: number }
  readonly admissionQueue: { readonly waiting: number }
}
type Options = {
  readonly env: { readonly OTEL_SEMCONV_STABILITY_OPT_IN: string }
  readonly config: { readonly settings: Pick<Settings, 'traces_content'> }
}

/** Records metrics, and one manual span per sampled request, built at its end from timestamps. */
export function createObserver(
  { metrics, tracer }: Telemetry,
  { open, bodies, bodyWorkers, settleQueue, admissionQueue }: Gauged,
  { env, config }: Options,
): Observer {
  const genAi = optsInToGenAi(env.OTEL_SEMCONV_STABILITY_OPT_IN) ? createGenAi(metrics) : undefined
  const requests = metrics.counter('relay_requests_total', { description: 'Finished requests by client status and reason for their end' })
  const durations = metrics.histogram('relay_request_seconds', {
    description: 'Time from the first byte of a request to the last byte of its response, in seconds',
  })
  const firstTokens = metrics.histogram('relay_first_token_seconds', {
    description: 'Time from the first byte of a request to the first byte of its response, in seconds',
  })
  metrics.gauge('relay_open_requests', { description: 'Requests with an open hold' }, () => open.size)
  metrics.gauge('relay_settlements_waiting', { description: 'Settlements that Redis has not confirmed yet' }, () => settleQueue.size)
  metrics.gauge('relay_body_bytes', { description: 'Bytes of request bodies in memory', unit: 'By' }, () => bodies.used)
  metrics.gauge('relay_large_bodies', { description: 'Parsed bodies held by worker threads' }, () => bodyWorkers.kept)
  metrics.gauge('relay_pool_waiting', { description: 'Unfinished tasks of worker threads' }, () => bodyWorkers.waiting)
  metrics.gauge(
    'relay_requests_waiting',
    { description: 'Requests waiting for admission; above 0 the relay is overloaded' },
    () => admissionQueue.waiting,
  )
  const canRecord = tracer !== undefined && genAi !== undefined
  const recordsContent = ({ caller }: Held): boolean =>
    canRecord && config.settings.traces_content && caller.record.telemetry_content === true
  return {
    record: (held) => (recordsContent(held) ? recordContent(held) : undefined),
    recordsContent,
    finished: (ended, outcome) => {
      if (!metrics.isOn && tracer === undefined) return
      const held = ended.kind === 'delivered' ? ended.delivered : ended.failed
      const { calls } = ended.kind === 'delivered' ? ended.delivered : held.progress
      const { first_token_ms } = ended.kind === 'delivered' ? ended.delivered : held.progress
      const finish = ended.kind === 'delivered' ? ended.delivered.finish : undefined
      const ended_ms = held.context.clock.elapsed()
      const finished = { held, calls, outcome, first_token_ms, ended_ms, finish }
      if (metrics.isOn) {
        requests.add(1, { status: String(outcome.client_status), ended_by: outcome.ended_by })
        durations.record(ended_ms / 1000)
        if (first_token_ms >= 0) firstTokens.record(first_token_ms / 1000)
        genAi?.measure(finished)
      }
      if (tracer === undefined) return
      const { recording } = held.progress
      if (recording === undefined) trace(tracer, finished, genAi)
      else void recording.end().then((content) => trace(tracer, { ...finished, content }, genAi))
    },
  }
}

type Traced = Parameters<GenAi['trace']>[0]

function trace(tracer: NonNullable<Telemetry['tracer']>, traced: Traced, genAi: GenAi | undefined): void {
  const { held, calls, outcome, ended_ms } = traced
  const { context } = held
  const { upstream_model, channel, group } = calls
  const started = context.clock.started_at
  const parent = parentOf(traceparentOf(context.incoming))
  const span = recordSpan(tracer, {
    name: `${context.incoming.method ?? ''} ${context.path}`,
    kind: 'server',
    parent,
    started,
    ended: started + ended_ms,
    attributes: {
      request_id: context.id,
      model: visible(group.model),
      upstream_model: visible(upstream_model),
      channel_id: channel?.id ?? 0,
      status: outcome.client_status,
    },
    // A span of each step would double the cost of the trace; a step begins where the one before it ended.
    events: () => stepTimesOf(context.clock.steps()).map((step) => ({ name: step.step, at: started + step.ended_ms })),
    error: outcome.error_message,
  })
  if (!span.isRecording() && (span.spanContext().traceFlags & 1) === 0) return
  genAi?.trace(traced, tracer, below(span, parent))
}
