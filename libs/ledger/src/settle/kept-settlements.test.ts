import { describe, expect, it } from 'vitest'
import { KeptSettlements, type Kept } from './kept-settlements.ts'

const aKept = (id: string, at: number, body = `{"text":"${id} 内容 \\n"}`): Kept => ({
  input: {
    shard: 1,
    request_id: id,
    user_id: 2,
    token_id: 3,
    charge: 4,
    wallet_held: 5,
    token_held: 6,
    epoch: 7,
    success_window_ms: 8,
    limits: { user: { rpm: 1 }, token: {}, tokens: 10, used: 9 },
    body,
  },
  answer: { kind: 'settled', n: 11, epoch: 7 },
  at,
})

function takeAll(kept: KeptSettlements): Kept[] {
  const all: Kept[] = []
  while (!kept.isEmpty) {
    all.push(...kept.first())
    kept.forgetFirst()
  }
  return all
}

describe('KeptSettlements', () => {
  it('returns entries in order, over several blocks and with bodies larger than a block', () => {
    const large = JSON.stringify('长'.repeat(700_000))
    const given = [
      ...Array.from({ length: 3000 }, (_, at) => aKept(`id-${at}`, at, JSON.stringify('x'.repeat(at)))),
      aKept('large', 3001, large),
    ]
    const kept = new KeptSettlements()
    for (const one of given) kept.add(one)

    expect(kept.inputs()).toEqual(given.map(({ input }) => input))
    expect(takeAll(kept)).toEqual(given)
  })

  it('drops older entries only', () => {
    const kept = new KeptSettlements()
    for (let at = 0; at < 5000; at += 1) kept.add(aKept(`id-${at}`, at, JSON.stringify('x'.repeat(1000))))

    kept.forgetBefore(4321)

    expect(takeAll(kept).map(({ at }) => at)).toEqual(Array.from({ length: 5000 - 4321 }, (_, index) => 4321 + index))
  })

  it('knows its request ids, also after entries moved to it', () => {
    const [from, to] = [new KeptSettlements(), new KeptSettlements()]
    to.add(aKept('first', 1))
    from.add(aKept('second', 2))

    from.moveTo(to)

    expect([to.has('first'), to.has('second'), to.has('sec'), from.has('second')]).toEqual([true, true, false, false])
    expect(from.isEmpty).toBe(true)
  })

  it('reuses a dropped block', () => {
    const kept = new KeptSettlements()
    for (let round = 0; round < 30; round += 1) {
      for (let at = 0; at < 500; at += 1) kept.add(aKept(`${round}-${at}`, round, JSON.stringify('y'.repeat(1500))))
      kept.forgetBefore(round)
    }

    expect(takeAll(kept).map(({ input }) => input.request_id)).toEqual(Array.from({ length: 500 }, (_, at) => `29-${at}`))
  })
})
