import { factsOf, type RequestFacts, type RouteFacts } from '@tollgate/providers/chat/model-request'
import type { Operation } from '@tollgate/providers/operations/operation'
import type { Content } from '../request/content.ts'
import { LocalContent } from '../request/local-content.ts'
import type { BodyBudget } from '../transport/body/body-budget.ts'
import type { AdmissionQueue } from '../admission/admission-queue.ts'
import { ClientDisconnect, collectBody, type Body } from '../transport/body/collect-body.ts'
import { decodeRequest, decodeJsonRequest } from '../transport/body/decode-request.ts'
import { readForm } from '../transport/body/read-form.ts'
import { LARGE_BODY, LONG_TEXT, type LargeBodies } from '../transport/body-workers/body-workers.ts'
import type { Settings } from '../config/settings.ts'
import { releasePermit, type RequestContext } from '../request/context.ts'

/** What a route asks of the pipeline. */
export type RouteSpec = { readonly operation: Operation; readonly route: RouteFacts }

/** What the client asks for: the bytes as they came, the facts the gateway needs of them, and what lies behind those. */
export type ParsedRequest = {
  readonly body: Body
  readonly operation: Operation
  readonly content_type: string
  readonly chat: RequestFacts
  readonly content: Content
}

type Deps = {
  readonly bodies: BodyBudget
  readonly largeBodies: LargeBodies
  readonly admissionQueue: AdmissionQueue
  readonly config: { readonly settings: Pick<Settings, 'sensitive'> }
  readonly env: { readonly RELAY_MAX_BODY: number }
}

type Reading = RouteSpec & { readonly user_id: number }

/** Collects and decodes the body. What would take long is done by a thread of the pool, which answers the same facts. */
export async function read(context: RequestContext, reading: Reading, deps: Deps): Promise<ParsedRequest> {
  context.clock.enter('read')
  context.reply.proceed()
  const { operation } = reading
  const sharedOver = operation.body === 'json' ? LARGE_BODY : Number.POSITIVE_INFINITY
  const body = await collectBody(context.incoming, {
    max: deps.env.RELAY_MAX_BODY,
    budget: deps.bodies,
    sharedOver,
    onWait: () => releasePermit(context),
  })
  try {
    const isLarge = body.bytes.length > sharedOver
    const { facts, content } = isLarge
      ? await readAway(context, body.bytes, reading, deps)
      : await readHere(context, body.bytes, reading, deps)
    return { body, operation, content_type: context.incoming.headers['content-type'] ?? '', chat: facts, content }
  } catch (error) {
    body.release()
    throw error
  }
}

/** Forgets bytes and content once they are sent: a slow stream must not keep its prompt in memory. */
export function dropBody({ body, content }: ParsedRequest): void {
  body.release()
  content.drop()
}

type Read = { readonly facts: RequestFacts; readonly content: Content }

async function readAway(context: RequestContext, bytes: Buffer, reading: Reading, { largeBodies }: Deps): Promise<Read> {
  releasePermit(context)
  const read = await largeBodies.read({ ...reading, bytes })
  if (!context.reply.isClosed) return read
  read.content.drop()
  throw new ClientDisconnect('client closed')
}

async function readHere(
  context: RequestContext,
  bytes: Buffer,
  reading: Reading,
  { largeBodies, config, admissionQueue }: Deps,
): Promise<Read> {
  const { operation } = reading
  const { incoming } = context
  if (context.permit === undefined) {
    const entering = admissionQueue.enter(context.reply)
    context.permit = entering instanceof Promise ? await entering : entering
  }
  const request =
    operation.body === 'json' ? decodeJsonRequest(bytes, reading) : decodeRequest(await readForm(incoming, bytes, operation), reading)
  const content = new LocalContent(operation, request)
  const isLong = bytes.length > LONG_TEXT && request.texts.reduce((length, text) => length + text.length, 0) > LONG_TEXT
  if (isLong && config.settings.sensitive !== undefined) {
    releasePermit(context)
    content.noteSearch(await largeBodies.search(request.texts))
  }
  return { facts: factsOf(request), content }
}
