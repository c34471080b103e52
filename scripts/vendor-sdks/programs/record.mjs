// Copied beside a program into the folder with its SDK: sends what the SDK sends to the recorder, and says which conversation it is.
import { readFileSync } from 'node:fs'

export const recorder = process.env.RECORDER
/** The conversation's words, the same as in the requests of our clients. */
export const said = JSON.parse(readFileSync(new URL('./conversation.json', import.meta.url), 'utf8'))
const models = JSON.parse(process.env.MODELS)
export const modelFor = (conversation) => models[conversation] ?? models.chat

const send = globalThis.fetch
/** SDKs keep the addresses of their vendors; only the connection goes elsewhere. */
globalThis.fetch = async (input, init) => {
  const request = new Request(input, init)
  const { origin, pathname, search } = new URL(request.url)
  if (origin === recorder) return send(request)
  const headers = new Headers(request.headers)
  headers.set('x-recorded-origin', origin)
  const body = request.body === null ? undefined : await request.arrayBuffer()
  return send(`${recorder}${pathname}${search}`, { method: request.method, headers, body, signal: request.signal })
}

/** One conversation: the server gives the answers, in order, and the SDK must read them without an error. */
export async function record(conversation, answers, call) {
  await send(`${recorder}/__next`, { method: 'POST', body: JSON.stringify({ conversation, answers: [answers].flat() }) })
  try {
    const result = await call(modelFor(conversation))
    if (result?.[Symbol.asyncIterator] !== undefined) for await (const _event of result);
  } catch (error) {
    throw new Error(`${conversation}: ${error?.message ?? error}`, { cause: error })
  }
}
