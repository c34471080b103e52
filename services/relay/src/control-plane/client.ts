import {
  INTERNAL_AUTH_HEADER,
  INTERNAL_PATHS,
  LedgerLoadAnswer,
  NothingAnswer,
  RefundsAnswer,
  TaskFindAnswer,
  TaskListAnswer,
  TaskRemoveAnswer,
  TokenLookupAnswer,
  type TaskCreateRequest,
  type TaskFindRequest,
  type TaskListRequest,
  type TaskRemoveRequest,
  type TokenRecord,
} from '@tollgate/contracts/relay/internal-api'
import { DEFERRED_CALLS, type DeferredAnswer, type DeferredCall, type DeferredRequest } from '@tollgate/contracts/deferred/deferred-calls'
import type { TaskRecord } from '@tollgate/contracts/tasks/tasks'
import { signInternal } from '@tollgate/http/internal-auth'
import type { Outbound } from '@tollgate/outbound/outbound'
import type { Telemetry } from '@tollgate/telemetry/otel'
import { parentOf, startSpan } from '@tollgate/telemetry/spans'
import { createBatcher } from './batcher.ts'

/** The relay's calls to the control plane. A failure is thrown and becomes a 503 for the client. */
export type ControlPlane = {
  /** The record of a token key, null when no token has it. */
  lookUp(keyHash: string, traceparent?: string): Promise<TokenRecord | null>
  /** Brings a cold wallet and token into Redis. */
  load(pair: Pair, traceparent?: string): Promise<void>
  /** Refunds of failed tasks to an account: a part of its credit, and no use. */
  refunds(pair: Pair): Promise<RefundsAnswer>
  /** Stores a task that a vendor accepted, so that its client can ask for it at once. */
  createTask(task: TaskCreateRequest): Promise<void>
  findTasks(question: TaskFindRequest): Promise<readonly TaskRecord[]>
  listTasks(question: TaskListRequest): Promise<TaskListAnswer>
  /** Hides an ended task from its owner; false: there is none. */
  removeTask(task: TaskRemoveRequest): Promise<boolean>
  /** A call about files, batches or background responses. */
  askDeferred<K extends DeferredCall>(name: K, request: DeferredRequest<K>): Promise<DeferredAnswer<K>>
  /** Has the worker ask the vendor about these tasks now. */
  wakeTasks(task_ids: readonly string[]): Promise<void>
}

type Pair = { readonly user_id: number; readonly token_id: number }

type Options = {
  readonly outbound: Outbound
  readonly baseUrl: string
  readonly secrets: readonly string[]
  readonly now: () => number
  readonly tracer?: Telemetry['tracer']
}

/** An input with the trace of its request; a batched call joins the first trace among its inputs. */
type Traced<T> = { readonly input: T; readonly traceparent: string | undefined }

const BATCHING = { maxSize: 100, delayMs: 5, maxInFlight: 4, maxWaiting: 400 } as const
const TIMEOUT_MS = 3000

export function createControlPlane(options: Options): ControlPlane {
  const records = createBatcher<Traced<string>, TokenRecord | null>({
    ...BATCHING,
    keyOf: ({ input }) => input,
    send: async (batch) => {
      const payload = { key_hashes: batch.map(({ input }) => input) }
      return (await post(options, { path: INTERNAL_PATHS.tokenLookup, payload, traceparent: traceOf(batch) }, TokenLookupAnswer)).records
    },
  })
  const loads = createBatcher<Traced<Pair>, true>({
    ...BATCHING,
    keyOf: ({ input: { user_id, token_id } }) => `${user_id}/${token_id}`,
    send: async (batch) => {
      const payload = { pairs: batch.map(({ input }) => input) }
      await post(options, { path: INTERNAL_PATHS.ledgerLoad, payload, traceparent: traceOf(batch) }, LedgerLoadAnswer)
      return batch.map(() => true)
    },
  })
  return {
    lookUp: (input, traceparent) => records.request({ input, traceparent }),
    load: async (input, traceparent) => {
      await loads.request({ input, traceparent })
    },
    refunds: (payload) => post(options, { path: INTERNAL_PATHS.refunds, payload, traceparent: undefined }, RefundsAnswer),
    createTask: async (payload) => {
      await post(options, { path: INTERNAL_PATHS.taskCreate, payload, traceparent: undefined }, NothingAnswer)
    },
    findTasks: async (payload) =>
      (await post(options, { path: INTERNAL_PATHS.taskFind, payload, traceparent: undefined }, TaskFindAnswer)).tasks,
    listTasks: (payload) => post(options, { path: INTERNAL_PATHS.taskList, payload, traceparent: undefined }, TaskListAnswer),
    removeTask: async (payload) =>
      (await post(options, { path: INTERNAL_PATHS.taskRemove, payload, traceparent: undefined }, TaskRemoveAnswer)).removed,
    askDeferred: async (name, payload) => {
      const { path, answer } = DEFERRED_CALLS[name]
      // The schema of this very call.
      return (await post<unknown>(options, { path, payload, traceparent: undefined }, answer)) as DeferredAnswer<typeof name>
    },
    wakeTasks: async (task_ids) => {
      await post(options, { path: INTERNAL_PATHS.taskWake, payload: { task_ids }, traceparent: undefined }, NothingAnswer)
    },
  }
}

function traceOf(batch: readonly Traced<unknown>[]): string | undefined {
  return batch.find(({ traceparent }) => traceparent !== undefined)?.traceparent
}

type Call = { readonly path: string; readonly payload: object; readonly traceparent: string | undefined }
type Shape<T> = { parse(input: unknown): T }

/** Calls inside a span of its own when tracing is enabled; otherwise it forwards the caller's trace context. */
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
