import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ImportResult, ImportRow, OptionFile } from '@tollgate/contracts/resources/options'
import { createTestApp, type Caller, type TestApp } from '../../../test/test-app.ts'

const PASSPHRASE = 'correct horse battery'

describe('export and import of options', () => {
  let test: TestApp
  let root: Caller
  let exported: OptionFile
  beforeAll(async () => {
    test = await createTestApp()
    root = await test.setUp()
    for (const [key, value] of [
      ['SystemName', 'First'],
      ['TelegramBotToken', '123:secret-token'],
      ['RetryTimes', '3'],
    ])
      await root('PUT', '/api/option/', { key, value })
    exported = (await root('POST', '/api/option/export', { passphrase: PASSPHRASE })).body.data as OptionFile // the declared shape
  })
  afterAll(() => test.stop())

  const preview = async (file: string, passphrase?: string) => {
    const { body } = await root('POST', '/api/option/import/preview', { file, ...(passphrase === undefined ? {} : { passphrase }) })
    return { body, rows: (body.data as { rows: ImportRow[] } | undefined)?.rows ?? [] }
  }
  const apply = async (file: string, changes: readonly { key: string; was?: string }[], passphrase?: string) =>
    (await root('POST', '/api/option/import', { file, changes, ...(passphrase === undefined ? {} : { passphrase }) })).body
      .data as ImportResult[] // the declared shape
  const edited = (options: Readonly<Record<string, string>>): string => JSON.stringify({ ...exported, options })

  it('holds every option and its secrets sealed, and is in the audit log', async () => {
    expect(exported.options).toMatchObject({ SystemName: 'First', RetryTimes: '3', SMTPPort: '587' })
    expect(Object.keys(exported.options)).not.toContain('TelegramBotToken')
    expect(JSON.stringify(exported)).not.toContain('secret-token')
    const { items } = (await root('GET', '/api/audit/?resource=option&action=export')).body.data as { items: unknown[] }
    expect(items).toHaveLength(1)
  })

  it('needs a fresh proof of the owner and a passphrase of twelve characters', async () => {
    expect((await root('POST', '/api/option/export', { passphrase: 'short' })).body.success).toBe(false)
    const old = await test.signIn('root', 'a-long-password')
    for (const name of await test.deps.redis.keys('sess:*')) await test.deps.redis.hset(name, 'proved_at', '1')
    const { body } = await old('POST', '/api/option/export', { passphrase: PASSPHRASE })
    expect(body).toMatchObject({ success: false, field: 'proof' })
    root = await test.signIn('root', 'a-long-password')
  })

  it('shows the differences before anything is stored', async () => {
    const { rows, body } = await preview(edited({ SystemName: 'Second', RetryTimes: '99', SMTPPort: '587', NoSuchOption: 'x' }))

    expect(rows).toEqual([
      { key: 'SystemName', is_secret: false, result: 'changed', before: 'First', after: 'Second', message: '' },
      { key: 'RetryTimes', is_secret: false, result: 'refused', before: '3', after: '99', message: '值不能大于 20' },
      { key: 'SMTPPort', is_secret: false, result: 'same', before: '587', after: '587', message: '' },
      { key: 'NoSuchOption', is_secret: false, result: 'unknown', before: '', after: '', message: '' },
    ])
    expect(body.data).toMatchObject({ has_secrets: true })
    expect(await test.deps.options.get('SystemName')).toBe('First')
  })

  it('stores the chosen ones, each with its own audit entry, switches last, and tells what was refused', async () => {
    await root('PUT', '/api/option/', { key: 'TelegramBotToken', value: '' })
    const file = edited({ TelegramOAuthEnabled: 'true', SystemName: 'Second', RetryTimes: '99', About: 'not chosen' })

    const results = await apply(
      file,
      [
        { key: 'TelegramOAuthEnabled', was: 'false' },
        { key: 'SystemName', was: 'First' },
        { key: 'RetryTimes' },
        { key: 'TelegramBotToken' },
      ],
      PASSPHRASE,
    )

    expect(results.map(({ key, is_stored }) => `${key} ${is_stored}`)).toEqual([
      'SystemName true',
      'RetryTimes false',
      'TelegramBotToken true',
      'TelegramOAuthEnabled true',
    ])
    expect(await test.deps.options.get('TelegramBotToken')).toBe('123:secret-token')
    expect(await test.deps.options.get('About')).toBe('')
    const { items } = (await root('GET', '/api/audit/?resource=option&resource_id=SystemName')).body.data as {
      items: { changes: unknown[] }[]
    }
    expect(items[0]?.changes).toEqual([{ field: 'value', before: 'First', after: 'Second' }])
  })

  it('overwrites nothing that another administrator stored after the preview', async () => {
    const [result] = await apply(edited({ SystemName: 'Third' }), [{ key: 'SystemName', was: 'First' }])

    expect(result).toEqual({ key: 'SystemName', is_stored: false, message: '这个设置已被其他管理员修改，请查看后重新保存' })
    expect(await test.deps.options.get('SystemName')).toBe('Second')
  })

  it('takes no secret in clear text, refuses a wrong passphrase, and files of another kind', async () => {
    expect((await preview(edited({ SMTPToken: 'clear' }))).rows).toEqual([])
    expect((await preview(JSON.stringify(exported), 'another passphrase')).body).toMatchObject({ message: '口令不正确，或文件已被修改' })
    for (const file of [
      '',
      '{',
      '[]',
      '{"options":{}}',
      JSON.stringify({ ...exported, version: 2 }),
      JSON.stringify({ ...exported, options: { a: 1 } }),
    ])
      expect((await preview(file)).body.message).toContain('这不是导出的设置文件')
  })

  it('is refused for other administrators', async () => {
    await root('POST', '/api/user/', { username: 'ann', password: 'a-long-password', display_name: 'ann', role: 10 })
    await test.database.db.updateTable('users').set({ role: 10 }).where('username', '=', 'ann').execute()
    const admin = await test.signIn('ann', 'a-long-password')
    expect((await admin('POST', '/api/option/import/preview', { file: '{}' })).body.success).toBe(false)
  })
})
