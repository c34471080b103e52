import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { MAX_QUOTA } from '../units.ts'
import { ChannelChange, NewChannel, TagChange } from './channels.ts'
import { NewRedemptions } from './redemptions.ts'
import { SpendAlertChange } from './spend-alerts.ts'
import { NewToken, TokenChange, tokens } from './tokens.ts'
import { NewUser, QuotaAdjustment, UserChange } from './users.ts'

/** Place of the first problem; empty: none. */
function problemOf(schema: z.ZodType, body: unknown): string {
  const [issue] = schema.safeParse(body).error?.issues ?? []
  return issue === undefined ? '' : issue.path.join('.') || issue.code
}

describe('forms that existing consoles send', () => {
  it.each<[string, z.ZodType, unknown, unknown]>([
    [
      'a token without limits',
      NewToken,
      { name: 'ci', remain_quota: null, expired_time: -1, unlimited_quota: true, allow_ips: null, group: '' },
      { name: 'ci', remain_quota: 0, expired_time: -1, unlimited_quota: true, model_limits: '', allow_ips: null },
    ],
    ['a token with defaults', NewToken, {}, { name: '', remain_quota: 0, unlimited_quota: false, cross_group_retry: false }],
    ['a token that loses its limits', TokenChange, { id: 3, limits: null }, { id: 3, limits: null }],
    ['a user without a display name', NewUser, { username: 'u', password: 'p', display_name: null }, { display_name: null }],
    [
      'a channel with blank fields',
      NewChannel,
      { type: 1, name: 'c', key: 'sk', base_url: null, weight: null },
      { base_url: null, weight: null },
    ],
    [
      'a channel in the shape of newer consoles',
      NewChannel,
      { mode: 'multi_to_single', multi_key_mode: 'polling', channel: { type: 1, key: 'a\nb' } },
      { type: 0, channel: { type: 1, key: 'a\nb' } },
    ],
    ['a channel of which one field changes', ChannelChange, { id: 4, priority: -5 }, { id: 4, priority: -5 }],
    ['a tag that is removed', TagChange, { tag: 'east', new_tag: '' }, { tag: 'east', new_tag: '' }],
    ['codes without an end', NewRedemptions, { name: 'n', quota: 5, count: 2 }, { expired_time: 0 }],
  ])('are read: %s', (_case, schema, body, expected) => {
    expect(schema.parse(body)).toMatchObject(expected as object)
  })

  it('keep no field that is not declared', () => {
    expect(NewUser.parse({ username: 'u', password: 'p', quota: 1_000_000, aff_code: 'x' })).toEqual({ username: 'u', password: 'p' })
    expect(UserChange.parse({ id: 2, access_token: 'x', used_quota: 0 })).toEqual({ id: 2 })
  })
})

describe('bad input', () => {
  it.each<[string, z.ZodType, unknown, string]>([
    ['a list instead of a form', NewToken, [], 'invalid_type'],
    ['a text instead of a number', NewToken, { remain_quota: '5' }, 'remain_quota'],
    ['a fraction of a quota', NewToken, { remain_quota: 0.5 }, 'remain_quota'],
    ['more quota than a sum may reach', NewToken, { remain_quota: MAX_QUOTA + 1 }, 'remain_quota'],
    ['less quota than a sum may reach', TokenChange, { remain_quota: -MAX_QUOTA - 1 }, 'remain_quota'],
    ['a number that is infinite in JSON', UserChange, { quota: JSON.parse('1e999') as unknown }, 'quota'],
    ['an address list of 8193 characters', NewToken, { allow_ips: '1'.repeat(8193) }, 'allow_ips'],
    ['a model list of 8193 characters', TokenChange, { model_limits: 'm'.repeat(8193) }, 'model_limits'],
    ['a limit of no request', NewToken, { limits: { rpm: 0 } }, 'limits.rpm'],
    ['a form id of 65 characters', TokenChange, { form_id: 'f'.repeat(65) }, 'form_id'],
    ['a role that is a word', NewUser, { username: 'u', role: 'root' }, 'role'],
    ['a password of a megabyte', NewUser, { username: 'u', password: 'p'.repeat(1_000_000) }, 'password'],
    ['an adjustment without an amount', QuotaAdjustment, { id: 2, reason: 'x' }, 'amount'],
    ['an adjustment of not a number', QuotaAdjustment, { id: 2, amount: Number.NaN, reason: 'x' }, 'amount'],
    ['a weight that breaks sums', ChannelChange, { id: 1, weight: 1_000_000_001 }, 'weight'],
    ['a key of more than two million characters', NewChannel, { key: 'k'.repeat(2_000_001) }, 'key'],
    ['a wrong field in the shape of newer consoles', NewChannel, { mode: 'single', channel: { type: '1' } }, 'channel.type'],
    ['a million and one codes', NewRedemptions, { count: 1_000_001 }, 'count'],
    ['a period that does not exist', SpendAlertChange, { period: 'year', threshold: 5 }, 'period'],
    ['an alert for a token below zero', SpendAlertChange, { token_id: -1, period: 'day', threshold: 5 }, 'token_id'],
  ])('is refused at its field: %s', (_case, schema, body, place) => {
    expect(problemOf(schema, body)).toBe(place)
  })

  it('does not change prototypes', () => {
    const body = JSON.parse('{"id":2,"__proto__":{"role":100},"constructor":{"x":1}}') as unknown

    const read = UserChange.parse(body)

    expect(read.role).toBeUndefined()
    expect(Object.keys(read)).toEqual(['id'])
  })

  it('is a confirmation other than the two that exist', () => {
    const query = tokens.remove.query ?? z.never()

    expect(['', 'ask', 'yes', 'no', undefined].map((confirm) => problemOf(query, { confirm }))).toEqual(['', '', '', 'confirm', ''])
  })
})
