import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { PROCESS_ENV } from '@tollgate/testing/process-env'

const program = join(import.meta.dirname, '../../load-tests/vendor/main.ts')
const child = spawn(process.execPath, [program], { env: { ...process.env, ...PROCESS_ENV }, stdio: ['ignore', 'pipe', 'inherit'] })
let address = ''

beforeAll(async () => {
  const lines: AsyncIterator<string> = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const line = await lines.next()
  const { port } = JSON.parse(String(line.value)) as { port: number }
  address = `http://127.0.0.1:${port}`
})

afterAll(async () => {
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
})

const post = (path: string, body: object): Promise<Response> => fetch(`${address}${path}`, { method: 'POST', body: JSON.stringify(body) })

it.each([
  ['/v1/chat/completions', { stream: true }, '[DONE]', /"completion_tokens":200\b/],
  ['/v1/messages', { stream: true }, 'message_stop', /"output_tokens":200\b/],
  ['/v1beta/models/m:streamGenerateContent?alt=sse', {}, '"STOP"', /"candidatesTokenCount":200\b/],
])('streams %s in pieces to a client that wants a stream', async (path, body, end, usage) => {
  const answer = await post(path, body)
  const pieces: string[] = []
  for await (const piece of answer.body ?? []) pieces.push(Buffer.from(piece).toString())

  expect(answer.headers.get('content-type')).toBe('text/event-stream')
  expect(pieces.length).toBeGreaterThan(10)
  expect(pieces.at(0)).not.toContain(end)
  const text = pieces.join('')
  expect(text.match(/word /g)).toHaveLength(200)
  expect(text).toContain(end)
  expect(text).toMatch(usage)
})

it.each([
  ['/v1/chat/completions', { messages: [{ role: 'user', content: '"stream": true' }] }],
  ['/v1/messages', { stream: false }],
  ['/kind=json,size=10/v1/chat/completions', { stream: true }],
])('answers %s with %j as a whole', async (path, body) => {
  const answer = await post(path, body)

  expect(answer.headers.get('content-type')).toBe('application/json')
  await answer.json()
})
