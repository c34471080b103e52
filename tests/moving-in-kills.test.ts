import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { PROCESS_ENV } from '@tollgate/testing/process-env'
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database'
import { crowdStatements } from '@tollgate/testing/gateway-database'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const SCRIPT = join(import.meta.dirname, '../services/control-plane/src/import.ts')
const KEY = `k:${Buffer.alloc(32, 3).toString('base64url')}`

describe('an import that is killed', () => {
  let dir: string
  const databases: TestDatabase[] = []
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'moving-in-'))
    const db = new DatabaseSync(join(dir, 'old.db'))
    for (const statement of crowdStatements('sqlite', { users: 3000, tokens: 6000, channels: 50, logs: 12_000 })) db.exec(statement)
    db.close()
    databases.push(await createTestDatabase(), await createTestDatabase())
  })
  afterAll(async () => {
    for (const database of databases) await database.drop()
    await rm(dir, { recursive: true })
  })

  /** Runs the import; with `killAt` until its output has this text. */
  const run = async ({ url }: TestDatabase, killAt?: string): Promise<{ readonly code: number | null; readonly output: string }> => {
    const env = {
      ...PROCESS_ENV,
      DATABASE_URL: url,
      REDIS_URL: 'redis://127.0.0.1:1',
      KEY_CHANNELS: KEY,
      KEY_OPTIONS: KEY,
      INTERNAL_SECRETS: 'ab'.repeat(32),
      SHARDS: '8',
    }
    const child = spawn(process.execPath, [SCRIPT, '--from', join(dir, 'old.db'), '--logs', '90000d'], { env })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      if (killAt !== undefined && output.includes(killAt)) child.kill('SIGKILL')
    })
    await once(child, 'close')
    return { code: child.exitCode, output }
  }

  /** Everything that the import wrote, without ids and times of the run. */
  const contents = async ({ db }: TestDatabase) => {
    const { rows } = await sql`
      select
        (select md5(string_agg(concat_ws('|', id, username, credited, spent, request_count, "group", inviter_id, aff_count), ',' order by id)) from users) as users,
        (select md5(string_agg(concat_ws('|', id, user_id, key_hash, granted, charged, used_quota, status), ',' order by id)) from tokens) as tokens,
        (select md5(string_agg(concat_ws('|', id, name, models, status), ',' order by id)) from channels) as channels,
        (select md5(string_agg(concat_ws('|', kind, reference, amount), ',' order by kind, reference)) from wallet_entries) as entries,
        (select md5(string_agg(concat_ws('|', kind, reference, amount), ',' order by kind, reference)) from token_grants) as grants,
        (select concat_ws('|', count(*), sum(quota), sum(created_at), sum(user_id), sum(token_id)) from logs) as logs,
        (select concat_ws('|', sum(requests), sum(quota), sum(token_quota), sum(logged_requests)) from usage_hours where type = 2) as hours,
        (select concat_ws('|', sum(quota), sum(token_quota)) from usage_hours) as rollup,
        (select md5(string_agg(key || value, ',' order by key)) from options where not is_sealed) as options,
        (select concat_ws('|', sum(used_quota)) from channel_usage) as channel_usage`.execute(db)
    return rows
  }

  it('ends as one that was never stopped, after three kills in the middle', async () => {
    const [whole, killed] = databases
    if (whole === undefined || killed === undefined) throw new Error('no databases')
    expect((await run(whole)).code).toBe(0)

    for (const killAt of ['users: 1000 of', 'tokens: 2000 of', 'logs: 5000 of']) {
      const ended = await run(killed, killAt)
      expect(ended.code, ended.output).toBeNull()
    }
    const last = await run(killed)
    expect(last.code, last.output).toBe(0)
    expect(await contents(killed)).toEqual(await contents(whole))
  })
})
