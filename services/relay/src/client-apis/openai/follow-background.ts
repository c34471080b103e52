import { setTimeout as wait } from 'node:timers/promises'
import { AppError } from '@tollgate/contracts/app-error'
import { openingOf, replayOf, writeEvents } from '@tollgate/providers/chat/formats/openai-responses/replay'
import { textAt, type JsonObject } from '@tollgate/providers/json'
import { SSE_PING } from '@tollgate/providers/sse/encoder'
import type { RequestContext } from '../../request/context.ts'
import { beginEventStream } from '../../response/event-stream.ts'

/** How often the state is read: the wait doubles from the first to the second. */
const FIRST_POLL_MS = 250
const POLL_MS = 2000
const PING_MS = 15_000
/** Reads that may fail one after the other: the control plane restarts. */
const MAX_FAILURES = 10
/** Streams of one user that this process follows. */
const MAX_STREAMS = 100
const following = new Map<number, number>()

type Following = {
  readonly id: string
  readonly user_id: number
  /** The number of the last event that the client has; -1: none. */
  readonly starting_after: number
  /** Reads the response; undefined: it does not exist. */
  readonly find: () => Promise<JsonObject | undefined>
}

/** Streams the events of a background response until it has ended. A client that is cut off goes on after its last event. */
export async function followBackground(context: RequestContext, { id, user_id, starting_after, find }: Following): Promise<void> {
  const first = await find()
  if (first === undefined) throw new AppError('response.missing', { id })
  const open = following.get(user_id) ?? 0
  if (open >= MAX_STREAMS) throw new AppError('batches.too-many', { limit: MAX_STREAMS })
  following.set(user_id, open + 1)
  try {
    await follow(context, { starting_after, find, first })
  } finally {
    const left = (following.get(user_id) ?? 1) - 1
    if (left === 0) following.delete(user_id)
    else following.set(user_id, left)
  }
}

type First = Pick<Following, 'starting_after' | 'find'> & { readonly first: JsonObject }

async function follow({ reply }: RequestContext, { first, starting_after, find }: First): Promise<void> {
  beginEventStream(reply, 'text/event-stream')
  let last = starting_after
  let response = first
  let poll_ms = FIRST_POLL_MS
  let quiet_ms = 0
  for (;;) {
    const isOver = !OPEN.has(textAt(response, 'status'))
    const events = isOver ? replayOf(response) : openingOf(response)
    const text = writeEvents(events, last)
    if (isOver) return reply.end(text)
    if (text !== '') reply.write(text)
    last = Math.max(last, events.length - 1)
    quiet_ms = text === '' ? quiet_ms + poll_ms : 0
    if (quiet_ms >= PING_MS) {
      reply.ping(SSE_PING)
      quiet_ms = 0
    }
    await wait(poll_ms)
    if (reply.isClosed) return
    poll_ms = Math.min(poll_ms * 2, POLL_MS)
    const next = await readAgain(find)
    // It was deleted, or cannot be read: it has not failed, so the stream does not say so.
    if (next === undefined) return reply.cut()
    response = next
  }
}

const OPEN: ReadonlySet<string | undefined> = new Set(['queued', 'in_progress'])

async function readAgain(find: Following['find']): Promise<JsonObject | undefined> {
  for (let failures = 0; failures < MAX_FAILURES; failures += 1) {
    try {
      return await find()
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      await wait(POLL_MS)
    }
  }
  return undefined
}
