import { appendFile, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { SettleInput, SettleResult } from '../client/types.ts'
import { createSettleQueue, type SettleQueueOptions } from './settle-queue.ts'
import { aSettle } from '@tollgate/testing/test-ledger'

let dir: string
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'tollgate-queue-'))
})
afterEach(() => rm(dir, { recursive: true, force: true }))

/** A ledger that gives these answers, instead of Redis. */
function aLedger(answers: SettleResult[] = []) {
  const calls: SettleInput[] = []
  return {
    calls,
    answers,
    settle: async (input: SettleInput): Promise<SettleResult> => {
      calls.push(input)
      return answers.shift() ?? { kind: 'settled', n: calls.length, epoch: 1 }
    },
  }
}

function aQueue(ledger: SettleQueueOptions['ledger'], over: Partial<SettleQueueOptions> = {}) {
  return createSettleQueue({ ledger, load: async () => undefined, capacity: 2, dir, relay_id: 'aaaa', ...over })
}

const UNAVAILABLE: SettleResult = { kind: 'unavailable', cause: 'no connection' }

describe('settle queue', () => {
  it('gives out its capacity in slots, and frees one with each answer', async () => {
    const queue = aQueue(aLedger())
    expect([queue.takeSlot(), queue.takeSlot(), queue.takeSlot()]).toEqual([true, true, false])

    await queue.settle(aSettle())

    expect([queue.takeSlot(), queue.takeSlot()]).toEqual([true, false])
    queue.freeSlot()
    expect(queue.takeSlot()).toBe(true)
  })

  it('answers queued when Redis takes too long, and retries until it is settled', async () => {
    const ledger = aLedger([UNAVAILABLE, UNAVAILABLE, { kind: 'closed' }])
    const queue = aQueue(ledger)
    queue.takeSlot()

    expect(await queue.settle(aSettle(), 10)).toEqual({ kind: 'queued' })
    expect(queue.has(aSettle().request_id)).toBe(true)

    await expect.poll(() => queue.size).toBe(0)
    expect(ledger.calls.length).toBeGreaterThanOrEqual(4)
    expect(queue.remembered.highestBefore(1, 2)).toBeGreaterThanOrEqual(4)
  })

  it('loads a cold account and then settles', async () => {
    const loaded: unknown[] = []
    const ledger = aLedger([{ kind: 'cold' }])
    const queue = aQueue(ledger, { load: async (account) => void loaded.push(account) })

    expect(await queue.settle(aSettle())).toMatchObject({ kind: 'settled' })
    expect(loaded).toEqual([{ user_id: 42, token_id: 7 }])
  })

  it('keeps a settlement whose account cannot be loaded, and reports the cause', async () => {
    const errors: unknown[] = []
    let isBroken = true
    const load = async (): Promise<void> => {
      if (!isBroken) return
      isBroken = false
      throw new Error('no control plane')
    }
    const queue = aQueue(aLedger([{ kind: 'cold' }]), { load, onError: (cause) => errors.push(cause) })

    expect(await queue.settle(aSettle())).toMatchObject({ kind: 'settled' })
    expect(errors).toEqual([new Error('no control plane')])
  })

  it('sends recent settlements again after Redis was unavailable', async () => {
    const ledger = aLedger()
    const queue = aQueue(ledger)
    await queue.settle(aSettle({ request_id: 'a' }))
    ledger.answers.push(UNAVAILABLE)

    await queue.settle(aSettle({ request_id: 'b' }))

    await expect.poll(() => ledger.calls.map((call) => call.request_id)).toEqual(['a', 'b', 'b', 'a'])
  })

  it('has settlements that it may send again, because a store that came back older shows their holds as open', async () => {
    const queue = aQueue(aLedger())
    await queue.settle(aSettle())

    expect(queue.has(aSettle().request_id)).toBe(true)
    expect(queue.has('another')).toBe(false)
  })

  it('drops settlements after 10 s of answers, however long Redis or the traffic paused', async () => {
    const clock = { at: 0 }
    const ledger = aLedger()
    const queue = aQueue(ledger, { now: () => clock.at })
    await queue.settle(aSettle({ request_id: 'old' }))
    clock.at += 60_000
    await queue.settle(aSettle({ request_id: '0' }))
    for (let second = 1; second <= 10; second += 1) {
      clock.at += 1000
      await queue.settle(aSettle({ request_id: String(second) }))
    }
    ledger.calls.length = 0

    await queue.resendRecent()

    expect(ledger.calls.map((call) => call.request_id)).toEqual(Array.from({ length: 11 }, (_, second) => String(second)))
  })

  it('keeps what Redis has already for the rest of its 10 s, because Redis may lose its writes once more', async () => {
    const clock = { at: 0 }
    const ledger = aLedger()
    const queue = aQueue(ledger, { now: () => clock.at })
    const settleIn = async (seconds: readonly number[]): Promise<void> => {
      for (const second of seconds) {
        clock.at = second * 1000
        await queue.settle(aSettle({ request_id: String(second) }))
      }
    }
    const resend = async (answers: SettleResult[] = []): Promise<string[]> => {
      ledger.calls.length = 0
      ledger.answers.push(...answers)
      await queue.resendRecent()
      return ledger.calls.map((call) => call.request_id)
    }
    const already: SettleResult = { kind: 'already' }
    // A settlement whose answer came too late is answered `already` at once.
    ledger.answers.push(already)
    await settleIn([0, 1, 2])

    expect(await resend([already, already, already])).toEqual(['0', '1', '2'])
    expect(await resend([already, already, already])).toEqual(['0', '1', '2'])
    await settleIn([3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
    expect(await resend()).toEqual(['2', '3', '4', '5', '6', '7', '8', '9', '10', '11', '12'])
  })

  it('remembers its answers from before a fence opened, and the settlements accepted again', async () => {
    const ledger = aLedger([
      { kind: 'settled', n: 7, epoch: 5 },
      { kind: 'settled', n: 8, epoch: 5 },
      { kind: 'settled', n: 9, epoch: 5 },
    ])
    const queue = aQueue(ledger)
    for (const request_id of ['a', 'b', 'c']) await queue.settle(aSettle({ request_id }))
    ledger.answers.push({ kind: 'already' }, { kind: 'orphan', n: 8, epoch: 6 }, { kind: 'settled', n: 9, epoch: 6 })

    await queue.resendRecent()

    const { remembered } = queue
    expect([...remembered.shards()]).toEqual([1])
    expect([remembered.highestBefore(1, 6), remembered.highestBefore(0, 6)]).toEqual([9, 0])
    expect([remembered.countResent(1, 6, 7), remembered.countResent(1, 6, 8), remembered.countResent(1, 5, 7)]).toEqual([2, 1, 0])
  })

  it('writes unanswered settlements to disk at exit; the next process settles them and removes the file', async () => {
    const unavailable = { settle: async (): Promise<SettleResult> => UNAVAILABLE }
    const first = aQueue(unavailable)
    void first.settle(aSettle({ request_id: 'a' }), 1)
    void first.settle(aSettle({ request_id: 'b', charge: 9_007_199_254_740_991 }), 1)
    expect(await first.drain(20)).toEqual({ left: 2 })
    expect(await readdir(dir)).toEqual(['settle-aaaa.jsonl'])

    const ledger = aLedger()
    const second = aQueue(ledger, { relay_id: 'bbbb' })

    expect(await second.replay()).toBe(2)
    expect(ledger.calls.map(({ request_id, charge }) => [request_id, charge])).toEqual([
      ['a', 60],
      ['b', 9_007_199_254_740_991],
    ])
    expect(await readdir(dir)).toEqual([])
  })

  it('replays every field of a settlement, its limits included', async () => {
    const input = aSettle({ limits: { user: { rpm: 3 }, token: { tpm: 100, concurrency: 2 }, tokens: 60, used: 15 } })
    const first = aQueue({ settle: async (): Promise<SettleResult> => UNAVAILABLE })
    void first.settle(input, 1)
    await first.drain(20)

    const ledger = aLedger()
    await aQueue(ledger, { relay_id: 'bbbb' }).replay()

    expect(ledger.calls).toEqual([input])
  })

  it('also writes the last answered settlements when Redis is unavailable at exit, because it may come back without them', async () => {
    const ledger = aLedger([{ kind: 'settled', n: 1, epoch: 1 }])
    const first = aQueue({ settle: async (input) => (input.request_id === 'a' ? await ledger.settle(input) : UNAVAILABLE) })
    await first.settle(aSettle({ request_id: 'a' }))
    void first.settle(aSettle({ request_id: 'b' }), 1)
    expect(await first.drain(20)).toEqual({ left: 2 })

    const again = aLedger()
    expect(await aQueue(again, { relay_id: 'bbbb' }).replay()).toBe(2)
    expect(again.calls.map(({ request_id }) => request_id).toSorted()).toEqual(['a', 'b'])
  })

  it('has a settlement on disk before it answers queued, and until it is settled', async () => {
    const ledger = aLedger([UNAVAILABLE, UNAVAILABLE, UNAVAILABLE])
    const queue = aQueue(ledger)

    expect(await queue.settle(aSettle(), 10)).toEqual({ kind: 'queued' })
    expect(await readdir(dir)).toEqual(['settle-aaaa.jsonl'])

    await expect.poll(() => queue.size).toBe(0)
    expect(await readdir(dir)).toEqual([])
  })

  it('replays a file when several processes start at once, without a torn last line', async () => {
    for (let round = 0; round < 20; round += 1) {
      await writeFile(join(dir, 'settle-dead.jsonl'), `${JSON.stringify(aSettle({ request_id: 'a' }))}\n{"shard":1,"requ`)
      const ledgers = [aLedger(), aLedger(), aLedger()]

      await Promise.all(ledgers.map((ledger, at) => aQueue(ledger, { relay_id: `bbb${at}` }).replay()))

      // Several may have read the file; settling twice is harmless.
      expect(new Set(ledgers.flatMap(({ calls }) => calls.map((call) => call.request_id)))).toEqual(new Set(['a']))
      expect(await readdir(dir)).toEqual([])
    }
  })

  it('replays the settlements of other shards while one is away', async () => {
    const lines = [1, 2].map((shard) => `${JSON.stringify(aSettle({ request_id: `of-${shard}`, shard }))}\n`)
    await writeFile(join(dir, 'settle-dead.jsonl'), lines.join(''))
    const ledger = aLedger()
    const queue = aQueue({ settle: async (input) => (input.shard === 1 ? UNAVAILABLE : await ledger.settle(input)) })

    const replayed = queue.replay()

    await expect.poll(() => ledger.calls.map(({ request_id }) => request_id)).toEqual(['of-2'])
    await queue.drain(1)
    expect(await replayed).toBe(1)
    expect((await readdir(dir)).length).toBeGreaterThan(0)
  })

  it('replays a file whose claimer died', async () => {
    await writeFile(join(dir, 'settle-dead.bbbb.jsonl'), `${JSON.stringify(aSettle())}\n`)

    expect(await aQueue(aLedger(), { relay_id: 'cccc' }).replay()).toBe(1)
    expect(await readdir(dir)).toEqual([])
  })

  it('reports unreadable lines, settles the others and keeps the file', async () => {
    const errors: unknown[] = []
    await writeFile(join(dir, 'settle-dead.jsonl'), `{"shard":1}\n${JSON.stringify(aSettle())}\n`)

    expect(await aQueue(aLedger(), { onError: (cause) => errors.push(cause) }).replay()).toBe(1)

    expect(errors.map(String)).toEqual([expect.stringContaining('1 settlements')])
    expect(await readdir(dir)).toEqual(['settle-dead.aaaa.jsonl.unreadable'])
  })

  it('keeps settlements that were written after another process claimed the file of a running one', async () => {
    const unavailable = { settle: async (): Promise<SettleResult> => UNAVAILABLE }
    const living = aQueue(unavailable)
    await living.settle(aSettle({ request_id: 'a' }), 1)
    const other = aQueue(aLedger(), { relay_id: 'bbbb' })
    expect(await other.replay()).toBe(1)

    await living.settle(aSettle({ request_id: 'b' }), 1)

    const next = aLedger()
    await aQueue(next, { relay_id: 'cccc' }).replay()
    expect(next.calls.map((call) => call.request_id)).toContain('b')
    await living.drain(1)
  })

  it('continues in memory when the folder cannot be written', async () => {
    const errors: unknown[] = []
    await appendFile(join(dir, 'a-file'), '')
    const queue = aQueue(aLedger([UNAVAILABLE]), { dir: join(dir, 'a-file'), onError: (cause) => errors.push(cause) })

    expect(await queue.settle(aSettle(), 1)).toEqual({ kind: 'queued' })

    await expect.poll(() => queue.size).toBe(0)
    expect(errors).toHaveLength(1)
  })

  it('leaves no file when everything was settled', async () => {
    const queue = aQueue(aLedger())
    await queue.settle(aSettle())

    expect(await queue.drain(1000)).toEqual({ left: 0 })
    expect(await readdir(dir)).toEqual([])
    expect(await aQueue(aLedger(), { dir: join(dir, 'not-there') }).replay()).toBe(0)
  })
})
