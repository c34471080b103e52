import { ChannelStatus } from '@tollgate/contracts/enums'
import type { ChannelSnapshot } from '@tollgate/contracts/snapshot'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chooseChannel } from './choose.ts'

const aChannel = (over: Partial<ChannelSnapshot> & { id: number }): ChannelSnapshot => ({
  type: 1,
  name: `c${over.id}`,
  status: ChannelStatus.enabled,
  key_sealed: '',
  openai_organization: '',
  base_url: '',
  other: '',
  models: [],
  groups: [],
  model_mapping: {},
  status_code_mapping: {},
  param_override: {},
  setting: {},
  priority: 0,
  weight: 0,
  auto_ban: true,
  tag: '',
  ...over,
})
const first = () => 0
const none = new Set<number>()

describe('chooseChannel', () => {
  it('draws from the highest priority and says why not of the others', () => {
    const channels = [
      aChannel({ id: 1, priority: 5 }),
      aChannel({ id: 2, priority: 9, status: ChannelStatus.disabled }),
      aChannel({ id: 3, priority: 9, status: ChannelStatus.autoDisabled }),
      aChannel({ id: 4, priority: 5 }),
      aChannel({ id: 5, priority: 1, weight: 100 }),
      aChannel({ id: 6, priority: 9 }),
    ]

    const { channel, candidates } = chooseChannel({ channels, tried: new Set([6]), random: first })

    expect(channel?.id).toBe(1)
    expect(candidates.map(({ channel_id, verdict }) => [channel_id, verdict])).toEqual([
      [1, 'chosen'],
      [2, 'disabled'],
      [3, 'auto-disabled'],
      [4, 'not-drawn'],
      [5, 'lower-priority'],
      [6, 'already-tried'],
    ])
  })

  it('uses a level up before it goes on to the next', () => {
    const channels = [aChannel({ id: 1, priority: 2 }), aChannel({ id: 2, priority: 2 }), aChannel({ id: 3, priority: 1 })]
    const tried = new Set<number>()
    const order: number[] = []

    for (let turn = 0; turn < 4; turn += 1) {
      const { channel } = chooseChannel({ channels, tried, random: () => 0.999 })
      if (channel === undefined) break
      order.push(channel.id)
      tried.add(channel.id)
    }

    expect(order).toEqual([2, 1, 3])
  })

  it('passes over what its caller rules out, with the reason given', () => {
    const channels = [aChannel({ id: 1, type: 14 }), aChannel({ id: 2 })]

    const { channel, candidates } = chooseChannel({
      channels,
      tried: none,
      random: first,
      skip: (one) => (one.type === 14 ? 'unsupported' : undefined),
    })

    expect(channel?.id).toBe(2)
    expect(candidates[0]?.verdict).toBe('unsupported')
  })

  it('gives nothing where nothing is left', () => {
    expect(chooseChannel({ channels: [], tried: none, random: first })).toEqual({ channel: undefined, candidates: [] })
    expect(chooseChannel({ channels: [aChannel({ id: 1 })], tried: new Set([1]), random: first }).channel).toBeUndefined()
  })

  it('draws by weight plus ten, so that a weight of 0 is drawn too', () => {
    const channels = [aChannel({ id: 1, weight: 20 }), aChannel({ id: 2, weight: 0 })]
    const drawn = Array.from({ length: 400 }, (_, index) => chooseChannel({ channels, tried: none, random: () => index / 400 }).channel?.id)

    expect(drawn.filter((id) => id === 1)).toHaveLength(300)
    expect(drawn.filter((id) => id === 2)).toHaveLength(100)
  })

  it('never draws a tried or disabled channel, and always one when there is an untried enabled one', () => {
    const channel = fc.record({
      priority: fc.integer({ min: -3, max: 3 }),
      weight: fc.nat(50),
      status: fc.integer({ min: 0, max: 3 }),
      isTried: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(channel, { maxLength: 12 }), fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (drafts, chance) => {
        const channels = drafts.map(({ priority, weight, status }, id) => aChannel({ id, priority, weight, status }))
        const tried = new Set(drafts.flatMap(({ isTried }, id) => (isTried ? [id] : [])))
        const open = channels.filter(({ id, status }) => status === ChannelStatus.enabled && !tried.has(id))

        const { channel: chosen, candidates } = chooseChannel({ channels, tried, random: () => chance })

        expect(chosen === undefined).toBe(open.length === 0)
        if (chosen !== undefined) expect(open.filter(({ priority }) => priority > chosen.priority)).toEqual([])
        expect(candidates.filter(({ verdict }) => verdict === 'chosen').map(({ channel_id }) => channel_id)).toEqual(
          chosen === undefined ? [] : [chosen.id],
        )
        expect(candidates).toHaveLength(channels.length)
      }),
    )
  })
})
