import { countText } from '@tollgate/domain/pricing/count'
import { estimateTokens } from '@tollgate/domain/pricing/estimate'
import { promptOf } from '@tollgate/providers/chat/formats/openai-chat/prompt'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { GENERATED } from '../../../../libs/domain/src/pricing/__fixtures__/generated-texts.ts'
import { estimatePrompt } from './estimate-prompt.ts'

const request = (text: string) => ({ model: 'gpt-4o', has_tools: false, texts: [text], tool_texts: [], extra_tokens: 0 })
const all = (text: string) => estimateTokens(countText(text), 'o200k')

/** Cheap letters where four samples at fixed positions would read, expensive characters everywhere else. */
function craft(length: number): string {
  const cheap = 'a'.repeat(1100)
  const step = (length - 1024) / 3
  let text = ''
  for (let at = 0; at < 4; at += 1) {
    const start = Math.max(0, Math.floor(at * step) - 38)
    text += '的'.repeat(Math.max(0, Math.min(length - 1100, start) - text.length)) + cheap
  }
  return text
}

describe('estimatePrompt', () => {
  it('counts all of a short text', () => {
    const text = 'Only some words, and 敏感词. '.repeat(40)
    expect(estimatePrompt(request(text), 1)).toBe(all(text))
  })

  it.each([
    [1, 97],
    [5, 457],
    [20, 1817],
  ])('is within 7 %% of what Mistral makes of %i tools', (count, exact) => {
    // Counted with mistral-common 1.13.1 (v3, tekken), one message "Hi".
    const schemas = GENERATED.find(({ kind }) => kind === 'tool schemas as compact JSON')?.text ?? '[]'
    const tools = (JSON.parse(schemas) as unknown[]).slice(0, count)
    const facts = promptOf({ messages: [{ role: 'user', content: 'Hi' }], tools }, 'mistral-medium-latest')

    const tokens = estimatePrompt({ model: 'mistral-medium-latest', has_tools: true, ...facts }, 1)

    expect(Math.abs(tokens / exact - 1)).toBeLessThan(0.07)
  })

  it('is near the full count for ordinary long texts', () => {
    const text = 'The quick brown fox jumps over the lazy dog, 42 times; und dann schläft er. 敏捷的棕色狐狸。\n'.repeat(500)
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 31 }), (seed) => {
        const ratio = estimatePrompt(request(text), seed) / all(text)
        expect(ratio).toBeGreaterThan(0.9)
        expect(ratio).toBeLessThan(1.1)
      }),
    )
  })

  it('is the same for the same text, and not for another seed', () => {
    const text = craft(50_000)
    expect(estimatePrompt(request(text), 7)).toBe(estimatePrompt(request(text), 7))
    expect(new Set(Array.from({ length: 20 }, (_, seed) => estimatePrompt(request(text), seed))).size).toBeGreaterThan(1)
  })

  it('is not deceived by a text written to look shorter than it is', () => {
    const text = craft(50_000)

    const ratios = Array.from({ length: 200 }, (_, seed) => estimatePrompt(request(text), seed * 7919 + 1) / all(text))

    expect(ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length).toBeGreaterThan(0.95)
    expect(Math.min(...ratios)).toBeGreaterThan(0.5)
  })
})
