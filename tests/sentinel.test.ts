import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { REQUEST_ID_HEADER } from '@tollgate/http/request-id'
import { startVendorServer, type VendorServer } from '@tollgate/testing/vendor-server'
import { createChannel, setUp } from './support/api.ts'
import { seedUser, type Seeded } from './support/seed.ts'
import { startSentinels, type Sentinels } from './support/sentinel.ts'
import { startStack, type Stack } from './support/stack.ts'
import { listDifferences } from './support/verify.ts'

const CLIENTS = 6
const QUOTA = 500_000_000

describe('all services with Redis behind Sentinel', () => {
  let sentinels: Sentinels
  let vendor: VendorServer
  let stack: Stack
  let user: Seeded

  beforeAll(async () => {
    sentinels = await startSentinels()
    vendor = await startVendorServer()
    stack = await startStack({ env: { REDIS_URL: sentinels.url }, workerEnv: { POST_USAGE_INTERVAL: '200' } })
    const api = await setUp(stack.controlPlane.url)
    await createChannel(api, { base_url: `${vendor.url}/paced~2~5`, models: 'gpt-4o-mini' })
    user = await seedUser(stack, { credited: QUOTA, granted: QUOTA })
    await vi.waitUntil(async () => (await chat()).status === 200)
  })
  afterAll(async () => {
    await stack.stop()
    await sentinels.stop()
    await vendor.stop()
  })

  const chat = async (): Promise<{ status: number; id: string }> => {
    const answer = await fetch(`${stack.relays[0]?.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${user.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'hi' }] }),
    })
    const id = answer.headers.get(REQUEST_ID_HEADER) ?? ''
    await answer.arrayBuffer()
    return { status: answer.status, id }
  }
  const chargedIds = async (): Promise<string[]> => {
    const { db } = stack.database
    const rows = await db.selectFrom('logs').select('request_id').where('user_id', '=', user.userId).where('quota', '>', 0).execute()
    return rows.map(({ request_id }) => request_id)
  }

  it('goes on with the replica after the master was killed under load, and charges each answered request once', async () => {
    const answered: string[] = []
    const refused: number[] = []
    let isOver = false
    const load = Array.from({ length: CLIENTS }, async () => {
      while (!isOver) {
        const { status, id } = await chat()
        if (status === 200) answered.push(id)
        else refused.push(status)
      }
    })
    await vi.waitUntil(() => answered.length > 100, { timeout: 30_000 })
    sentinels.killMaster()
    await vi.waitUntil(() => refused.length > 0, { timeout: 30_000 })
    const before = answered.length
    await vi.waitUntil(() => answered.length > before + 100, { timeout: 60_000 })
    isOver = true
    await Promise.all(load)

    expect([...new Set(refused)]).toEqual([503])
    await expect.poll(async () => missing(answered, await chargedIds()), { timeout: 60_000 }).toEqual([])
    const charged = await chargedIds()
    expect(charged.length).toBe(new Set(charged).size)
    expect(await listDifferences(stack.env)).toEqual([])
  })
})

function missing(wanted: readonly string[], found: readonly string[]): string[] {
  const known = new Set(found)
  return wanted.filter((id) => !known.has(id))
}
