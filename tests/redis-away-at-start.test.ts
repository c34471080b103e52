import { afterEach, describe, expect, it, vi } from 'vitest'
import { REQUEST_ID_HEADER } from '@tollgate/http/request-id'
import { keys } from '@tollgate/redis/keys'
import { startTestCluster, type ClusterNode } from '@tollgate/testing/redis-cluster'
import { startVendorServer, type VendorServer } from '@tollgate/testing/vendor-server'
import { createChannel, setUp } from './support/api.ts'
import { isReady } from './support/is-ready.ts'
import { seedUser, type Seeded } from './support/seed.ts'
import { startSentinels } from './support/sentinel.ts'
import { startStack, type Service, type Stack } from './support/stack.ts'
import { listDifferences } from './support/verify.ts'

const MODEL = 'gpt-4o-mini'
const QUOTA = 500_000_000
const SHARDS = 8

let [stack, vendor]: [Stack?, VendorServer?] = []
const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  await stack?.stop()
  await vendor?.stop()
  for (const stop of stops.splice(0)) await stop()
})

async function startAll(env: Record<string, string> = {}): Promise<Stack> {
  vendor = await startVendorServer()
  stack = await startStack({ env: { SHARDS: String(SHARDS), ...env }, workerEnv: { POST_USAGE_INTERVAL: '200' } })
  const api = await setUp(stack.controlPlane.url)
  await createChannel(api, { base_url: `${vendor.url}/paced~2~5`, models: MODEL })
  return stack
}

type Answer = { readonly status: number; readonly id: string; readonly retryAfter: string | null; readonly body: unknown }

async function post(url: string, headers: Record<string, string>): Promise<Answer> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ model: MODEL, max_tokens: 20, messages: [{ role: 'user', content: 'hi' }] }),
  })
  const id = answer.headers.get(REQUEST_ID_HEADER) ?? ''
  return { status: answer.status, id, retryAfter: answer.headers.get('retry-after'), body: await answer.json() }
}

const chat = ({ url }: Service, { key }: Seeded): Promise<Answer> =>
  post(`${url}/v1/chat/completions`, { authorization: `Bearer sk-${key}` })
const message = ({ url }: Service, { key }: Seeded): Promise<Answer> => post(`${url}/v1/messages`, { 'x-api-key': `sk-${key}` })

const isUp = async ({ url }: Service): Promise<boolean> =>
  await fetch(`${url}/healthz`).then(
    ({ ok }) => ok,
    () => false,
  )
const reasonOf = async ({ url }: Service): Promise<string> => {
  const answer = await fetch(`${url}/readyz`)
  const { reason = '' } = (await answer.json()) as { readonly reason?: string }
  return `${answer.status} ${reason}`
}

/** Services that start now come up, say what is missing, refuse requests in the format of their caller, and do not end. */
async function startWithout({ begin }: Stack, user: Seeded): Promise<Record<'controlPlane' | 'relay' | 'worker', Service>> {
  const [controlPlane, relay, worker] = await Promise.all([begin('control-plane'), begin('relay'), begin('worker')])
  const all = { controlPlane, relay, worker }
  for (const service of Object.values(all))
    await vi.waitUntil(
      async () => {
        if (service.process.exitCode !== null) throw new Error(`it ended: ${service.output()}`)
        return await isUp(service)
      },
      { timeout: 40_000 },
    )
  for (const service of Object.values(all)) expect(await reasonOf(service)).toMatch(/^503 .*(Redis|ledger)/)
  for (const [answer, body] of [
    [await chat(relay, user), { error: { type: expect.any(String), code: expect.stringMatching(/^ledger_/) } }],
    [await message(relay, user), { type: 'error', error: { type: expect.any(String) } }],
  ] as const) {
    expect(answer).toMatchObject({ status: 503, retryAfter: expect.stringMatching(/^\d+$/), body })
  }
  return all
}

/** The same processes serve, and charge, as soon as the servers are back. */
async function serveAgain(running: Stack, user: Seeded, services: Awaited<ReturnType<typeof startWithout>>): Promise<void> {
  for (const service of Object.values(services)) await vi.waitUntil(() => isReady(service.url), { timeout: 60_000, interval: 100 })
  await running.worker.end('SIGTERM')
  const answers: Answer[] = []
  await vi.waitUntil(async () => answers.push(await chat(services.relay, user)) > 0 && answers.at(-1)?.status === 200, { timeout: 30_000 })
  const id = answers.at(-1)?.id ?? ''
  const { db } = running.database
  await expect
    .poll(async () => await db.selectFrom('logs').select('quota').where('request_id', '=', id).execute(), { timeout: 30_000 })
    .toHaveLength(1)
  // A worker is ready when it has opened one shard; the verifier needs all.
  await expect.poll(() => listDifferences(running.env), { timeout: 30_000, interval: 500 }).toEqual([])
  expect(Object.values(services).map(({ process }) => process.exitCode)).toEqual([null, null, null])
}

