import { describe, expect, it } from 'vitest'
import { failureByCode } from './error-codes.ts'
import { ChannelType, vendors } from './index.ts'
import { applyQuirks, droppedBy, type Quirks } from './quirks.ts'

const PIXEL = 'data:image/png;base64,AAAA'
const withImage = (url: string) => ({ messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }] })

describe('quirks', () => {
  it.each([
    ['drops fields', { drop: ['n'] }, { n: 2, x: 1 }, { x: 1 }],
    ['renames fields', { rename: { seed: 'random_seed' } }, { seed: 1 }, { random_seed: 1 }],
    ['keeps the vendor’s own name if both are there', { rename: { seed: 'random_seed' } }, { seed: 1, random_seed: 2 }, { random_seed: 2 }],
    ['renames values', { values: { tool_choice: { required: 'any' } } }, { tool_choice: 'required' }, { tool_choice: 'any' }],
    ['moves numbers into their range', { clamp: { top_p: { min: 0.1, max: 0.9 } } }, { top_p: 1 }, { top_p: 0.9 }],
    ['strips the head of data URLs', { hasPlainImages: true }, withImage(PIXEL), withImage('AAAA')],
    ['sets defaults in calls without a stream', { wholeDefaults: { think: false } }, {}, { think: false }],
  ] as const)('%s', (_, quirks: Quirks, body, expected) => {
    expect(applyQuirks(quirks, body, false)).toEqual(expected)
  })

  it.each([
    [
      { drop: ['n'], rename: { seed: 's' }, clamp: { top_p: { max: 1 } }, values: { tool_choice: { required: 'any' } } },
      { top_p: 1, x: 1 },
    ],
    [{ hasPlainImages: true }, withImage('https://images.example/cat.png')],
    [{ wholeDefaults: { think: false } }, { x: 1 }],
  ] as const)('return the same object if nothing changes', (quirks: Quirks, body) => {
    expect(applyQuirks(quirks, body, true)).toBe(body)
  })

  it('report what the vendor does not receive', () => {
    expect(droppedBy({ drop: ['n', 'seed', 'user'] }, { n: 2, seed: null })).toEqual(['n'])
  })
})

describe('error codes', () => {
  const minimax = vendors[ChannelType.MiniMax].errorCodes
  if (minimax === undefined) throw new Error('MiniMax states errors by code')

  it.each([
    [1004, 'refused', 401],
    [1008, 'refused', 402],
    [1002, 'limited', 429],
    [4711, 'refused', 400],
  ])('%i is %s with %i', (code, kind, status) => {
    const body = { base_resp: { status_code: code, status_msg: 'no' } }
    expect(failureByCode(minimax, body)).toMatchObject({ kind, status, code: String(code), message: 'no' })
  })

  it('of success are none', () => {
    expect(failureByCode(minimax, { base_resp: { status_code: 0, status_msg: '' } })).toBeUndefined()
    expect(failureByCode(minimax, 'not json')).toBeUndefined()
  })
})
