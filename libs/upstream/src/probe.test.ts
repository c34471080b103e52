import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { aChannel } from '@tollgate/testing/a-channel'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ChannelSnapshot } from '@tollgate/contracts/relay/snapshot'
import { createAddressGuard } from '@tollgate/outbound/address-guard'
import { createOutbound, type Outbound } from '@tollgate/outbound/outbound'
import { startVendorServer, type VendorServer } from '@tollgate/testing/vendor-server'
import { testChannel } from './probe.ts'

let vendor: VendorServer
let outbound: Outbound

beforeAll(async () => {
  vendor = await startVendorServer()
  outbound = createOutbound({ guard: createAddressGuard({ allow: ['127.0.0.0/8'], own: [] }) })
})
afterAll(async () => {
  await outbound.close()
  await vendor.stop()
})

const channelFor = (scenario: string, over: Partial<ChannelSnapshot> = {}) => aChannel({ base_url: `${vendor.url}/${scenario}`, ...over })

const bodyOf = (scenario: string): unknown => JSON.parse(vendor.callsOf(scenario).at(-1)?.text ?? '')

describe('testChannel', () => {
  it('sends one short request and reports time and usage', async () => {
    const result = await testChannel(outbound, { channel: channelFor('ok'), key: 'k', model: 'gpt-4o' })

    expect(result).toMatchObject({ ok: true, message: '', usage: { prompt_tokens: 12, completion_tokens: 6 } })
    expect(result.time_ms).toBeGreaterThanOrEqual(0)
    expect(bodyOf('ok')).toEqual({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }], max_tokens: 10 })
  })

  it.each([
    ['o-series names', 'o3-mini', { max_completion_tokens: 512 }],
    ['names of later reasoning models', 'GPT-5-mini', { max_completion_tokens: 512 }],
    ['thinking names', 'Qwen-Thinking', { max_tokens: 512 }],
    ['names of models that reason', 'deepseek-reasoner', { max_tokens: 512 }],
    ['Claude thinking names', 'claude-4-thinking', {}],
    ['Gemini names', 'gemini-2.0-flash', { max_tokens: 300 }],
  ])('limits the answer for %s', async (_name, model, limit) => {
    await testChannel(outbound, { channel: channelFor('ok'), key: 'k', model })

    expect(bodyOf('ok')).toEqual({ model, messages: [{ role: 'user', content: 'hi' }], ...limit })
  })

  it('goes to the embeddings address for embedding models', async () => {
    await testChannel(outbound, { channel: channelFor('ok'), key: 'k', model: 'text-embedding-3-small' })

    expect(vendor.callsOf('ok').at(-1)?.path).toBe('/v1/embeddings')
    expect(bodyOf('ok')).toEqual({ model: 'text-embedding-3-small', input: ['hello world'] })
  })

  it.each([
    ['BGE-Reranker-v2', '/v1/rerank', { query: 'hi', documents: ['hello'] }],
    ['omni-moderation-latest', '/v1/moderations', { input: 'hi' }],
    ['BGE-M3', '/v1/embeddings', { input: ['hello world'] }],
  ])('makes the cheapest call of the kind that the name %s says', async (model, path, rest) => {
    const result = await testChannel(outbound, { channel: channelFor('ok'), key: 'k', model })

    expect(result).toMatchObject({ ok: true, message: '' })
    expect(vendor.callsOf('ok').at(-1)?.path).toBe(path)
    expect(bodyOf('ok')).toEqual({ model, ...rest })
  })

  it.each([
    ['tools', '/v1/chat/completions', 'tools', true],
    ['tools', '/v1/chat/completions', 'ok', false],
    ['image', '/v1/images/generations', 'ok', true],
  ] as const)('tests %s at %s of a vendor that answers %s: %s', async (capability, path, scenario, ok) => {
    const result = await testChannel(outbound, { channel: channelFor(scenario), key: 'k', model: 'm', capability })

    expect(result).toMatchObject({ ok, capability, message: ok ? '' : expect.stringContaining('no tool call') })
    expect(vendor.callsOf(scenario).at(-1)?.path).toBe(path)
  })

  it.each([
    ['an error answer', 'status~403', 'status code 403: scripted status 403'],
    ['an error inside a 200', 'error-in-200', 'scripted failure inside 200'],
    ['an error page', 'html-error~502', 'status code 502: bad response status code 502'],
    ['a reset', 'reset', 'The upstream closed the connection'],
  ])('says what went wrong on %s', async (_name, scenario, text) => {
    const result = await testChannel(outbound, { channel: channelFor(scenario), key: 'k', model: 'gpt-4o' })

    expect(result.ok).toBe(false)
    expect(result.message).toContain(text)
    expect(result.message).not.toMatch(/127\.0\.0\.1|10\.1\.2\.3/)
  })

  it('does not show the key that a vendor quotes', async () => {
    const key = 'sk-proj-T3x9QwLm27Zr0bVcYd81HfKs'

    const { ok, message } = await testChannel(outbound, { channel: channelFor('echo-key'), key, model: 'gpt-4o' })

    expect([ok, message]).toEqual([false, 'status code 401: not allowed: Bearer ***'])
  })

  it('stops at its deadline', async () => {
    const result = await testChannel(outbound, { channel: channelFor('silent'), key: 'k', model: 'gpt-4o', timeout_ms: 50 })

    expect(result).toMatchObject({ ok: false, message: 'The upstream did not answer in time', fault: { code: 'channel-fault.timeout' } })
  })

  it('does not reach a private address that is not listed', async () => {
    const strict = createOutbound({ guard: createAddressGuard({ allow: [], own: [] }) })

    const result = await testChannel(strict, { channel: channelFor('ok'), key: 'k', model: 'gpt-4o' })

    expect(result.message).toBe('The upstream address is not allowed')
    await strict.close()
  })

  it('refuses a retired channel type with the reason', async () => {
    const result = await testChannel(outbound, { channel: channelFor('ok', { type: 11 }), key: 'k', model: 'PaLM-2' })

    expect(result).toMatchObject({ ok: false, message: expect.stringContaining('Google has shut down the PaLM API') })
  })
})

describe('a test of streams', () => {
  const chunk = (fields: object) =>
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', ...fields })}\n\n`
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
  const testStream = async (text: string) => {
    const server = createServer((_, reply) => reply.writeHead(200, { 'content-type': 'text/event-stream' }).end(text))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo // a listening TCP server has one
    const channel = aChannel({ base_url: `http://127.0.0.1:${port}` })
    const result = await testChannel(outbound, { channel, key: 'k', model: 'gpt-4o', capability: 'stream' })
    server.closeAllConnections()
    server.close()
    return result
  }
  const end = `${chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}data: [DONE]\n\n`

  it('passes and says what is repaired for official clients', async () => {
    const result = await testStream(
      chunk({ choices: [{ index: 0, delta: { content: 'hi' }, finish_reason: '' }] }) + chunk({ usage }) + end,
    )

    expect(result).toMatchObject({
      ok: true,
      usage: { prompt_tokens: 1 },
      fault: { code: 'channel-fault.repaired', params: { fields: 'role, finish_reason' } },
    })
    expect(result.message).toContain('role, finish_reason')
  })

  it('says nothing of a stream that is right', async () => {
    const result = await testStream(
      chunk({ choices: [{ index: 0, delta: { role: 'assistant', content: 'hi' } }] }) + chunk({ choices: [], usage }) + end,
    )

    expect(result).toMatchObject({ ok: true, message: '' })
  })
})