describe('services that start while Redis is away', () => {
  it('wait for the one Redis, and say so', async () => {
    const running = await startAll()
    const user = await seedUser(running, { credited: QUOTA, granted: QUOTA })
    let services: Awaited<ReturnType<typeof startWithout>> | undefined
    await running.redis.restart(async () => void (services = await startWithout(running, user)))
    if (services !== undefined) await serveAgain(running, user, services)
    expect.hasAssertions()
  })

  it('wait for a master behind Sentinel', async () => {
    const sentinels = await startSentinels()
    stops.push(sentinels.stop)
    const running = await startAll({ REDIS_URL: sentinels.url })
    const user = await seedUser(running, { credited: QUOTA, granted: QUOTA })
    let services: Awaited<ReturnType<typeof startWithout>> | undefined
    await sentinels.whileDown(async () => void (services = await startWithout(running, user)))
    if (services !== undefined) await serveAgain(running, user, services)
    expect.hasAssertions()
  })
})

describe('services that are stopped while Redis is away', () => {
  it('end, whether they began before or after', async () => {
    const running = await startAll()
    const codes: unknown[] = []
    await running.redis.restart(async () => {
      const started = await Promise.all([running.begin('control-plane'), running.begin('relay'), running.begin('worker')])
      for (const service of started) await vi.waitUntil(() => isUp(service), { timeout: 40_000 })
      const all = [...started, running.controlPlane, ...running.relays, running.worker]
      codes.push(...(await Promise.all(all.map((service) => service.end('SIGTERM')))))
    })
    expect(codes).toEqual(codes.map(() => 0))
    expect(codes.length).toBeGreaterThanOrEqual(6)
  })
})

describe('services that start while masters of a Redis Cluster are away', () => {
  const startOnCluster = async () => {
    const cluster = await startTestCluster({ nodeTimeoutMs: 1000 })
    stops.push(cluster.stop)
    return { running: await startAll({ LEDGER_REDIS_URL: cluster.url }), masters: cluster.masters }
  }
  const stateOf = async (node: ClusterNode | undefined): Promise<string> =>
    /cluster_state:(\w+)/.exec(String(await node?.redis.call('CLUSTER', 'INFO')))?.[1] ?? ''
  const hasShard = async (node: ClusterNode | undefined, { shard }: Seeded): Promise<boolean> =>
    (await node?.redis.exists(keys.fence(shard)).catch(() => 0)) === 1

  it('wait for a majority', async () => {
    const { running, masters } = await startOnCluster()
    const user = await seedUser(running, { credited: QUOTA, granted: QUOTA })
    const [first, ...others] = masters
    for (const node of others) await node.kill()
    await vi.waitUntil(async () => (await stateOf(first)) === 'fail', { timeout: 30_000 })
    const services = await startWithout(running, user)
    for (const node of others) await node.start()
    await serveAgain(running, user, services)
  })

  it('serve the users of the others', async () => {
    const { running, masters } = await startOnCluster()
    const [gone] = masters
    const users = await Promise.all(Array.from({ length: 2 * SHARDS }, () => seedUser(running, { credited: QUOTA, granted: QUOTA })))
    const areGone = await Promise.all(users.map((user) => hasShard(gone, user)))
    const [lost, kept] = [true, false].map((wanted) => users.find((_, at) => areGone[at] === wanted))
    if (lost === undefined || kept === undefined) throw new Error('every user has a shard on the same side')
    await gone?.kill()
    const [relay, worker] = await Promise.all([running.startRelay(), running.startWorker()])
    await running.worker.end('SIGTERM')
    await vi.waitUntil(async () => (await chat(relay, kept)).status === 200, { timeout: 30_000 })
    expect(await chat(relay, lost)).toMatchObject({ status: 503, retryAfter: expect.stringMatching(/^\d+$/) })
    await gone?.start()
    await vi.waitUntil(async () => (await chat(relay, lost)).status === 200, { timeout: 60_000 })
    expect([relay, worker].map(({ process }) => process.exitCode)).toEqual([null, null])
  })
})
