import type { ChatFormat } from '@tollgate/providers/chat/request'
import { chatCodecs } from '@tollgate/providers/chat/formats/index'
import { objectsAt, type JsonObject } from '@tollgate/providers/json'
import { chatOperation } from '@tollgate/providers/operations/chat'
import { ChannelType } from '@tollgate/providers/vendors/channel-types'
import { describe, expect, it } from 'vitest'
import { prepareSample } from '../test/prepare-sample.ts'

/** Models that refuse a history with calls if an answer in it has no reasoning. */

function send(client: ChatFormat, body: JsonObject, type: number) {
  const prepared = prepareSample({ operation: chatOperation(chatCodecs[client]), body, type })
  if (prepared.kind !== 'ok') throw new Error(prepared.kind)
  const raw = prepared.call.body?.toString() ?? ''
  return { raw, answers: objectsAt(JSON.parse(raw), 'messages').filter(({ role }) => role === 'assistant') }
}

const call = { id: 'c1', type: 'function', function: { name: 'look', arguments: '{}' } }
const history = (model: string, fields: JsonObject = {}, answer: JsonObject = {}) => ({
  model,
  messages: [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: '', tool_calls: [call], ...answer },
    { role: 'tool', tool_call_id: 'c1', content: 'seen' },
    { role: 'assistant', content: 'There.' },
    { role: 'user', content: 'And?' },
  ],
  ...fields,
})
const messages = (model: string, fields: JsonObject = {}) => ({
  model,
  max_tokens: 9,
  messages: [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'look', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'seen' }] },
    { role: 'assistant', content: 'There.' },
    { role: 'user', content: 'And?' },
  ],
  ...fields,
})

const THINKING = { thinking: { type: 'enabled', budget_tokens: 2000 } }
const EMPTY = [{ reasoning_content: '' }, { reasoning_content: '' }]

describe('a history without reasoning', () => {
  it.each([
    [ChannelType.DeepSeek, 'deepseek-reasoner', {}],
    [ChannelType.DeepSeek, 'deepseek-v4-pro', {}],
    [ChannelType.DeepSeek, 'deepseek-chat', THINKING],
    [ChannelType.Moonshot, 'kimi-k2-thinking', {}],
    [ChannelType.VolcEngine, 'deepseek-v3-2-251201', THINKING],
    [ChannelType.VolcEngine, 'kimi-k2-thinking-251104', {}],
    [ChannelType.Moonshot, 'kimi-k2.6', {}],
    [ChannelType.SiliconFlow, 'Pro/moonshotai/Kimi-K2.5', {}],
    [ChannelType.OpenAI, 'deepseek-v4-flash', {}],
    [ChannelType.Custom, 'mimo-v2.5-pro', {}],
  ])('has an empty one for vendor %i with model %s, converted or not', (type, model, fields) => {
    expect(send('anthropic-messages', messages(model, fields), type).answers).toMatchObject(EMPTY)
    expect(send('openai-chat', history(model, fields), type).answers).toMatchObject(EMPTY)
  })

  it.each([
    [ChannelType.DeepSeek, 'deepseek-v4-pro', { thinking: { type: 'disabled' } }],
    [ChannelType.DeepSeek, 'deepseek-chat', {}],
    [ChannelType.Moonshot, 'kimi-k2-0905-preview', {}],
    [ChannelType.VolcEngine, 'kimi-k2-250905', {}],
    [ChannelType.VolcEngine, 'deepseek-v3-250324', {}],
    [ChannelType.ZhipuV4, 'glm-5.2', THINKING],
    [ChannelType.Ali, 'qwen3-max', THINKING],
    [ChannelType.XAI, 'grok-4.3', THINKING],
    [ChannelType.MiniMax, 'MiniMax-M2.5', THINKING],
    [ChannelType.OpenAI, 'gpt-4o', {}],
  ])('stays as it is for vendor %i with model %s, which does not need it', (type, model, fields) => {
    for (const { answers } of [
      send('anthropic-messages', messages(model, fields), type),
      send('openai-chat', history(model, fields), type),
    ])
      for (const answer of answers) expect(answer).not.toHaveProperty('reasoning_content')
  })

  it('stays as it is without calls, and with the reasoning that the client kept, byte for byte', () => {
    const plain = {
      model: 'deepseek-v4-pro',
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: 'a' },
      ],
    }
    const kept = history('deepseek-v4-pro', {}, { reasoning_content: 'So.' })
    const whole = { ...kept, messages: kept.messages.map((one) => (one.role === 'assistant' ? { reasoning_content: 'So.', ...one } : one)) }

    for (const body of [plain, whole]) expect(send('openai-chat', body, ChannelType.DeepSeek).raw).toBe(JSON.stringify(body))
    expect(send('openai-chat', kept, ChannelType.DeepSeek).answers).toMatchObject([{ reasoning_content: 'So.' }, { reasoning_content: '' }])
  })

  it('has the reasoning that the client sent under its other name', () => {
    const { answers } = send('openai-chat', history('deepseek-v4-pro', {}, { reasoning: 'So.' }), ChannelType.DeepSeek)

    expect(answers).toMatchObject([{ reasoning_content: 'So.' }, { reasoning_content: '' }])
  })
})
