import { describe, expect, it } from 'vitest'
import type { ChatMessage } from '../chat/messages.ts'
import { toApplicationBody } from './request-body.ts'
import { API_FORMATS, codeOf, LANGUAGES, pythonOf } from './request-code.ts'
import { toAnthropic, toGemini } from './request-formats.ts'
import { defaultSettings } from '../settings/settings.ts'

const settings = {
  ...defaultSettings('Be brief'),
  temperature: 0.5,
  maxTokens: '100',
  tools: '[{"type":"function","function":{"name":"weather","description":"d","parameters":{"type":"object"}}}]',
  schema: '{"type":"object"}',
}
const said: readonly ChatMessage[] = [
  { id: '4', role: 'user', createAt: 1, content: "It's?", images: ['data:image/png;base64,AA'] },
  {
    id: '5',
    role: 'assistant',
    createAt: 1,
    content: '',
    status: 'complete',
    calls: [{ id: 'c', name: 'weather', arguments: '{"city":"Bonn"}', result: 'sunny' }],
  },
  { id: '6', role: 'assistant', createAt: 1, content: 'Sunny', status: 'complete' },
  { id: '7', role: 'user', createAt: 1, content: 'And `now`?' },
  { id: '8', role: 'assistant', createAt: 1, content: 'not asked for', status: 'complete' },
]
const body = toApplicationBody(said, settings, 'Hello')

describe('the conversation as code', () => {
  it('is the last request without what only the console needs', () => {
    expect(Object.keys(body).toSorted()).toEqual(['max_tokens', 'messages', 'model', 'response_format', 'temperature', 'tools'])
    expect(body.messages.at(-1)).toEqual({ role: 'user', content: 'And `now`?' })
    expect(toApplicationBody([], defaultSettings(''), 'Hello').messages).toEqual([{ role: 'user', content: 'Hello' }])
  })

  it('is written for Anthropic', () => {
    expect(toAnthropic(body)).toEqual({
      model: 'gpt-4o-mini',
      max_tokens: 100,
      system: 'Be brief',
      temperature: 0.5,
      tools: [{ name: 'weather', description: 'd', input_schema: { type: 'object' } }],
      output_config: { format: { type: 'json_schema', schema: { type: 'object' } } },
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: "It's?" },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA' } },
          ],
        },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'weather', input: { city: 'Bonn' } }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: 'sunny' }] },
        { role: 'assistant', content: 'Sunny' },
        { role: 'user', content: 'And `now`?' },
      ],
    })
  })

  it('is written for Gemini', () => {
    expect(toGemini(body)).toMatchObject({
      systemInstruction: { parts: [{ text: 'Be brief' }] },
      generationConfig: { temperature: 0.5, maxOutputTokens: 100, responseMimeType: 'application/json' },
      contents: [
        { role: 'user', parts: [{ text: "It's?" }, { inlineData: { mimeType: 'image/png', data: 'AA' } }] },
        { role: 'model', parts: [{ functionCall: { name: 'weather', args: { city: 'Bonn' } } }] },
        { role: 'user', parts: [{ functionResponse: { name: 'weather', response: { result: 'sunny' } } }] },
        { role: 'model', parts: [{ text: 'Sunny' }] },
        { role: 'user', parts: [{ text: 'And `now`?' }] },
      ],
    })
  })

  it.each(API_FORMATS.flatMap((format) => LANGUAGES.map((language) => [format, language] as const)))(
    'is there for %s in %s with address, key and conversation',
    (format, language) => {
      const code = codeOf({ address: 'https://gate.example', key: 'sk-1', body, format, language })

      for (const part of ['https://gate.example', 'sk-1', 'Sunny', 'gpt-4o-mini']) expect(code).toContain(part)
      expect(code).not.toContain('not asked for')
    },
  )

  it('quotes what the shell and Go would read as their own', () => {
    const at = { address: 'https://gate.example', key: 'sk-1', body, format: 'openai' } as const

    expect(codeOf({ ...at, language: 'curl' })).toContain(String.raw`It'\''s?`)
    expect(codeOf({ ...at, language: 'go' })).toContain('And ` + "`" + `now` + "`" + `?')
  })

  it('writes values as Python does', () => {
    expect(pythonOf({ a: [true, null, 'x'], b: {} }, '')).toBe(
      '{\n    "a": [\n        True,\n        None,\n        "x",\n    ],\n    "b": {},\n}',
    )
  })
})
