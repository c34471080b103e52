import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  appendResponsePiece,
  cancelResponse,
  claimResponses,
  createResponse,
  endDeferred,
  endOverdue,
  findResponse,
  findResponsePiece,
  readDeferredBody,
  startResponse,
} from './deferred-requests.ts'

const NOW = 1_800_000_000
const LIMITS = { open: 3, stored: 5, bytes: 1000, total: 100_000 }
const ANSWER = { outcome: 'answered', status: 200, request_id: 'r', made_id: 'resp_made', now: NOW } as const

describe('background responses', () => {
  let test: TestDatabase
  let next = 0
  beforeAll(async () => void (test = await createTestDatabase()))
  afterAll(() => test.drop())
  beforeEach(() => test.db.deleteFrom('deferred_requests').execute())

  const create = async (over: Partial<Parameters<typeof createResponse>[1]> = {}) => {
    const id = `resp_${(next += 1)}`
    const times = { created_at: NOW, expires_at: NOW + 600 }
    const row = { id, user_id: 1, token_id: 1, ip: '', endpoint: '/v1/responses', facts: '{}', is_complete: true, ...times }
    const result = await createResponse(test.db, { ...row, body: '{"a":1}', bytes: 7, ...over }, LIMITS)
    return { id, user_id: over.user_id ?? 1, result }
  }
  const claim = async () => (await claimResponses(test.db, { now: NOW, lease_until: NOW + 60, limit: 1, held: new Map(), per_user: 9 }))[0]
  const claimed = async () => (await claim()) ?? expect.fail('nothing is due')
  const encoded = (text: string) => Buffer.from(text).toString('base64')
  const pieces = async () => (await test.db.selectFrom('deferred_pieces').select('n').execute()).length

  it('are limited for a user, at the same time too, and not by those of others', async () => {
    const made = await Promise.all(Array.from({ length: 10 }, () => create()))

    expect(made.filter(({ result }) => result === 'created')).toHaveLength(3)
    expect(made.filter(({ result }) => result === 'open')).toHaveLength(7)
    expect((await create({ user_id: 2 })).result).toBe('created')
  })

  it('count in every state, until they are deleted', async () => {
    for (let made = 0; made < 5; made += 1) {
      await create()
      await endDeferred(test.db, await claimed(), { ...ANSWER, answer: '{}' })
    }
    expect((await create()).result).toBe('stored')
  })

  it('count by the bytes of bodies, then of answers', async () => {
    expect((await create({ bytes: 1001 })).result).toBe('stored')
    await create({ bytes: 900 })
    expect((await create({ bytes: 200 })).result).toBe('stored')
    await endDeferred(test.db, await claimed(), { ...ANSWER, answer: '{}' })
    expect((await create({ bytes: 200 })).result).toBe('created')
    await endDeferred(test.db, await claimed(), { ...ANSWER, answer: 'x'.repeat(990) })
    expect((await create({ bytes: 20 })).result).toBe('stored')
  })

  it('are due once all pieces of a long body have arrived, and lose the body when they end', async () => {
    const { id, user_id } = await create({ body: '', is_complete: false })
    for (const [n, text] of ['{"a":', '1}'].entries())
      expect(await appendResponsePiece(test.db, { id, user_id }, { n, content: encoded(text) })).toBe(true)
    expect(await appendResponsePiece(test.db, { id, user_id: 2 }, { n: 2, content: encoded('x') })).toBe(false)
    expect(await claim()).toBeUndefined()

    await startResponse(test.db, { id, user_id }, { next_at: NOW, expires_at: NOW + 600 })
    const row = await claimed()
    expect((await readDeferredBody(test.db, row)).toString()).toBe('{"a":1}')
    await endDeferred(test.db, row, { ...ANSWER, answer: '{}' })
    expect(await pieces()).toBe(0)
  })

  it('keep a long answer in pieces, for their owner', async () => {
    const { id, user_id } = await create()
    const answer = '界'.repeat(200_000)
    await endDeferred(test.db, await claimed(), { ...ANSWER, answer })

    expect(await findResponse(test.db, { id, user_id })).toMatchObject({ answer: '', body: '', has_answer_pieces: true, bytes: 600_000 })
    const parts = await Promise.all([0, 1, 2].map((n) => findResponsePiece(test.db, { id, user_id }, { part: 'answer', n })))
    expect(parts.join('')).not.toContain('\n')
    expect(Buffer.concat(parts.map((part = '') => Buffer.from(part, 'base64'))).toString()).toBe(answer)
    expect(await findResponsePiece(test.db, { id, user_id: 2 }, { part: 'answer', n: 0 })).toBeUndefined()
  })

  it.each([
    ['cancelled', async (own: { id: string; user_id: number }) => void (await cancelResponse(test.db, { ...own, now: NOW }))],
    ['not sent in time', async () => void (await endOverdue(test.db, NOW + 601))],
  ])('lose their body when they are %s', async (_how, end) => {
    const short = await create()
    const long = await create({ body: '', is_complete: false })
    await appendResponsePiece(test.db, long, { n: 0, content: encoded('x') })

    for (const own of [short, long]) await end(own)

    for (const own of [short, long]) expect(await findResponse(test.db, own)).toMatchObject({ state: 'ended', body: '', bytes: 0 })
    expect(await pieces()).toBe(0)
  })
})
