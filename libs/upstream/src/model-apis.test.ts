import type { ChatFormat } from '@tollgate/providers/chat/request'
import { chatCodecs } from '@tollgate/providers/chat/formats/index'
import type { JsonObject } from '@tollgate/providers/json'
import { chatOperation } from '@tollgate/providers/operations/chat'
import { ChannelType } from '@tollgate/providers/vendors/channel-types'
import { describe, expect, it } from 'vitest'
import { prepareSample } from '../test/prepare-sample.ts'

type Call = {
  readonly client: ChatFormat
  readonly model: string
  readonly hasTools?: boolean
  readonly over?: JsonObject
  readonly type?: number
  readonly base_url?: string
  readonly setting?: JsonObject
}

const schema = { type: 'object', properties: {} }
const BODIES: Readonly<Record<ChatFormat, { readonly body: JsonObject; readonly tools: JsonObject }>> = {
  'openai-chat': {
    body: { messages: [{ role: 'user', content: 'Hi' }] },
    tools: { tools: [{ type: 'function', function: { name: 'look', parameters: schema } }] },
  },
  'openai-responses': { body: { input: 'Hi' }, tools: { tools: [{ type: 'function', name: 'look', parameters: schema }] } },
  'anthropic-messages': {
    body: { max_tokens: 100, messages: [{ role: 'user', content: 'Hi' }] },
    tools: { tools: [{ name: 'look', input_schema: schema }] },
  },
  gemini: {
    body: { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
    tools: { tools: [{ functionDeclarations: [{ name: 'look', parameters: schema }] }] },
  },
}
const CLIENTS = Object.keys(BODIES) as ChatFormat[]

function send({ client, model, hasTools = false, over = {}, type = ChannelType.OpenAI, base_url, setting = {} }: Call) {
  const { body, tools } = BODIES[client]
  const prepared = prepareSample({
    operation: chatOperation(chatCodecs[client]),
    body: { model, ...body, ...(hasTools ? tools : {}), ...over },
    route: { model },
    type,
    setting,
    ...(base_url === undefined ? {} : { base_url }),
  })
  if (prepared.kind !== 'ok') throw new Error(prepared.kind)
  const { path, body: sent } = prepared.call
  return { path, body: JSON.parse(sent?.toString() ?? '') as JsonObject }
}

const RESPONSES = '/v1/responses'
const CHAT = '/v1/chat/completions'
const pathsOf = (call: Omit<Call, 'client'>) => CLIENTS.map((client) => send({ ...call, client }).path)

describe('the API of a model of OpenAI', () => {
  it.each([
    'o1-pro',
    'o3-pro-2025-06-10',
    'gpt-5-pro',
    'gpt-5.4-pro',
    'gpt-5-codex',
    'gpt-5.3-codex',
    'codex-mini-latest',
    'o3-deep-research',
  ])('is Responses for every client of %s, which chat does not serve', (model) => {
    expect(pathsOf({ model })).toEqual([RESPONSES, RESPONSES, RESPONSES, RESPONSES])
    expect(pathsOf({ model, hasTools: true })).toEqual([RESPONSES, RESPONSES, RESPONSES, RESPONSES])
  })

  it.each(['gpt-5.4', 'gpt-5.4-mini-2026-03-17', 'gpt-5.10', 'gpt-5.6-sol', 'gpt-6', 'openai/gpt-5.5', 'ft:gpt-5.4:own::1'])(
    'is Responses for tools to %s and for clients of other formats, which chat refuses or serves worse',
    (model) => {
      expect(pathsOf({ model })).toEqual([CHAT, RESPONSES, RESPONSES, RESPONSES])
      expect(pathsOf({ model, hasTools: true })).toEqual([RESPONSES, RESPONSES, RESPONSES, RESPONSES])
    },
  )

  it('stays chat for tools of a chat client that turns reasoning off', () => {
    const call = { client: 'openai-chat', model: 'gpt-5.6', hasTools: true } as const

    expect(send({ ...call, over: { reasoning_effort: 'none' } }).path).toBe(CHAT)
    expect(send({ ...call, over: { reasoning_effort: 'low' } }).path).toBe(RESPONSES)
  })

  it.each([
    'gpt-4o',
    'gpt-3.5-turbo',
    'gpt-35-turbo',
    'gpt-4.1-mini',
    'gpt-5.4-chat-latest',
    'gpt-5-chat-latest',
    'gpt-5-search-api',
    'o1-mini',
    'some-model',
  ])('stays chat for %s', (model) => {
    expect(pathsOf({ model, hasTools: true })).toEqual([CHAT, RESPONSES, CHAT, CHAT])
  })

  it.each(['gpt-5', 'gpt-5.2', 'o3', 'o4-mini'])('is Responses for other clients of %s at OpenAI’s own address only', (model) => {
    const compatible = 'https://compatible.example'

    expect(pathsOf({ model, hasTools: true })).toEqual([CHAT, RESPONSES, RESPONSES, RESPONSES])
    expect(pathsOf({ model, hasTools: true, base_url: 'https://api.openai.com' })).toEqual([CHAT, RESPONSES, RESPONSES, RESPONSES])
    expect(pathsOf({ model, hasTools: true, base_url: compatible })).toEqual([CHAT, RESPONSES, CHAT, CHAT])
    expect(pathsOf({ model: 'gpt-5.4', hasTools: true, base_url: compatible })).toEqual([RESPONSES, RESPONSES, RESPONSES, RESPONSES])
  })

  it('is what the channel’s setting says', () => {
    const at = (preferred_api: string, model: string) => pathsOf({ model, hasTools: true, setting: { preferred_api } })

    expect(at('chat', 'gpt-5.4')).toEqual([CHAT, RESPONSES, CHAT, CHAT])
    expect(at('responses', 'some-model')).toEqual([CHAT, RESPONSES, RESPONSES, RESPONSES])
    expect(at('nonsense', 'gpt-5.4')).toEqual([RESPONSES, RESPONSES, RESPONSES, RESPONSES])
  })

  it('is chosen alike on Azure', () => {
    const type = ChannelType.AzureOpenAI
    const paths = pathsOf({ model: 'gpt-5.4', hasTools: true, type })

    expect(paths.map((path) => path.split('?')[0])).toEqual(CLIENTS.map(() => '/openai/v1/responses'))
    expect(send({ client: 'openai-chat', model: 'gpt-4o', hasTools: true, type }).path).toMatch(/chat\/completions/)
  })

  it.each([ChannelType.Custom, ChannelType.OpenRouter, ChannelType.OpenAIMax])('stays chat on channels of type %i', (type) => {
    const paths = (['openai-chat', 'anthropic-messages', 'gemini'] as const).map(
      (client) => send({ client, model: 'gpt-5.4', hasTools: true, type }).path,
    )

    expect(paths.filter((path) => path.includes('responses'))).toEqual([])
  })
})

describe('a chat request that goes to Responses', () => {
  it('is not kept by the vendor, and has its tools and effort in that form', () => {
    const { body } = send({
      client: 'openai-chat',
      model: 'gpt-5.4',
      hasTools: true,
      over: { reasoning_effort: 'high', max_completion_tokens: 50, store: true },
    })

    expect(body).toMatchObject({
      model: 'gpt-5.4',
      input: 'Hi',
      tools: [{ type: 'function', name: 'look' }],
      reasoning: { effort: 'high' },
      max_output_tokens: 50,
      store: false,
    })
  })
})
