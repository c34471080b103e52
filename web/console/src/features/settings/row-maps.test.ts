import { describe, expect, it } from 'vitest'
import { groupRows, limitRows, withGroups, withLimits } from './row-maps.ts'

describe('groups as rows', () => {
  it('are all groups of both options, and change nothing when they are not edited', () => {
    const values = { GroupRatio: '{"default":1,"vip":0.5}', UserUsableGroups: '{"default":"默认分组","open":""}' }
    const rows = groupRows(values) ?? []
    expect(rows).toEqual([
      ['default', '1', '默认分组'],
      ['vip', '0.5', ''],
      ['open', '', 'open'],
    ])
    expect(JSON.parse(String(withGroups(rows)['GroupRatio']))).toEqual({ default: 1, vip: 0.5 })
  })

  it('keep what is no number for the check of the option, and leave out rows without a name', () => {
    const { GroupRatio, UserUsableGroups } = withGroups([
      ['a', 'half', ''],
      ['', '1', 'x'],
    ])
    expect(JSON.parse(String(GroupRatio))).toEqual({ a: 'half' })
    expect(JSON.parse(String(UserUsableGroups))).toEqual({})
  })

  it('are not read from broken JSON', () => {
    expect(groupRows({ GroupRatio: '{', UserUsableGroups: '{}' })).toBeUndefined()
    expect(limitRows({ RateLimits: '[]' }, 'group')).toBeUndefined()
  })
})

describe('shared limits as rows', () => {
  it('are those of one kind, and leave the other kind as it is', () => {
    const values = { RateLimits: '{"group":{"vip":{"rpm":5}},"model":{"gpt-4o":{"tpm":100,"concurrency":2}}}' }
    expect(limitRows(values, 'model')).toEqual([['gpt-4o', '', '100', '2']])

    const changed = withLimits(values, 'group', [['vip', '6', '', '']])
    expect(JSON.parse(String(changed['RateLimits']))).toEqual({
      group: { vip: { rpm: 6 } },
      model: { 'gpt-4o': { tpm: 100, concurrency: 2 } },
    })
    expect(JSON.parse(String(withLimits(values, 'group', [])['RateLimits']))).toEqual({
      model: { 'gpt-4o': { tpm: 100, concurrency: 2 } },
    })
  })
})
