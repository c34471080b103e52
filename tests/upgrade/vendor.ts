import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { findFreePort } from '@tollgate/servers/free-port'

export const WORDS = 20
const WORD_EVERY_MS = 20
const USAGE = { prompt_tokens: 900, completion_tokens: WORDS, total_tokens: 900 + WORDS, prompt_tokens_details: { cached_tokens: 300 } }

export type Vendor = { readonly url: string; stop(): void }

/** Answers chat completions: whole at once, or streamed in 0.4 s. */
export async function startVendor(): Promise<Vendor> {
  const server = createServer((incoming, answer) => {
    let text = ''
    incoming.on('data', (chunk: Buffer) => (text += chunk.toString()))
    incoming.on('end', () => {
      // What a relay sends of the requests of clients.ts.
      const { model, stream } = JSON.parse(text) as { model: string; stream?: boolean }
      if (stream === true) return sendStream(answer, model)
      const choices = [{ index: 0, message: { role: 'assistant', content: 'word '.repeat(WORDS) }, finish_reason: 'stop' }]
      answer.writeHead(200, { 'content-type': 'application/json' })
      answer.end(JSON.stringify({ id: 'c', object: 'chat.completion', created: 1, model, choices, usage: USAGE }))
    })
  })
  const port = await findFreePort()
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${port}`, stop: () => void server.close() }
}

function sendStream(answer: ServerResponse, model: string): void {
  answer.writeHead(200, { 'content-type': 'text/event-stream' })
  let left = WORDS
  const timer = setInterval(() => {
    left -= 1
    const choices = [{ index: 0, delta: { content: 'word ' }, finish_reason: left === 0 ? 'stop' : null }]
    const usage = left === 0 ? { usage: USAGE } : {}
    answer.write(`data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model, choices, ...usage })}\n\n`)
    if (left > 0) return
    clearInterval(timer)
    answer.end('data: [DONE]\n\n')
  }, WORD_EVERY_MS)
  answer.on('close', () => clearInterval(timer))
}
