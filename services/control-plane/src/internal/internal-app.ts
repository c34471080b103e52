import {
  INTERNAL_AUTH_HEADER,
  INTERNAL_PATHS,
  LedgerLoadAnswer,
  LedgerLoadRequest,
  NothingAnswer,
  RefundsAnswer,
  RefundsRequest,
  TaskCreateRequest,
  TaskFindAnswer,
  TaskFindRequest,
  TaskListAnswer,
  TaskListRequest,
  TaskRemoveAnswer,
  TaskRemoveRequest,
  TaskWakeRequest,
  TokenLookupAnswer,
  TokenLookupRequest,
} from '@tollgate/contracts/relay/internal-api'
import { findRefunds } from '@tollgate/db/queries/wallet/billing'
import { createTask, findTasks, listOwnTasks, removeTask, wakeTasks } from '@tollgate/db/queries/tasks/tasks'
import { mayBeUnstorable, toStorable } from '@tollgate/db/storable'
import { AppError } from '@tollgate/contracts/app-error'
import { readBytes } from '@tollgate/http/parse'
import { nonceOf, verifyInternal } from '@tollgate/http/internal-auth'
import { takeNonce } from '@tollgate/redis/stores/nonces'
import { noTelemetry, type Telemetry } from '@tollgate/telemetry/otel'
import { Hono, type Context } from 'hono'
import type { Deps } from '../deps.ts'
import { createStoredBytes, deferredRoutes } from './deferred.ts'
import { createInternalWatch, type InternalWatch } from './internal-watch.ts'
import { loadTokens, loadWallets } from './ledger-load.ts'
import { lookUpTokens } from './token-lookup.ts'

type InternalDeps = Pick<Deps, 'db' | 'bulk' | 'budgets' | 'options' | 'redis' | 'ledgerRedis' | 'log' | 'now' | 'env'>
type Internals = InternalDeps & { readonly watch: InternalWatch }

/** Far above the size of a hundred hashes or pairs. */
const MAX_BODY = 64 * 1024
/** A piece of a file, or a short background request, with room for escapes. */
const MAX_DEFERRED_BODY = 1024 * 1024

/**
 * The internal API for relays, on its own port, with signed calls only. While Postgres or Redis is unavailable it answers 503, never that
 * a token or wallet does not exist.
 */
export function createInternalApp(own: InternalDeps, telemetry: Telemetry = noTelemetry): Hono {
  const app = new Hono()
  const deps: Internals = { ...own, watch: createInternalWatch(telemetry) }
  app.post(INTERNAL_PATHS.tokenLookup, (c) =>
    serve(deps, c, async (body) => {
      const asked = TokenLookupRequest.safeParse(body)
      if (!asked.success) return undefined
      return TokenLookupAnswer.parse({ records: await lookUpTokens(deps, asked.data.key_hashes) })
    }),
  )
  app.post(INTERNAL_PATHS.ledgerLoad, (c) =>
    serve(deps, c, async (body) => {
      const asked = LedgerLoadRequest.safeParse(body)
      return asked.success ? LedgerLoadAnswer.parse({ loaded: await loadPairs(deps, asked.data.pairs) }) : undefined
    }),
  )
  app.post(INTERNAL_PATHS.refunds, (c) =>
    serve(deps, c, async (body) => {
      const asked = RefundsRequest.safeParse(body)
      return asked.success ? RefundsAnswer.parse(await findRefunds(deps.db, asked.data)) : undefined
    }),
  )
  bindTasks(app, deps)
  bindDeferred(app, deps)
  app.all('*', (c) => c.json({ error: 'not found' }, 404))
  return app
}

