import { createHash } from 'node:crypto'
import cl100k from 'gpt-tokenizer/encoding/cl100k_base'
import o200k from 'gpt-tokenizer/encoding/o200k_base'
import { emptyCounts } from '@tollgate/contracts/pricing/character-counts'
import { describe, expect, it } from 'vitest'
import { corpus } from './__fixtures__/corpus.ts'
import { GENERATED } from './__fixtures__/generated-texts.ts'
import { addCounts, countInto, countText, estimateTokens, estimatedUsage, familyOf } from './estimate.ts'

const ENCODERS = { o200k, cl100k } as const

describe.each(['o200k', 'cl100k'] as const)('the estimate for the %s vocabulary', (family) => {
  it('is within 10 % of the exact count over the whole corpus', () => {
    const exact = corpus.reduce((sum, { text }) => sum + ENCODERS[family].encode(text).length, 0)

    const estimated = corpus.reduce((sum, { text }) => sum + estimateTokens(countText(text), family), 0)

    expect(estimated / exact).toBeGreaterThan(0.9)
    expect(estimated / exact).toBeLessThan(1.1)
  })

  it.each(corpus)('is near the exact count of $kind', ({ text }) => {
    const exact = ENCODERS[family].encode(text).length

    const estimated = estimateTokens(countText(text), family)

    expect(Math.abs(estimated / exact - 1)).toBeLessThan(0.1)
  })

  it('is near the exact count for a text that a stream delivers token by token', () => {
    const exact = corpus.filter(({ text }) => /^\p{ASCII}*$/u.test(text)).flatMap(({ text }) => ENCODERS[family].encode(text))
    const counts = emptyCounts()

    for (const token of exact) countInto(counts, ENCODERS[family].decode([token]))

    expect(Math.abs(estimateTokens(counts, family) / exact.length - 1)).toBeLessThan(0.1)
  })

  it.each([
    ['one repeated letter', 'a'.repeat(20_000)],
    ['only punctuation', '!@#$%^&*()_+'.repeat(2_000)],
    ['only line breaks', '\n'.repeat(20_000)],
    ['hexadecimal', '0f3a9c'.repeat(3_000)],
  ])('does not let crafted text pass as nearly nothing: %s', (_, text) => {
    const exact = ENCODERS[family].encode(text).length

    expect(estimateTokens(countText(text), family)).toBeGreaterThan(exact / 4)
  })
})

/** Bytes that look random and are the same in every run. */
const bytes = (length: number): Buffer =>
  Buffer.concat(Array.from({ length: length / 32 }, (_, at) => createHash('sha256').update(String(at)).digest()))

it.each([
  ['base64', bytes(6016).toString('base64'), 0.93, 1.09],
  ['a data URL', `{"url":"data:image/png;base64,${bytes(6016).toString('base64')}"}`, 0.93, 1.09],
  ['hexadecimal', bytes(6016).toString('hex'), 0.93, 1.12],
])('the estimate of %s is near the exact count', (_, text, least, most) => {
  for (const family of ['o200k', 'cl100k'] as const) {
    const ratio = estimateTokens(countText(text), family) / ENCODERS[family].encode(text).length
    expect(ratio).toBeGreaterThan(least)
    expect(ratio).toBeLessThan(most)
  }
})

it.each([...corpus, ...GENERATED])('the estimate of $kind is within 7 % of four vocabularies', ({ text, claude, mistral }) => {
  const exact = { o200k: o200k.encode(text).length, cl100k: cl100k.encode(text).length, claude, mistral }
  for (const family of ['o200k', 'cl100k', 'claude', 'mistral'] as const) {
    const ratio = estimateTokens(countText(text), family) / exact[family]
    expect([family, Math.abs(ratio - 1) < 0.07, ratio]).toEqual([family, true, ratio])
  }
})

it.each([
  ['times', '1764300000123\n', 0.07],
  ['UUIDs', '0b7c5a52-93e4-4d1f-8a06-5f2e9c1d7b38\n', 0.07],
  ['dates', '2026-11-28T04:57:30.120Z\n', 0.07],
  ['digits without an end', '1234567890123456789012345678901234567890', 0.07],
])('the estimate of %s counts each group of digits once', (_, line, most) => {
  const text = line.repeat(50)
  const exact = o200k.encode(text).length
  expect(Math.abs(estimateTokens(countText(text), 'o200k') / exact - 1)).toBeLessThan(most)
})

it('leaves words and identifiers in capitals and small letters what they are', () => {
  const text = 'const theAccountOfTheOrganization = readTheBalanceFromTheLedger(MAX_QUOTA_PER_UNIT)\n'.repeat(40)
  const exact = o200k.encode(text).length
  expect(estimateTokens(countText(text), 'o200k') / exact).toBeLessThan(1.1)
})

describe('counts', () => {
  it('of two texts are the sum of their counts', () => {
    expect(addCounts(countText('two words '), countText('三个字 3'))).toEqual({
      ...emptyCounts(),
      letters: 8,
      words: 2,
      han: 3,
      numbers: 1,
      digits: 1,
      spaces: 2,
    })
  })

  it('treat an accented letter as part of its word', () => {
    expect(countText('über')).toMatchObject({ words: 1, letters: 3, accents: 1 })
  })
})

it.each([
  ['gpt-4', 'cl100k'],
  ['gpt-3.5-turbo', 'cl100k'],
  ['gpt-4-turbo', 'cl100k'],
  ['text-embedding-3-small', 'cl100k'],
  ['gpt-4o', 'o200k'],
  ['gpt-4.1', 'o200k'],
  ['o3-mini', 'o200k'],
  ['deepseek-chat', 'o200k'],
  ['anthropic/claude-opus-5-5', 'claude'],
  ['mistral-medium-latest', 'mistral'],
] as const)('%s is counted with the %s vocabulary', (model, family) => {
  expect(familyOf(model)).toBe(family)
})

it('an estimated usage counts every token as text and is marked as estimated', () => {
  expect(estimatedUsage({ prompt_tokens: 7, completion_tokens: 3, reasoning: 5 })).toMatchObject({
    text_in: 7,
    text_out: 3,
    reasoning: 3,
    prompt_tokens: 7,
    completion_tokens: 3,
    source: 'estimated',
    cache_read: 0,
  })
})
