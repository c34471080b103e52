import { AffinityRule } from '@tollgate/contracts/channels/affinity-rules'
import { describe, expect, it } from 'vitest'
import { findAffinityRule, headersOfRules, nameByRule } from './affinity-rules.ts'

describe('a rule of affinity', () => {
  it.each([
    [undefined, 'gpt-4o', true],
    ['gpt-4o', 'gpt-4o', true],
    ['gpt-4o', 'gpt-4o-mini', false],
    ['gpt-*', 'gpt-4o', true],
    ['gpt-*', 'o3', false],
    ['*mini', 'gpt-4o-mini', true],
    ['gpt*o*mini', 'gpt-4o-mini', true],
    ['a*a', 'a', false],
    ['*', '', true],
  ])('of the model %s is for %s: %s', (model, asked, isFor) => {
    const rules = [{ keys: ['body:id'], ...(model === undefined ? {} : { model }) }]
    expect(findAffinityRule(rules, { model: asked, path: '/v1/responses' }) !== undefined).toBe(isFor)
  })

  it('names a conversation by the first source that the request has', () => {
    const rule = { keys: ['header:X-Session-Id', 'body:metadata.session', 'body:turn'] }
    const body = { metadata: { session: 's1' }, turn: 7 }

    expect(nameByRule(rule, { body, headers: { 'x-session-id': 'h1' } })).toBe('h1')
    expect(nameByRule(rule, { body, headers: {} })).toBe('s1')
    expect(nameByRule(rule, { body: { metadata: null, turn: 7 }, headers: {} })).toBe('7')
    expect(nameByRule(rule, { body: { metadata: { session: {} } }, headers: {} })).toBeUndefined()
    expect(nameByRule({ keys: ['body:constructor.name'] }, { body, headers: {} })).toBeUndefined()
    expect(headersOfRules([rule, rule])).toEqual(['x-session-id'])
  })

  it.each([[{}], [{ keys: [] }], [{ keys: ['cookie:a'] }], [{ keys: ['body:'] }], [{ keys: ['body:a'], other: 1 }]])(
    'cannot be %j',
    (rule) => {
      expect(AffinityRule.safeParse(rule).success).toBe(false)
    },
  )
})
