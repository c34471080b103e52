import {
  INTERNAL_AUTH_HEADER,
  INTERNAL_PATHS,
  LedgerLoadAnswer,
  TokenLookupAnswer,
  type TokenRecord,
} from '@tollgate/contracts/internal-api'
import { signInternal } from '@tollgate/http/internal-auth'
import type { Outbound } from '@tollgate/outbound/outbound'
import type { Telemetry } from '@tollgate/telemetry/otel'
import { parentOf, startSpan } from '@tollgate/telemetry/spans'
import { createBatcher } from './batcher.ts'

/** What the relay asks the control plane; every failure is thrown and means 503 to the client. */
export type ControlPlane = {
  /** The record of a key, null when nobody has it. */
  lookUp(keyHash: string, traceparent?: string): Promise<TokenRecord | null>
  /** Brings a cold wallet and token into Redis. */
  load(pair: Pair, traceparent?: string): Promise<void>
}

type Pair = { readonly user_id: number; readonly token_id: number }

type Options = {
  readonly outbound: Outbound
  readonly baseUrl: string
  readonly secrets: readonly string[]
  readonly now: () => number
  readonly tracer?: Telemetry['tracer']
}

/** A question with the trace of its request; a call that answers many goes into the trace of the first that has one. */
type Traced<T> = { readonly about: T; readonly traceparent: string | undefined }

const BATCHING = { maxSize: 100, delayMs: 5, maxInFlight: 4, maxWaiting: 400 } as const
const TIMEOUT_MS = 3000

export function createControlPlane(options: Options): ControlPlane {
  const records = createBatcher<Traced<string>, TokenRecord | null>({
    ...BATCHING,
    keyOf: ({ about }) => about,
    send: async (asked) => {
      const payload = { key_hashes: asked.map(({ about }) => about) }
      return (await post(options, { path: INTERNAL_PATHS.tokenLookup, payload, traceparent: traceOf(asked) }, TokenLookupAnswer)).records
    },
  })
  const loads = createBatcher<Traced<Pair>, true>({
    ...BATCHING,
    keyOf: ({ about: { user_id, token_id } }) => `${user_id}/${token_id}`,
    send: async (asked) => {
      const payload = { pairs: asked.map(({ about }) => about) }
      await post(options, { path: INTERNAL_PATHS.ledgerLoad, payload, traceparent: traceOf(asked) }, LedgerLoadAnswer)
      return asked.map(() => true)
    },
  })
  return {
    lookUp: (about, traceparent) => records.request({ about, traceparent }),
    load: async (about, traceparent) => {
      await loads.request({ about, traceparent })
    },
  }
}

function traceOf(asked: readonly Traced<unknown>[]): string | undefined {
  return asked.find(({ traceparent }) => traceparent !== undefined)?.traceparent
}

type Call = { readonly path: string; readonly payload: object; readonly traceparent: string | undefined }
type Shape<T> = { parse(input: unknown): T }

/** Inside a span of its own where traces are on; else the caller's trace is handed on as it came. */
async function post<T>(options: Options, call: Call, shape: Shape<T>): Promise<T> {
  const span = startSpan(options.tracer, { name: `POST ${call.path}`, kind: 'client', parent: parentOf(call.traceparent) })
  try {
    const answer = await postSigned(options, { ...call, traceparent: span?.traceparent ?? call.traceparent }, shape)
    span?.end()
    return answer
  } catch (error) {
    span?.end({ error })
    throw error
  }
}

async function postSigned<T>(options: Options, { path, payload, traceparent }: Call, shape: Shape<T>): Promise<T> {
  const { outbound, baseUrl, secrets, now } = options
  const body = JSON.stringify(payload)
  const signature = signInternal({ method: 'POST', path, body, nowMs: now() }, secrets)
  const answer = await outbound.request({
    method: 'POST',
    url: baseUrl.replace(/\/$/, '') + path,
    headers: {
      'content-type': 'application/json',
      [INTERNAL_AUTH_HEADER]: signature,
      ...(traceparent === undefined ? {} : { traceparent }),
    },
    body,
    timeoutMs: TIMEOUT_MS,
    poolKey: 'control-plane',
  })
  if (answer.status !== 200) throw new Error(`control plane answered ${answer.status} on ${path}`)
  return shape.parse(JSON.parse(answer.body.toString()))
}