function bindTasks(app: Hono, deps: Internals): void {
  app.post(INTERNAL_PATHS.taskCreate, (c) =>
    serve(deps, c, async (body) => {
      const asked = TaskCreateRequest.safeParse(body)
      if (!asked.success) return undefined
      await deps.db.transaction().execute((tx) => createTask(tx, asked.data))
      return NothingAnswer.parse({})
    }),
  )
  app.post(INTERNAL_PATHS.taskFind, (c) =>
    serve(deps, c, async (body) => {
      const asked = TaskFindRequest.safeParse(body)
      return asked.success ? TaskFindAnswer.parse({ tasks: await findTasks(deps.db, asked.data) }) : undefined
    }),
  )
  app.post(INTERNAL_PATHS.taskList, (c) =>
    serve(deps, c, async (body) => {
      const asked = TaskListRequest.safeParse(body)
      if (!asked.success) return undefined
      return TaskListAnswer.parse((await listOwnTasks(deps.db, asked.data)) ?? { tasks: null, has_more: false })
    }),
  )
  app.post(INTERNAL_PATHS.taskRemove, (c) =>
    serve(deps, c, async (body) => {
      const asked = TaskRemoveRequest.safeParse(body)
      if (!asked.success) return undefined
      return TaskRemoveAnswer.parse({ removed: await removeTask(deps.db, { ...asked.data, now: deps.now() }) })
    }),
  )
  app.post(INTERNAL_PATHS.taskWake, (c) =>
    serve(deps, c, async (body) => {
      const asked = TaskWakeRequest.safeParse(body)
      if (!asked.success) return undefined
      await wakeTasks(deps.db, asked.data.task_ids, deps.now())
      return NothingAnswer.parse({})
    }),
  )
}

function bindDeferred(app: Hono, deps: Internals): void {
  const stored = createStoredBytes(deps.now)
  for (const { path, answer } of deferredRoutes) {
    const { db, bulk, budgets, options } = deps
    const answerAt = (body: unknown) =>
      answer({ db, bulk, pieces: budgets.storedPieces, options, now: Math.floor(deps.now() / 1000), stored }, body)
    app.post(path, (c) => serve(deps, c, answerAt, MAX_DEFERRED_BODY))
  }
}

type Answer = (body: unknown) => Promise<object | undefined>

async function serve(deps: Internals, c: Context, answer: Answer, maxBody = MAX_BODY): Promise<Response> {
  const finished = deps.watch(c.req.path, c.req.header('traceparent'))
  const response = await serveSigned(deps, c, answer, maxBody)
  finished(response.status)
  return response
}

async function serveSigned(deps: InternalDeps, c: Context, answer: Answer, maxBody: number): Promise<Response> {
  const body = await readBody(c.req.raw, maxBody)
  if (body === undefined) return c.json({ error: 'too large' }, 413)
  const { pathname, search } = new URL(c.req.url)
  const call = { method: c.req.method, path: pathname + search, body, nowMs: deps.now() }
  const signature = c.req.header(INTERNAL_AUTH_HEADER)
  if (!verifyInternal(signature, call, deps.env.INTERNAL_SECRETS)) return c.json({ error: 'not signed' }, 401)
  try {
    if (!(await takeNonce(deps.redis, nonceOf(signature)))) return c.json({ error: 'served before' }, 401)
    const result = await answer(parseJson(call.body))
    return result === undefined ? c.json({ error: 'invalid' }, 400) : c.json(result)
  } catch (error) {
    deps.log.error({ err: error, path: call.path }, 'internal call failed')
    c.header('Retry-After', '2')
    return c.json({ error: 'unavailable' }, 503)
  }
}

/** Undefined: over the limit, by its declared length or at the first byte over it. */
async function readBody(request: Request, max: number): Promise<Uint8Array | undefined> {
  if (Number(request.headers.get('content-length') ?? 0) > max) return undefined
  return await readBytes(request, max).catch((error: unknown) => {
    if (error instanceof AppError) return undefined
    throw error
  })
}

/** The number of these wallets and tokens that are loaded now, by this call or before. */
async function loadPairs(deps: InternalDeps, pairs: readonly { user_id: number; token_id: number }[]): Promise<number> {
  const results = [
    ...(await loadWallets(
      deps,
      pairs.map((pair) => pair.user_id),
    )),
    ...(await loadTokens(
      deps,
      pairs.map((pair) => pair.token_id).filter((id) => id > 0),
    )),
  ]
  const failed = results.filter((result) => result.kind !== 'made' && result.kind !== 'loaded')
  const [first] = failed
  if (first === undefined) return results.length
  const error = new Error(`ledger ${first.kind}`, first.kind === 'unavailable' ? { cause: first.cause } : {})
  if (failed.length === results.length) throw error
  // The accounts that were not loaded stay cold, and only their requests are refused.
  deps.log.error({ err: error, count: failed.length }, 'Accounts could not be loaded into Redis')
  return results.length - failed.length
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    const text = Buffer.from(bytes).toString('utf8')
    const body: unknown = JSON.parse(text)
    return mayBeUnstorable(text) ? toStorable(body) : body
  } catch {
    // The schema rejects undefined.
    return undefined
  }
}
