import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createSealer, keyIdOf, sealedBy } from '@tollgate/config/sealing'
import { getSnapshotVersion } from '@tollgate/db/queries/installation/snapshot'
import { createOutbound, type Outbound } from '@tollgate/outbound/outbound'
import { testKeys } from '../../test/worker-process.ts'
import { createTestbed, type Testbed } from '../../test/test-worker.ts'
import { renewChannelKeys } from './renew-channel-keys.ts'

const NOW = Date.parse('2026-11-23T12:00:00Z')
const HOUR_S = 3600
const CODEX = 57
const sealer = createSealer(testKeys)

let testbed: Testbed
let outbound: Outbound
let signIn: Server
let used: string[] = []
let lines: (object | string)[] = []

/** OpenAI's sign-in server: each refresh token is valid once. */
beforeAll(async () => {
  testbed = await createTestbed()
  outbound = createOutbound()
  signIn = createServer((incoming, reply) => {
    let text = ''
    incoming.setEncoding('utf8').on('data', (part: string) => (text += part))
    incoming.on('end', () => {
      const { grant_type, refresh_token, client_id } = JSON.parse(text) as Record<string, string> // our own call
      const isFirst = grant_type === 'refresh_token' && client_id !== undefined && !used.includes(refresh_token ?? '')
      used.push(refresh_token ?? '')
      if (refresh_token === 'busy') return void reply.writeHead(503).end('busy')
      const answer = isFirst
        ? { access_token: accessToken(NOW / 1000 + 240 * HOUR_S), refresh_token: `${refresh_token}-next`, id_token: 'id' }
        : { error: { code: 'refresh_token_reused', message: 'Your refresh token has already been used' } }
      reply.writeHead(isFirst ? 200 : 401, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    })
  })
  await new Promise<void>((resolve) => signIn.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  await outbound.close()
  await new Promise((resolve) => signIn.close(resolve))
  await testbed.close()
})
beforeEach(async () => {
  used = []
  lines = []
  await testbed.db.deleteFrom('channels').execute()
})

const accessToken = (exp: number) => `h.${Buffer.from(JSON.stringify({ exp })).toString('base64url')}.s`
const keyOf = (refresh_token: string, expires_in_s: number) => ({
  access_token: accessToken(NOW / 1000 + expires_in_s),
  refresh_token,
  account_id: 'account-1',
  // A listening TCP server has an address with a port.
  token_uri: `http://127.0.0.1:${(signIn.address() as AddressInfo).port}/oauth/token`,
})

async function addChannel(
  id: number,
  key: string,
  over: { type?: number; setting?: string; status?: number; key_states?: string } = {},
): Promise<void> {
  const sealed = { key_sealed: sealer.seal(key, sealedBy.channelKey(id)), key_hash: sealer.fingerprint(key) }
  await testbed.db
    .insertInto('channels')
    .values({ id, type: CODEX, name: `c${id}`, status: 1, base_url: '', models: 'gpt-5', created_time: 1, ...sealed, ...over })
    .execute()
}

async function keyIn(id: number): Promise<string> {
  const row = await testbed.db.selectFrom('channels').select(['key_sealed', 'key_hash']).where('id', '=', id).executeTakeFirstOrThrow()
  const text = sealer.unseal(row.key_sealed, sealedBy.channelKey(id))
  expect(row.key_hash).toBe(sealer.fingerprint(text))
  return text
}

const note = (fields: object | string) => void lines.push(fields)
const renew = () =>
  renewChannelKeys({ db: testbed.db, channelKeys: sealer, outbound, now: () => NOW, log: { info: note, warn: note } })(
    {},
    { signal: new AbortController().signal, attempt: 1 },
  )

it('exchanges a key in its last hour once, however many workers try, and keeps the others', async () => {
  await addChannel(1, JSON.stringify(keyOf('due', HOUR_S / 2)))
  await addChannel(2, JSON.stringify(keyOf('fresh', 2 * HOUR_S)))
  await addChannel(3, JSON.stringify(keyOf('by-hand', 0)), { status: 2 })
  await addChannel(4, JSON.stringify(keyOf('other-vendor', 0)), { type: 1 })
  const before = await getSnapshotVersion(testbed.db)

  const counts = await Promise.all([renew(), renew()])

  expect(counts.reduce((sum, { renewed }) => sum + renewed, 0)).toBe(1)
  expect(used).toEqual(['due'])
  expect(JSON.parse(await keyIn(1))).toEqual({ ...keyOf('due-next', 240 * HOUR_S), id_token: 'id' })
  expect(await getSnapshotVersion(testbed.db)).toBeGreaterThan(before)
  expect(await renew()).toEqual({ renewed: 0, refused: 0 })
})

it('exchanges one of several keys, also in the file in which Codex keeps them', async () => {
  const { token_uri, ...tokens } = keyOf('nested', 0)
  const other = JSON.stringify(keyOf('fresh', 2 * HOUR_S))
  await addChannel(1, `${other}\n${JSON.stringify({ OPENAI_API_KEY: null, tokens, token_uri })}`, {
    setting: '{"multi_key_mode":"polling"}',
  })

  expect(await renew()).toEqual({ renewed: 1, refused: 0 })
  const [first, second = ''] = (await keyIn(1)).split('\n')

  expect(first).toBe(other)
  expect(JSON.parse(second)).toMatchObject({ OPENAI_API_KEY: null, tokens: { account_id: 'account-1', refresh_token: 'nested-next' } })
})

it('keeps what an operator set for the key', async () => {
  const key = JSON.stringify(keyOf('due', 0))
  const key_states = JSON.stringify({ [keyIdOf(key)]: { expires_at: 2_000_000_000 } })
  await addChannel(1, key, { key_states })

  await renew()

  const row = await testbed.db.selectFrom('channels').select(['key_states', 'key_expires_at']).executeTakeFirstOrThrow()
  expect(JSON.parse(row.key_states)).toEqual({ [keyIdOf(await keyIn(1))]: { expires_at: 2_000_000_000 } })
  expect(row.key_expires_at).toBe(2_000_000_000)
})

it('disables a channel whose sign-in is void, and says what to do', async () => {
  used = ['gone']
  await addChannel(1, JSON.stringify(keyOf('gone', HOUR_S / 2)))

  expect(await renew()).toEqual({ renewed: 0, refused: 1 })

  const row = await testbed.db.selectFrom('channels').select(['status', 'other_info']).executeTakeFirstOrThrow()
  expect(row.status).toBe(3)
  expect(row.other_info).toContain('The refresh token was already used elsewhere. Sign in with Codex again')
  expect(JSON.stringify([row.other_info, lines])).not.toContain('gone')
})

it('tries again later if the sign-in server does not answer', async () => {
  const key = JSON.stringify(keyOf('busy', HOUR_S / 2))
  await addChannel(1, key)

  expect(await renew()).toEqual({ renewed: 0, refused: 0 })

  expect(lines).toEqual([{ channel_id: 1, reason: 'the sign-in server answered 503' }])
  expect(await keyIn(1)).toBe(key)
})
