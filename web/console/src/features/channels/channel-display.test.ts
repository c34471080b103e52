import { describe, expect, it } from 'vitest'
import { aChannel } from '../../testing/channel-factories.ts'
import { parseChannelSearch } from './search.ts'
import { evidenceOf, findType, idOfRow, keysOutOf, offeredTypes, shared, tagRows } from './channel-display.ts'

describe('tag rows', () => {
  const channels = [aChannel({ id: 1, tag: 'a', weight: 2 }), aChannel({ id: 2, tag: 'b' }), aChannel({ id: 3, tag: 'a', weight: 2 })]

  it('fold their channels', () => {
    expect(tagRows(channels, new Set()).map(idOfRow)).toEqual([-1, -2])
  })

  it('show the channels of an open tag below its head', () => {
    expect(tagRows(channels, new Set(['a'])).map(idOfRow)).toEqual([-1, 1, 3, -2])
  })

  it('show a number only when all channels share it', () => {
    expect(shared(channels, 'priority')).toBe(0)
    expect(shared(channels, 'weight')).toBeUndefined()
  })
})

describe('the evidence of an automatic disable', () => {
  it('is the reason, the status of the answer and the time', () => {
    expect(evidenceOf(aChannel({ status: 3, other_info: '{"status_reason":"401: bad","status_time":1750000000,"status":401}' }))).toEqual({
      reason: '401: bad',
      status: 401,
      time: 1_750_000_000,
    })
  })

  it('is empty when nothing was recorded, and absent for other statuses', () => {
    expect(evidenceOf(aChannel({ status: 3, other_info: '' }))).toEqual({ reason: '', status: 0, time: 0 })
    expect(keysOutOf(aChannel({ status: 1, other_info: '{"keys":{"ab12":{"status_reason":"401","status_time":5}}}' }))).toEqual([
      { key_id: 'ab12', reason: '401', status: 0, time: 5 },
    ])
    expect(evidenceOf(aChannel({ status: 2, other_info: '{"status_reason":"x"}' }))).toBeUndefined()
  })
})

describe('channel types', () => {
  it('are offered when they can be chosen, and the one that is set stays', () => {
    const hidden = [...Array(60).keys()].map(findType).find((entry) => entry?.isSelectable === false)

    expect(offeredTypes(1).some(({ type }) => type === hidden?.type)).toBe(false)
    expect(offeredTypes(hidden?.type ?? 0).some(({ type }) => type === hidden?.type)).toBe(true)
  })

  it('hint the formats of the keys that have one', () => {
    expect([15, 18, 22, 23, 33, 41].map((type) => findType(type)?.keyHint?.zh !== undefined)).toEqual([true, true, true, true, true, true])
  })
})

describe('the address of the channel page', () => {
  it('keeps what it understands', () => {
    expect(parseChannelSearch({ keyword: 12, group: 'vip', page: '2', tag: 'cn', model: '' })).toEqual({
      keyword: '12',
      group: 'vip',
      page: 2,
      tag: 'cn',
    })
  })
})
