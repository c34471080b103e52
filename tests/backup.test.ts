import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PROCESS_ENV } from '@tollgate/testing/process-env'
import { connectDb } from '@tollgate/db/connect'
import { startTestRedis, type TestRedis } from '@tollgate/testing/redis'
import { startVendorServer, type VendorServer } from '@tollgate/testing/vendor-server'
import { createChannel, must, ROOT_USER, setUp, signIn } from './support/api.ts'
import { seedUser, type Seeded } from './support/seed.ts'
import { startStack, type Stack } from './support/stack.ts'

const ROOT = join(import.meta.dirname, '..')
const CALLS = 24

/** The steps depend on each other: a backup of a loaded system, restored on "another machine", whose keys are then rotated. */
describe('backup, restore and rotation of keys', () => {
  let folder: string
  let vendor: VendorServer
  let first: Stack
  let second: Stack | undefined
  let user: Seeded
  let backup: string
  const other = `t_restored_${randomBytes(6).toString('hex')}`
  const otherStores = { DATABASE_URL: '', REDIS_URL: '' }
  let redis: TestRedis

  const launcher = (args: readonly string[], env: Record<string, string>) =>
    promisify(execFile)(process.execPath, [join(ROOT, 'deploy/standalone/src/main.ts'), ...args], {
      env: { ...PROCESS_ENV, SHARDS: first.env['SHARDS'] ?? '', ...env },
    }).then(
      ({ stdout }) => ({ code: 0, text: stdout }),
      ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, text: stdout + stderr }),
    )
  const onOther = (...args: string[]) => launcher(args, { ...otherStores, TOLLGATE_STATE_DIR: join(folder, 'other') })
  const verify = (...args: string[]) => onOther('verify-ledger', ...args)
  const chat = async (url: string): Promise<number> => {
    const answer = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${user.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'hi' }] }),
    })
    await answer.arrayBuffer()
    return answer.status
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tollgate-backup-'))
    vendor = await startVendorServer()
    first = await startStack()
    const api = await setUp(first.controlPlane.url)
    await createChannel(api, { base_url: `${vendor.url}/paced~5~10`, models: 'gpt-4o-mini', name: 'vendor', key: 'sk-vendor-key' })
    must(await api.put('/api/option/', { key: 'SMTPToken', value: 'mail-password' }))
    user = await seedUser(first, { credited: 500_000_000, granted: 500_000_000 })
    await mkdir(join(folder, 'first'))
    const { KEY_CHANNELS, KEY_OPTIONS, INTERNAL_SECRETS } = first.env
    const keys = { KEY_CHANNELS, KEY_OPTIONS, INTERNAL_SECRETS, postgres_password: 'p', redis_password: 'r' }
    await writeFile(join(folder, 'first/keys.json'), JSON.stringify(keys))
  })
  afterAll(async () => {
    await second?.stop()
    await sql.raw(`drop database if exists ${other} with (force)`).execute(first.database.db)
    await first.stop()
    await vendor.stop()
    await rm(folder, { recursive: true, force: true })
  })

  it('writes a backup with every charge of the requests that had ended', async () => {
    const [relay] = first.relays
    await expect.poll(() => chat(relay?.url ?? ''), { timeout: 10_000 }).toBe(200)
    const statuses = await Promise.all(Array.from({ length: CALLS }, () => chat(relay?.url ?? '')))
    const { DATABASE_URL = '', REDIS_URL = '' } = first.env
    const made = await launcher(['backup', join(folder, 'backups')], { DATABASE_URL, REDIS_URL, TOLLGATE_STATE_DIR: join(folder, 'first') })

    expect(statuses).toEqual(statuses.map(() => 200))
    expect(made).toMatchObject({ code: 0 })
    backup = join(folder, 'backups', (await readdir(join(folder, 'backups')))[0] ?? '')
    const manifest = JSON.parse(await readFile(join(backup, 'manifest.json'), 'utf8')) as { tables: { name: string; rows: number }[] }
    expect(manifest.tables.find(({ name }) => name === 'usage_keys')?.rows).toBeGreaterThan(CALLS)
    const modes = await Promise.all(
      ['', 'keys.json', 'tables/users.copy.gz'].map(async (name) => (await stat(join(backup, name))).mode & 0o077),
    )
    expect(modes).toEqual([0, 0, 0])
  })

  it('restores into an empty installation, and refuses to replace one', async () => {
    await sql.raw(`create database ${other}`).execute(first.database.db)
    redis = await startTestRedis({ isDurable: true })
    Object.assign(otherStores, { DATABASE_URL: (first.env['DATABASE_URL'] ?? '').replace(/[^/]+$/, other), REDIS_URL: redis.url })
    const restored = await onOther('restore', backup)
    const again = await onOther('restore', backup)

    expect(restored).toMatchObject({ code: 0 })
    expect(again).toMatchObject({ code: 1 })
    expect(again.text).toContain('has an installation')
  })

  it('puts new keys beside the old ones, seals everything again, and removes the old ones', async () => {
    const rotated = await onOther('rotate-keys')
    const keysFile = join(folder, 'other/keys.json')
    const both = JSON.parse(await readFile(keysFile, 'utf8')) as Record<string, string>
    const dropped = await onOther('rotate-keys', '--drop-old')
    const {
      KEY_CHANNELS = '',
      KEY_OPTIONS = '',
      INTERNAL_SECRETS = '',
    } = JSON.parse(await readFile(keysFile, 'utf8')) as Record<string, string>

    expect([rotated.code, dropped.code]).toEqual([0, 0])
    expect(rotated.text).toMatch(/options 1, channels 1, tokens [12],/)
    expect(both['KEY_CHANNELS']).toBe(`${KEY_CHANNELS},${first.env['KEY_CHANNELS']}`)
    expect(KEY_OPTIONS).not.toBe(first.env['KEY_OPTIONS'])
    const db = connectDb({ url: otherStores.DATABASE_URL })
    const stores = { redis, database: { db, url: otherStores.DATABASE_URL, drop: () => db.destroy() } }
    second = await startStack({ stores, env: { KEY_CHANNELS, KEY_OPTIONS, INTERNAL_SECRETS } })
  })

  it('signs in to the restored console, whose tokens and channels work, and charges into a ledger that agrees', async () => {
    const url = second?.relays[0]?.url ?? ''
    const api = await signIn(second?.controlPlane.url ?? '', ROOT_USER.username, ROOT_USER.password)
    const before = await rowsOf(first)
    await expect.poll(() => chat(url), { timeout: 20_000 }).toBe(200)
    const found = must(await api.get<{ name: string }[]>('/api/channel/search?keyword=sk-vendor-key&p=1&page_size=10'))

    expect(found.map(({ name }) => name)).toEqual(['vendor'])
    await expect.poll(() => rowsOf(second), { timeout: 20_000 }).toBeGreaterThan(before)
    const verdict = await verify('--sample', 'all')
    expect(verdict, verdict.text).toMatchObject({ code: 0 })
  })

  async function rowsOf(stack: Stack | undefined): Promise<number> {
    const query = stack?.database.db.selectFrom('logs').select(({ fn }) => fn.countAll<number>().as('count'))
    const row = await query?.where('user_id', '=', user.userId).where('state', '=', 'settled').executeTakeFirstOrThrow()
    return Number(row?.count)
  }
})
