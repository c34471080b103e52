import { factsOf, type AskFacts, type RouteFacts } from '@tollgate/providers/conversation/ask'
import type { Operation } from '@tollgate/providers/exchange/operation'
import type { Content } from '../content/content.ts'
import { LocalContent } from '../content/local-content.ts'
import type { BodyBudget } from '../intake/body-budget.ts'
import type { Door } from '../door.ts'
import { ClientGone, collectBody, type Body } from '../intake/collect-body.ts'
import { decodeAsk, decodeJsonAsk } from '../intake/decode-ask.ts'
import { readForm } from '../intake/read-form.ts'
import { LARGE_BODY, LONG_TEXT, type LargeBodies } from '../large-bodies/large-bodies.ts'
import type { Settings } from '../settings.ts'
import { leavePlace, type Visit } from '../visit.ts'

/** What a route asks of the pipeline. */
export type Errand = { readonly operation: Operation; readonly route: RouteFacts }

/** What the client asks for: the bytes as they came, the facts the gateway needs of them, and what lies behind those. */
export type Ask = {
  readonly body: Body
  readonly operation: Operation
  readonly content_type: string
  readonly chat: AskFacts
  readonly content: Content
}

type Deps = {
  readonly bodies: BodyBudget
  readonly largeBodies: LargeBodies
  readonly door: Door
  readonly book: { readonly settings: Pick<Settings, 'sensitive'> }
  readonly env: { readonly RELAY_MAX_BODY: number }
}

type Reading = Errand & { readonly user_id: number }

/** Collects and decodes the body. What would take long is done by a thread of the pool, which answers the same facts. */
export async function read(visit: Visit, reading: Reading, deps: Deps): Promise<Ask> {
  visit.clock.enter('read')
  visit.reply.proceed()
  const { operation } = reading
  const sharedOver = operation.body === 'json' ? LARGE_BODY : Number.POSITIVE_INFINITY
  const body = await collectBody(visit.incoming, {
    max: deps.env.RELAY_MAX_BODY,
    budget: deps.bodies,
    sharedOver,
    onWait: () => leavePlace(visit),
  })
  try {
    const isLarge = body.bytes.length > sharedOver
    const { facts, content } = isLarge ? await readAway(visit, body.bytes, reading, deps) : await readHere(visit, body.bytes, reading, deps)
    return { body, operation, content_type: visit.incoming.headers['content-type'] ?? '', chat: facts, content }
  } catch (error) {
    body.release()
    throw error
  }
}

/** Forgets bytes and content once they are sent: a slow stream must not keep its prompt in memory. */
export function dropBody({ body, content }: Ask): void {
  body.release()
  content.drop()
}

type Read = { readonly facts: AskFacts; readonly content: Content }

async function readAway(visit: Visit, bytes: Buffer, reading: Reading, { largeBodies }: Deps): Promise<Read> {
  leavePlace(visit)
  const read = await largeBodies.read({ ...reading, bytes })
  if (!visit.reply.isClosed) return read
  read.content.drop()
  throw new ClientGone('client closed')
}

async function readHere(visit: Visit, bytes: Buffer, reading: Reading, { largeBodies, book, door }: Deps): Promise<Read> {
  const { operation } = reading
  const { incoming } = visit
  if (visit.place === undefined) {
    const entering = door.enter(visit.reply)
    visit.place = entering instanceof Promise ? await entering : entering
  }
  const ask = operation.body === 'json' ? decodeJsonAsk(bytes, reading) : decodeAsk(await readForm(incoming, bytes, operation), reading)
  const content = new LocalContent(operation, ask)
  const isLong = bytes.length > LONG_TEXT && ask.texts.reduce((length, text) => length + text.length, 0) > LONG_TEXT
  if (isLong && book.settings.sensitive !== undefined) {
    leavePlace(visit)
    content.noteSearch(await largeBodies.search(ask.texts))
  }
  return { facts: factsOf(ask), content }
}
