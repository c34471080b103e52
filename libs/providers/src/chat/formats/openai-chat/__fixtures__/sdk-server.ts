import OpenAI from 'openai'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ChatCodec, RenderedError } from '../../../codec.ts'
import { ANSWER, SETTLED, answerInput } from './any-events.ts'

const REFUSAL: RenderedError = { status: 429, message: 'too many requests', type: 'new_api_error', code: 'rate_limited', param: '' }

/** For tests: a server that answers every request with `ANSWER` in one format, and OpenAI's own client for it. */
export async function serveAnswers(format: ChatCodec): Promise<{ readonly client: OpenAI; close(): Promise<unknown> }> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const decoded = format.client.decodeRequest(JSON.parse(Buffer.concat(chunks).toString()), {})
      if (decoded.kind === 'invalid' || decoded.request.model === 'refused') {
        response.writeHead(429, { 'content-type': 'application/json' }).end(format.client.renderError(REFUSAL))
        return
      }
      const { request } = decoded
      const input = answerInput({ body: format.client.answerSettings?.(request.body) ?? {}, include_usage: request.include_usage })
      if (!request.is_stream) {
        const { body } = format.client.encodeAnswer(ANSWER, input)
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
        return
      }
      const encoder = format.client.createEncoder(input)
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(format.client.ping)
      for (const event of ANSWER) response.write(encoder.push(event))
      response.end(request.model === 'broken' ? format.client.renderStreamError(REFUSAL) : encoder.closing(SETTLED))
    })
  })
  await new Promise<void>(resolve => { server.listen(0, '127.0.0.1', resolve) })
  // A server that listens on a port has an address of this type.
  const { port } = server.address() as AddressInfo
  return {
    client: new OpenAI({ apiKey: 'k', baseURL: `http://127.0.0.1:${port}/v1`, maxRetries: 0 }),
    close: () => new Promise(resolve => { server.close(resolve) }),
  }
}

/** For tests: collects a stream until it ends or raises. */
export async function collect<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const one of stream) all.push(one)
  return all
}
