import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestbed, type TestRelay, type Testbed } from './test-relay.ts'

// Every call of the official SDKs, as docs/generated/sdk-calls.md lists it, is answered in the format of its client.

type Row = { readonly sdk: string; readonly method: string; readonly path: string; readonly answered: string }

const rows = readRows(readFileSync(join(import.meta.dirname, '../../../docs/generated/sdk-calls.md'), 'utf8'))
const refused = rows.filter(({ answered }) => answered === 'not offered')
const offered = rows.filter(({ answered }) => answered !== 'not offered')

/** Each request once; versions stand for themselves. */
function readRows(page: string): Row[] {
  const found = new Map<string, Row>()
  for (const section of page.split('\n## ').slice(1)) {
    const [sdk = ''] = section.split(' ')
    for (const [, method = '', path = '', answered = ''] of section.matchAll(/^\| `[^`]+` \| `(\S+) (\S+)` \| ([a-z ]+) \|$/gm)) {
      const versions = path.includes('{version}') ? ['v1', 'v1beta'] : ['']
      for (const version of versions) {
        const row = { sdk, method, path: path.replace('{version}', version).replaceAll(/\{\w+\}/g, 'x'), answered }
        found.set(Object.values(row).join(' '), row)
      }
    }
  }
  return [...found.values()]
}

let testbed: Testbed
let relay: TestRelay
let key: string

beforeAll(async () => {
  testbed = await openTestbed()
  await testbed.publish({ channels: [testbed.aChannel('ok', { models: ['gpt-4o'] })] })
  relay = await testbed.startRelay()
  key = `sk-${(await testbed.anAccount()).key}`
})
afterAll(() => testbed.close())

const HEADERS: Readonly<Record<string, (token: string) => Record<string, string>>> = {
  openai: (token) => ({ authorization: `Bearer ${token}` }),
  '@anthropic-ai/sdk': (token) => ({ 'x-api-key': token, 'anthropic-version': '2026-10-21' }),
  '@google/genai': (token) => ({ 'x-goog-api-key': token, 'x-goog-api-client': 'google-genai-sdk/3.3.0 gl-node/v24' }),
}
const HANDSHAKE = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': Buffer.alloc(16, 1).toString('base64'),
}

type Answer = { readonly status: number; readonly type: string; readonly text: string; readonly retry: string | undefined }

async function send({ sdk, method, path }: Row): Promise<Answer> {
  const isSocket = method === 'WebSocket'
  const hasBody = method === 'POST' || method === 'PATCH' || method === 'PUT'
  const headers = {
    ...HEADERS[sdk]?.(key),
    ...(isSocket ? HANDSHAKE : {}),
    ...(hasBody ? { 'content-type': 'application/json' } : {}),
  }
  return await new Promise((resolve, reject) => {
    const call = request(relay.url + path, { method: isSocket ? 'GET' : method, headers, agent: false }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (piece: string) => (text += piece))
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          type: String(answer.headers['content-type']),
          text,
          retry: answer.headers['x-should-retry'] as string | undefined, // sent once
        }),
      )
    })
    call.on('upgrade', ({ statusCode = 0 }, socket) => {
      socket.destroy()
      resolve({ status: statusCode, type: '', text: '', retry: undefined })
    })
    call.on('error', reject)
    call.end(hasBody ? '{}' : '')
  })
}

/** The words of a refusal, where the SDK's error class finds them. */
function wordsIn(sdk: string, text: string): string {
  const body = JSON.parse(text) as { type?: string; error: { message: string; type?: string; status?: string } } // compared below
  if (sdk === '@anthropic-ai/sdk') expect([body.type, typeof body.error.type]).toEqual(['error', 'string'])
  if (sdk === 'openai') expect(typeof body.error.type).toBe('string')
  if (sdk === '@google/genai') expect(typeof body.error.status).toBe('string')
  return body.error.message
}

describe('a call of an official SDK', () => {
  it('is in the table', () => {
    expect(refused.length).toBeGreaterThan(700)
    expect(offered.length).toBeGreaterThan(40)
  })

  it.each(['openai', '@anthropic-ai/sdk', '@google/genai'])(
    'of %s is refused by its name, in its format, when it is not offered',
    async (sdk) => {
      const calls = refused.filter((row) => row.sdk === sdk)
      const wrong: unknown[] = []
      for (const row of calls) {
        const { status, type, text, retry } = await send(row)
        const words = type.startsWith('application/json') ? wordsIn(sdk, text) : text
        const isNamed = words.includes('not offered by this gateway') && words.includes(row.path)
        if (![404, 426, 501].includes(status) || !isNamed || retry !== 'false') wrong.push({ ...row, status, words, retry })
      }

      expect(wrong).toEqual([])
      expect(calls.length).toBeGreaterThan(50)
    },
  )

  it('is known when it is offered', async () => {
    const wrong: unknown[] = []
    for (const row of offered) {
      const { status, text } = await send(row)
      if (status === 501 || text.includes('not offered') || text.startsWith('<')) wrong.push({ ...row, status, text })
    }

    expect(wrong).toEqual([])
  })

  it('gets 426 where a proxy takes the WebSocket away, so that Codex goes on over HTTP', async () => {
    const { status, text } = await send({ sdk: 'openai', method: 'GET', path: '/v1/responses', answered: '' })

    expect([status, text.includes('requires a WebSocket connection')]).toEqual([426, true])
  })

  it('finds the address with HEAD /api/hello', async () => {
    const answer = await send({ sdk: '@anthropic-ai/sdk', method: 'HEAD', path: '/api/hello', answered: '' })

    expect([answer.status, answer.text]).toEqual([200, ''])
  })
})
