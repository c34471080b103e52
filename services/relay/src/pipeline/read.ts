import { factsOf, type RequestFacts } from '@tollgate/providers/chat/model-request'
import type { AdmissionQueue } from '../admission/admission-queue.ts'
import type { Settings } from '../config/settings.ts'
import { ClientDisconnectedError } from '../errors/client-disconnected-error.ts'
import type { Content } from '../request/content.ts'
import type { RequestContext } from '../request/context.ts'
import { LocalContent } from '../request/local-content.ts'
import type { ParsedRequest, RouteSpec } from '../request/parsed-request.ts'
import { releasePermit } from '../request/permit.ts'
import type { BodyBudget } from '../transport/body/body-budget.ts'
import { collectBody } from '../transport/body/collect-body.ts'
import { decodeJsonRequest, decodeRequest } from '../transport/body/decode-request.ts'
import { readForm } from '../transport/body/read-form.ts'
import { LARGE_BODY, LONG_TEXT, type BodyWorkers } from '../transport/body-workers/body-workers.ts'

type Deps = {
  readonly bodies: BodyBudget
  readonly bodyWorkers: BodyWorkers
  readonly admissionQueue: AdmissionQueue
  readonly config: { readonly settings: Pick<Settings, 'sensitive'> }
  readonly env: { readonly RELAY_MAX_BODY: number }
}

type Reading = RouteSpec & { readonly user_id: number }

/** Collects and decodes the body: a large one in a body worker, which returns the same facts. */
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
      ? await readInWorker(context, body.bytes, reading, deps)
      : await readHere(context, body.bytes, reading, deps)
    return { body, operation, content_type: context.incoming.headers['content-type'] ?? '', chat: facts, content }
  } catch (error) {
    body.release()
    throw error
  }
}

type Read = { readonly facts: RequestFacts; readonly content: Content }

async function readInWorker(context: RequestContext, bytes: Buffer, reading: Reading, { bodyWorkers }: Deps): Promise<Read> {
  releasePermit(context)
  const read = await bodyWorkers.read({ ...reading, bytes })
  if (!context.reply.isClosed) return read
  read.content.drop()
  throw new ClientDisconnectedError()
}

async function readHere(
  context: RequestContext,
  bytes: Buffer,
  reading: Reading,
  { bodyWorkers, config, admissionQueue }: Deps,
): Promise<Read> {
  const { operation } = reading
  const { incoming } = context
  if (context.permit === undefined) {
    const acquired = admissionQueue.acquire(context.reply)
    context.permit = acquired instanceof Promise ? await acquired : acquired
  }
  const request =
    operation.body === 'json' ? decodeJsonRequest(bytes, reading) : decodeRequest(await readForm(incoming, bytes, operation), reading)
  const content = new LocalContent(operation, request)
  const isLong = bytes.length > LONG_TEXT && request.texts.reduce((length, text) => length + text.length, 0) > LONG_TEXT
  if (isLong && config.settings.sensitive !== undefined) {
    releasePermit(context)
    content.setHasSensitive(await bodyWorkers.search(request.texts))
  }
  return { facts: factsOf(request), content }
}
