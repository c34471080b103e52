import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { listen, vendorOrigin } from './listen.ts'

/**
 * Negative control: a gateway on Web-standard APIs, as most are: `c.req.json()`, `fetch`, and a TransformStream per stream that reads each
 * chunk. `npx node floor/naive.ts PORT fetch` omits the TransformStream.
 */
const hasTransform = process.argv[3] !== 'fetch'
const app = new Hono()

app.post('*', async (c) => {
  const body: unknown = await c.req.json()
  const answer = await fetch(vendorOrigin + new URL(c.req.url).pathname, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: c.req.header('authorization') ?? '' },
    body: JSON.stringify(body),
    signal: c.req.raw.signal,
  })
  const headers = { 'content-type': answer.headers.get('content-type') ?? 'application/json' }
  if (answer.body === null || !hasTransform) return new Response(answer.body, { status: answer.status, headers })
  return new Response(answer.body.pipeThrough(inspectChunks()), { status: answer.status, headers })
})

function inspectChunks(): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder()
  let hasUsage = false
  return new TransformStream({
    transform: (chunk, controller) => {
      hasUsage ||= decoder.decode(chunk, { stream: true }).includes('"usage"')
      controller.enqueue(chunk)
    },
  })
}

const listener = getRequestListener(app.fetch)
listen(createServer((request, response) => void listener(request, response)))
