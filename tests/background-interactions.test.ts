import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { GoogleGenAI } from '@google/genai'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createChannel, must, setUp, type Api } from './support/api.ts'
import { seedUser, type Seeded } from './support/seed.ts'
import { startStack, type Stack } from './support/stack.ts'

// Interactions of Google's SDK that run in the background, with a model that a vendor of another format serves.

const MODEL = 'gpt-4o-mini'
const CREDITED = 5_000_000
const CHAT = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: MODEL,
  choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 },
}

describe('background interactions', () => {
  const waiting: ServerResponse[] = []
  let bodies: string[] = []
  let vendor: Server
  let stack: Stack
  let api: Api
  let owner: Seeded
  let google: GoogleGenAI

  beforeAll(async () => {
    vendor = createServer((incoming, reply) => {
      let text = ''
      incoming.setEncoding('utf8').on('data', (piece: string) => (text += piece))
      incoming.on('end', () => {
        bodies.push(text)
        const refused = { error: { message: 'no', type: 'invalid_request_error', code: 'bad_prompt' } }
        if (text.includes('bad')) reply.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify(refused))
        else if (text.includes('hang')) waiting.push(reply)
        else reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(CHAT))
      })
    })
    await new Promise<void>((resolve) => void vendor.listen(0, '127.0.0.1', resolve))
    stack = await startStack({})
    api = await setUp(stack.controlPlane.url)
    must(await api.put('/api/option/', { key: 'RetryTimes', value: '0' }))
    await createChannel(api, { base_url: `http://127.0.0.1:${(vendor.address() as AddressInfo).port}`, models: MODEL })
    owner = await seedUser(stack, { credited: CREDITED, granted: CREDITED })
    google = clientOf(owner)
    await vi.waitUntil(async () => JSON.stringify(await google.models.list()).includes(MODEL), { timeout: 10_000 })
  })
  afterAll(async () => {
    for (const reply of waiting) reply.destroy()
    await stack.stop()
    vendor.closeAllConnections()
    vendor.close()
  })

  const clientOf = ({ key }: Seeded) => new GoogleGenAI({ apiKey: `sk-${key}`, httpOptions: { baseUrl: stack.relays[0]?.url ?? '' } })
  const start = async (input: string, more: object = {}, client = google) =>
    await client.interactions.create({ model: MODEL, input, background: true, ...more })
  const untilEnded = async (id: string, client = google) =>
    await vi.waitUntil(
      async () => {
        const found = await client.interactions.get(id)
        return found.status === 'queued' || found.status === 'in_progress' ? undefined : found
      },
      { timeout: 20_000, interval: 100 },
    )
  const charged = async () =>
    await stack.database.db.selectFrom('logs').select('id').where('user_id', '=', owner.userId).where('quota', '>', 0).execute()

  it('are queued, answered under their id, continued, and charged once each', async () => {
    const made = await start('Remember Ada.')
    expect([made.status, made.id]).toEqual(['queued', expect.stringMatching(/^int_/)])

    const ended = await untilEnded(made.id)
    expect([ended.id, ended.status, ended.output_text]).toEqual([made.id, 'completed', 'hi'])
    const next = await google.interactions.create({ model: MODEL, input: 'Who?', previous_interaction_id: made.id })
    expect([next.status, bodies.at(-1)?.includes('Remember Ada.')]).toEqual(['completed', true])

    await vi.waitUntil(async () => (await charged()).length >= 2, { timeout: 10_000 })
    expect(await charged()).toHaveLength(2)
    await google.interactions.delete(made.id)
    await expect(google.interactions.get(made.id)).rejects.toMatchObject({ status: 404 })
  })

  it('are cancelled, and say why they failed', async () => {
    const hanging = await start('hang')
    await vi.waitUntil(() => waiting.length > 0, { timeout: 10_000 })
    await google.interactions.cancel(hanging.id)
    expect((await untilEnded(hanging.id)).status).toBe('cancelled')

    const failed = await untilEnded((await start('bad')).id)
    expect([failed.status, failed.errors?.[0]?.message]).toEqual(['failed', expect.stringContaining('no')])
  })

  it('count in a budget, and are refused at once when it is used up', async () => {
    const user = await seedUser(stack, { credited: CREDITED, granted: CREDITED })
    // One holds 301 quota for its 1 000 tokens of answer, and costs 11.
    must(await api.post('/api/budgets/', { token_id: user.tokenId, window: 'day', amount: 305 }))
    const client = clientOf(user)
    const answer = async () => {
      const { id } = await start('plan', { generation_config: { max_output_tokens: 1000 } }, client)
      return await untilEnded(id, client)
    }

    expect((await answer()).status).toBe('completed')
    await expect(answer()).rejects.toMatchObject({ status: 403, message: expect.stringContaining('daily budget of this token') as string })
    expect(bodies.filter((body) => body.includes('plan'))).toHaveLength(1)
  })

  it('are refused at once for what a direct call would be refused for', async () => {
    const before = bodies.length

    await expect(start('x', { model: 'none' })).rejects.toMatchObject({ status: 404 })
    await expect(start('x', { store: false })).rejects.toMatchObject({ status: 400 })
    expect(bodies).toHaveLength(before)
    bodies = []
  })
})
