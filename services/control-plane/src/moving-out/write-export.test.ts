import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSource } from '@tollgate/moving-in/open-source'
import { gatewayTables, oldKey, writeGatewayFile } from '@tollgate/testing/gateway-database'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../../test/test-app.ts'
import { runImport } from '../moving-in/run-import.ts'
import { writeExport } from './write-export.ts'

describe('an export', () => {
  let dir: string
  let test: TestApp
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'moving-out-'))
    test = await createTestApp()
    writeGatewayFile(join(dir, 'old.db'), gatewayTables('new-api-2026'))
    const source = await openSource(join(dir, 'old.db'), { now: 0 })
    await runImport(test.deps, source, { name: 'old', isDryRun: false, merge: 'none', logDays: 36_500 })
    await source.close()
  })
  afterAll(async () => {
    await test.stop()
    await rm(dir, { recursive: true })
  })
  const linesOf = async (to: string, name: string): Promise<Record<string, unknown>[]> =>
    (await readFile(join(to, name), 'utf8')).split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
  const textOf = async (to: string): Promise<string> => {
    const names = await readdir(to, { recursive: true, withFileTypes: true })
    const files = names.filter((entry) => entry.isFile())
    return (await Promise.all(files.map((entry) => readFile(join(entry.parentPath, entry.name), 'utf8')))).join('\n')
  }

  it('has every row twice, with the counts, sums and hashes of its manifest, and no secret', async () => {
    const to = join(dir, 'plain')
    const manifest = await writeExport(test.deps, { dir: to, withKeys: false, withPasswords: false })
    expect(JSON.parse(await readFile(join(to, 'manifest.json'), 'utf8'))).toEqual(manifest)
    for (const { name, rows, bytes, sha256 } of manifest.files) {
      const content = await readFile(join(to, name))
      expect([name, content.length, createHash('sha256').update(content).digest('hex')]).toEqual([name, bytes, sha256])
      if (name.endsWith('.jsonl')) expect(await linesOf(to, name)).toHaveLength(rows)
    }
    const users = await linesOf(to, 'users.jsonl')
    const quota = users.reduce((sum, { credited }) => sum + Number(credited), 0)
    expect(manifest.sums).toMatchObject({ 'users.credited': String(quota), 'wallet-entries.amount': expect.stringMatching(/^\d+$/) })
    expect(users.find(({ username }) => username === 'alice')).toMatchObject({ group: 'vip', email: 'alice@example.com' })
    expect((await readFile(join(to, 'users.csv'), 'utf8')).split('\r\n')[0]).toBe(Object.keys(users[0] ?? {}).join(','))
    const days = manifest.files.filter(({ name }) => /^logs\/\d{4}-\d{2}-\d{2}\.jsonl$/.test(name))
    const stored = await test.deps.db.selectFrom('logs').select('id').execute()
    expect(days.reduce((sum, { rows }) => sum + rows, 0)).toBe(stored.length)

    const secrets = await test.deps.db.selectFrom('users').select('password_hash').where('password_hash', '!=', '').execute()
    const text = await textOf(to)
    for (const secret of [oldKey(1), 'smtp-secret', 'v1.t.', ...secrets.map(({ password_hash }) => password_hash)])
      expect(text.includes(secret), secret).toBe(false)
  })

  it('has keys and passwords where they are asked for, and is not written over another', async () => {
    const to = join(dir, 'whole')
    await writeExport(test.deps, { dir: to, withKeys: true, withPasswords: true })
    const tokens = await linesOf(to, 'tokens.jsonl')
    expect(tokens.map(({ key }) => key)).toContain(oldKey(1))
    expect((await linesOf(to, 'options.jsonl')).find(({ key }) => key === 'SMTPToken')).toMatchObject({ value: 'smtp-secret' })
    expect((await linesOf(to, 'users.jsonl')).find(({ username }) => username === 'alice')?.['password_hash']).toMatch(/^\$2a\$/)
    expect((await linesOf(to, 'channels.jsonl')).some(({ key }) => typeof key === 'string' && key !== '')).toBe(true)
    await expect(writeExport(test.deps, { dir: to, withKeys: false, withPasswords: false })).rejects.toMatchObject({ code: 'EEXIST' })
  })
})
