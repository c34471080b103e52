import { describe, expect, it } from 'vitest'
import { isClusterAddress, parseClusterAddress } from './cluster-address.ts'
import { slotOfKey } from './key-slot.ts'
import { joinViews, parseNodes } from './slot-table.ts'

const ASKED = '10.0.0.9:6379'

/** A line of CLUSTER NODES. */
const line = (id: string, where: string, flags: string, epoch: number, ...slots: string[]): string =>
  [id, where, flags, '-', '0', '0', String(epoch), 'connected', ...slots].join(' ')
const view = (...lines: string[]) => parseNodes(`${lines.join('\n')}\n`, ASKED)

describe('a view of a node', () => {
  it('lists masters with their slots, without those that only move', () => {
    const [node] = view(line('a', '10.0.0.1:6379@16379', 'myself,master', 3, '0-5460', '7', '[93->-b]', '[94-<-b]'))
    expect(node).toMatchObject({
      address: '10.0.0.1:6379',
      isMaster: true,
      epoch: 3,
      slots: [
        [0, 5460],
        [7, 7],
      ],
    })
  })

  it.each([
    ['its announced name', '10.0.0.1:6379@16379,redis-0.example', 'master', 'redis-0.example:6379'],
    ['its address, where only other fields follow', '10.0.0.1:6379@16379,,shard-id=ab', 'master', '10.0.0.1:6379'],
    ['an address of version 6', '::1:6379@16379', 'master', '[::1]:6379'],
    ['the address that was asked, if it does not know its own', ':6379@16379', 'myself,master', ASKED],
  ])('names a node by %s', (_, where, flags, address) => {
    expect(view(line('a', where, flags, 1, '0-16383'))[0]).toMatchObject({ address, isMember: true })
  })

  it('does not count nodes in a handshake, or without an address', () => {
    const nodes = view(line('a', '10.0.0.1:6379@16379', 'handshake', 0), line('b', ':0@0', 'master,noaddr', 1, '0-1'))
    expect(nodes.map(({ isMember }) => isMember)).toEqual([false, false])
  })
})

describe('views of several nodes', () => {
  const a = (epoch: number, ...slots: string[]) => line('a', '10.0.0.1:6379@16379', 'master', epoch, ...slots)
  const b = (epoch: number, ...slots: string[]) => line('b', '10.0.0.2:6379@16379', 'master', epoch, ...slots)

  it('give a slot to the claim with the highest epoch, in any order', () => {
    const stale = view(a(1, '0-100'), line('b', '10.0.0.2:6379@16379', 'slave', 1))
    const fresh = view(line('a', '10.0.0.1:6379@16379', 'master,fail', 1), b(2, '0-100'))
    for (const table of [joinViews([stale, fresh]), joinViews([fresh, stale])]) {
      expect(table.bySlot[50]).toBe('10.0.0.2:6379')
      expect(table.masters).toEqual(['10.0.0.2:6379'])
    }
  })

  it('list a master without slots, but no replica and none that is away', () => {
    const table = joinViews([
      view(a(1, '0-16383'), b(2), line('c', '10.0.0.3:1@2', 'slave', 1), line('d', '10.0.0.4:1@2', 'master,fail?', 3)),
    ])
    expect(table.masters).toEqual(['10.0.0.1:6379', '10.0.0.2:6379'])
  })

  it('keep a slot that no node claims without a master', () => {
    expect(joinViews([view(a(1, '0-99'))]).bySlot[100]).toBeUndefined()
  })
})

describe('an address of a cluster', () => {
  it('names nodes to begin with, and how to reach any', () => {
    const { seeds, urlOf } = parseClusterAddress('rediss+cluster://user:p%40ss@one:7000,two')
    expect(seeds).toEqual(['one:7000', 'two:6379'])
    expect(urlOf('10.0.0.1:7001')).toBe('rediss://user:p%40ss@10.0.0.1:7001')
  })

  it.each(['redis+cluster://', 'redis+cluster://one/2/3', 'redis+cluster://one?x=1'])('is refused as %s', (url) => {
    expect(isClusterAddress(url)).toBe(true)
    expect(() => parseClusterAddress(url)).toThrow('an address of a cluster is redis+cluster://user:password@host:6379,host:6379')
  })
})

it('puts keys of one tag into the slot that Redis Cluster has for them', () => {
  // From the specification: CRC16 of "123456789" is 0x31C3.
  expect(slotOfKey('123456789')).toBe(0x31c3)
  expect(slotOfKey('w:{s5}:42')).toBe(slotOfKey('{s5}'))
})
