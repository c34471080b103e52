import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sealedBy } from '@tollgate/config/sealing'
import type { AuditEntry } from '@tollgate/contracts/resources/audit'
import type { OptionNote } from '@tollgate/contracts/resources/options'
import { createTestApp, type Caller, type TestApp } from '../../../test/test-app.ts'
import { publishAll } from '../../internal/snapshot-publisher.ts'

describe('options', () => {
  let test: TestApp
  let root: Caller
  beforeAll(async () => {
    test = await createTestApp()
    root = await test.setUp()
    await publishAll(test.deps)
  })
  afterAll(() => test.stop())

  const put = async (key: string, value: string): Promise<{ status: number; message: string }> => {
    const { status, body } = await root('PUT', '/api/option/', { key, value })
    return { status, message: body.success ? 'saved' : body.message }
  }
  const listed = async (): Promise<Map<string, string>> => {
    const { body } = await root('GET', '/api/option/')
    return new Map((body.data as { key: string; value: string }[]).map((row) => [row.key, row.value])) // the list's declared shape
  }
  const stored = (key: string): Promise<{ value: string; is_sealed: boolean } | undefined> =>
    test.database.db.selectFrom('options').select(['value', 'is_sealed']).where('key', '=', key).executeTakeFirst()

  it('lists every option with its default as text, sorted, without secrets', async () => {
    const rows = await listed()

    expect([...rows.keys()]).toEqual([...rows.keys()].toSorted())
    expect(rows.get('RetryTimes')).toBe('0')
    expect(rows.get('TurnstileSiteKey')).toBe('')
    expect(JSON.parse(rows.get('GroupRatio') ?? '')).toEqual({ default: 1, svip: 1, vip: 1 })
    for (const secret of ['SMTPToken', 'EpayKey', 'oidc.client_secret', 'WorkerValidKey']) expect(rows.has(secret)).toBe(false)
  })

  it('refuses to overwrite what another administrator stored meanwhile', async () => {
    const save = async (value: string, was: string) => (await root('PUT', '/api/option/', { key: 'About', value, was })).body
    const shown = (await listed()).get('About') ?? ''

    const answers = await Promise.all([save('https://a.example', shown), save('https://b.example', shown)])

    expect(answers.filter(({ success }) => success)).toHaveLength(1)
    expect(answers.find(({ success }) => !success)).toMatchObject({ message: '这个设置已被其他管理员修改，请查看后重新保存', field: 'was' })
    const kept = (await listed()).get('About') ?? ''
    expect((await save('https://c.example', kept)).success).toBe(true)
    expect(await put('About', shown)).toMatchObject({ message: 'saved' })
  })

  it.each([
    ['an unknown key', 'NoSuchOption', 'x', '未知的选项：NoSuchOption'],
    ['broken JSON', 'ModelRatio', '{"a":', '不是合法的 JSON 字符串'],
    ['a ratio that is no number', 'CacheRatio', '{"m":"half"}', 'm 的值必须是 0 到 1000000 之间的数字'],
    ['NaN', 'CompletionRatio', '{"m":NaN}', '不是合法的 JSON 字符串'],
    ['a negative ratio', 'ImageRatio', '{"m":-1}', 'm 的值必须是 0 到 1000000 之间的数字'],
    ['a negative ratio between groups', 'GroupGroupRatio', '{"vip":{"default":-1}}', 'vip.default 的值必须是 0 到 1000000 之间的数字'],
    [
      'two cards of one length',
      'PriceCards',
      '{"m":[{"above":9,"model_ratio":1},{"above":9,"model_ratio":2}]}',
      'm 有两个分段的 above 都是 9',
    ],
    ['broken JSON of top-up groups', 'TopupGroupRatio', '{', '充值分组倍率不是合法的 JSON 字符串'],
    ['a negative group ratio', 'GroupRatio', '{"default":1,"x":-1}', 'group ratio must be not less than 0: x'],
    ['GitHub without an id', 'GitHubOAuthEnabled', 'true', '无法启用 GitHub OAuth，请先填入 GitHub Client Id 以及 GitHub Client Secret！'],
    ['OIDC without an id', 'oidc.enabled', 'true', '无法启用 OIDC 登录，请先填入 OIDC Client Id 以及 OIDC Client Secret！'],
    [
      'LinuxDO without an id',
      'LinuxDOOAuthEnabled',
      'true',
      '无法启用 LinuxDO OAuth，请先填入 LinuxDO Client Id 以及 LinuxDO Client Secret！',
    ],
    ['WeChat without an address', 'WeChatAuthEnabled', 'true', '无法启用微信登录，请先填入微信登录相关配置信息！'],
    ['Turnstile without a key', 'TurnstileCheckEnabled', 'true', '无法启用 Turnstile 校验，请先填入 Turnstile 校验相关配置信息！'],
    [
      'mail verification without a mail server',
      'EmailVerificationEnabled',
      'true',
      '无法启用邮箱验证，请先配置 SMTP 服务器，否则无人能注册！',
    ],
    ['Telegram without a token', 'TelegramOAuthEnabled', 'true', '无法启用 Telegram OAuth，请先填入 Telegram Bot Token！'],
  ])('refuses %s with status 200 and keeps the stored value', async (_why, key, value, message) => {
    const before = await stored(key)
    expect(await put(key, value)).toEqual({ status: 200, message })
    expect(await stored(key)).toEqual(before)
  })

  it.each([
    ['General', 'QuotaPerUnit', 'x', '请输入数字'],
    ['General', 'RetryTimes', '99', '值不能大于 20'],
    ['General', 'TopUpLink', 'ftp://x', '地址必须以 http:// 或 https:// 开头'],
    ['Dashboard', 'DataExportDefaultTime', 'year', '值必须是以下之一：hour, day, week'],
    ['Monitoring', 'ChannelDisableThreshold', '-1', '值不能小于 0'],
    ['Quota', 'QuotaForNewUser', '-1', '值不能小于 0'],
    ['Chats', 'Chats', '{', '不是合法的 JSON 字符串'],
    ['Rate limit', 'ModelRequestRateLimitDurationMinutes', 'x', '请输入数字'],
    ['Global', 'general_setting.ping_interval_seconds', 'x', '请输入数字'],
    ['Global', 'general_setting.ping_interval_seconds', '19', '值不能小于 20'],
    ['Gemini', 'gemini.safety_settings', '{', '不是合法的 JSON 字符串'],
    ['Claude', 'claude.default_max_tokens', '{', '不是合法的 JSON 字符串'],
  ])('refuses with status 400 in the form %s, which reads only the status: %s', async (_form, key, value, message) => {
    expect(await put(key, value)).toEqual({ status: 400, message })
    expect(await stored(key)).toBeUndefined()
  })

  it('keeps a value of a million characters, and refuses a longer one by its field', async () => {
    const text = 'x'.repeat(1_000_000)
    expect((await put('Notice', text)).message).toBe('saved')
    expect((await stored('Notice'))?.value === text).toBe(true)

    const { status, body } = await root('PUT', '/api/option/', { key: 'Notice', value: `${text}x` })
    expect([status, body.success, body.message]).toEqual([200, false, expect.stringContaining('value')])
    expect((await stored('Notice'))?.value === text).toBe(true)
    expect(await put('Notice', '')).toMatchObject({ message: 'saved' })
  })

  it('refuses the domain restriction while the whitelist is empty', async () => {
    await put('EmailDomainWhitelist', '')
    expect((await put('EmailDomainRestrictionEnabled', 'true')).message).toBe('无法启用邮箱域名限制，请先填入限制的邮箱域名！')
    await put('EmailDomainWhitelist', 'a.example')
    expect((await put('EmailDomainRestrictionEnabled', 'true')).message).toBe('saved')
  })

  it('lets a switch be turned on once the options that it needs are set', async () => {
    await put('TelegramBotToken', '123:abc')
    expect((await put('TelegramOAuthEnabled', 'true')).message).toBe('saved')
  })

  it('stores the normal form, but JSON as written', async () => {
    await put('ServerAddress', ' https://gate.example/ ')
    await put('ModelPrice', '{ "m":   0.10 }')

    expect(await stored('ServerAddress')).toMatchObject({ value: 'https://gate.example' })
    expect((await listed()).get('ModelPrice')).toBe('{ "m":   0.10 }')
    expect(await test.deps.options.get('ModelPrice')).toEqual({ m: 0.1 })
    expect((await test.guest('GET', '/api/status')).body.data).toMatchObject({ server_address: 'https://gate.example' })
  })

  it('seals a secret, never returns it, and deletes it with an empty value', async () => {
    await put('SMTPToken', 'hunter2')
    const row = await stored('SMTPToken')

    expect(row?.is_sealed).toBe(true)
    expect(row?.value).not.toContain('hunter2')
    expect(test.deps.sealers.options.unseal(row?.value ?? '', sealedBy.option('SMTPToken'))).toBe('hunter2')
    expect(await test.deps.options.get('SMTPToken')).toBe('hunter2')
    expect(JSON.stringify((await root('GET', '/api/option/')).body)).not.toContain('hunter2')

    await put('SMTPToken', '')
    expect(await stored('SMTPToken')).toEqual({ value: '', is_sealed: false })
    expect(await test.deps.options.get('SMTPToken')).toBe('')
  })

  it('keeps a secret and empties another option when the value is absent', async () => {
    await put('SMTPToken', 'kept')
    await put('Footer', 'text')

    expect((await root('PUT', '/api/option/', { key: 'SMTPToken' })).body).toEqual({ success: true, message: '' })
    expect((await root('PUT', '/api/option/', { key: 'Footer', value: null })).body).toEqual({ success: true, message: '' })
    expect((await root('PUT', '/api/option/', { key: 'RetryTimes' })).body.success).toBe(false)

    expect(await test.deps.options.get('SMTPToken')).toBe('kept')
    expect(await test.deps.options.get('Footer')).toBe('')
    await put('SMTPToken', '')
  })

  it('publishes options that relays read, and raises no version for others', async () => {
    const version = async (): Promise<number> =>
      (await test.database.db.selectFrom('snapshot_versions').select('version').executeTakeFirstOrThrow()).version
    const before = await version()

    await put('Notice', 'hello')
    expect(await version()).toBe(before)
    await put('RetryTimes', '3')
    expect(await version()).toBe(before + 1)
    expect(await test.deps.redis.hget('snap:{cfg}:options', 'RetryTimes')).toContain('3')
    await put('ModelRatio', '{"only-model":2}')
    expect(await test.deps.redis.hkeys('snap:{cfg}:prices')).toContain('only-model')
    expect(await test.deps.redis.hkeys('snap:{cfg}:prices')).not.toContain('grok-beta')
  })

  it('resets the model ratios and no other option', async () => {
    const { body } = await root('POST', '/api/option/rest_model_ratio')

    expect(body).toEqual({ success: true, message: '重置模型倍率成功' })
    expect((await test.deps.options.get('ModelRatio'))['gpt-4o']).toBe(1.25)
    expect(await test.deps.options.get('ModelPrice')).toEqual({ m: 0.1 })
  })

  it('lists which options differ, which secrets are set and who changed them, and writes the audit', async () => {
    await put('SMTPToken', 'again')
    const { body } = await root('GET', '/api/option/notes')
    const notes = new Map((body.data as OptionNote[]).map((note) => [note.key, note])) // the declared shape

    expect(notes.get('SMTPToken')).toMatchObject({ is_secret: true, is_set: true, is_changed: true, updated_by: 'root' })
    expect(notes.get('EpayKey')).toMatchObject({ is_set: false, is_changed: false, updated_by: '' })
    expect(notes.get('ModelRatio')).toMatchObject({ is_changed: false, updated_by: 'root' })
    const audit = (await root('GET', '/api/audit/?resource=option&resource_id=SMTPToken')).body.data as {
      items: AuditEntry[]
      total: number
    }
    expect(audit.total).toBe(5)
    expect(audit.items[0]).toMatchObject({ actor_name: 'root', actor_role: 100, action: 'update', changes: [{ field: 'value' }] })
    expect(JSON.stringify(audit)).not.toContain('again')
    const ratios = (await root('GET', '/api/audit/?resource_id=RetryTimes')).body.data as { items: AuditEntry[] }
    expect(ratios.items[0]?.changes).toEqual([{ field: 'value', before: '0', after: '3' }])
  })
})
