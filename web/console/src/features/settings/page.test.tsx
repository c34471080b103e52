import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { optionKeys, defaultText, optionOf, type OptionKey } from '@tollgate/contracts/options/registry'
import { config } from '@tollgate/contracts/resources/config'
import { deliveries } from '@tollgate/contracts/resources/deliveries'
import { limits } from '@tollgate/contracts/resources/limits'
import { logs } from '@tollgate/contracts/resources/logs'
import { oauth } from '@tollgate/contracts/resources/oauth'
import { options, type OptionNote } from '@tollgate/contracts/resources/options'
import { prices } from '@tollgate/contracts/resources/prices'
import { status } from '@tollgate/contracts/resources/status'
import { beforeEach, describe, expect, it } from 'vitest'
import { texts as optionTexts } from '../../i18n/zh/options.ts'
import { keyOf } from '../../lib/api.ts'
import { session } from '../../lib/session.ts'
import { aStoredUser } from '../../testing/factories.ts'
import { planeForTests } from '../../testing/plane.ts'
import { open } from '../../testing/render.tsx'
import { unplacedKeys } from './settings.ts'
import { differencesOf, lineOfPath } from '../../ui/settings/setting.ts'

const plane = planeForTests()

const note = (key: string, change: Partial<OptionNote> = {}): OptionNote => ({
  key,
  is_changed: false,
  is_set: false,
  is_secret: false,
  updated_at: 0,
  updated_by: '',
  ...change,
})

const rows = (changed: Readonly<Record<string, string>> = {}) =>
  optionKeys.filter((key) => !optionOf(key).isSecret).map((key) => ({ key, value: changed[key] ?? defaultText(key) }))

beforeEach(() => {
  session.start(aStoredUser({ role: 100 }))
  plane.answer(options.list, rows({ SMTPPort: '465' }))
  plane.answer(options.notes, [
    note('SMTPPort', { is_changed: true, updated_at: 1_750_000_000, updated_by: 'alice' }),
    note('SMTPToken', { is_secret: true, is_set: true }),
    note('SMTPFrom', { updated_at: 1_750_000_000 }),
  ])
  plane.answer(prices.changes, [])
  plane.answer(options.update, undefined)
})

const mail = async () => within(await screen.findByRole('form', { name: '配置 SMTP' }))

describe('a section of settings', () => {
  it('says what differs from its default and who changed it', async () => {
    await open('/setting?tab=system')
    const section = await mail()

    expect(section.getByText(/^alice 于 \d{4}-\d{2}-\d{2} .* 修改$/)).toBeTruthy()
    expect(section.getByText(/^\d{4}-\d{2}-\d{2} .* 修改$/)).toBeTruthy()
    expect(section.getByText('默认值：587')).toBeTruthy()
    expect(section.getByText('已设置')).toBeTruthy()
  })

  it('says which of its settings files manage', async () => {
    const applied = { owner: 'prod', applied_at: 1_750_000_000, applied_by: 'root' }
    plane.answer(config.managed, [
      { kind: 'option', name: 'SMTPPort', ...applied },
      { kind: 'option', name: 'Notice', ...applied },
      { kind: 'price', name: 'gpt-4o', ...applied },
    ])
    await open('/setting?tab=system')

    const warning = await (await mail()).findByRole('note')
    expect(warning.textContent).toBe('由配置文件管理（prod）。 下次 tollgate apply 会还原以下各项的修改：SMTPPort')
    expect(screen.getAllByRole('note')).toHaveLength(1)
  })

  it('shows every change before it saves them, and sends only these', async () => {
    const view = await open('/setting?tab=system')
    const section = await mail()
    await view.user.click(section.getByRole('button', { name: '保存' }))
    expect(await screen.findByText('你似乎并没有修改什么')).toBeTruthy()

    fireEvent.change(section.getByLabelText('SMTP 服务器'), { target: { value: 'smtp.example.com' } })
    await view.user.click(section.getByRole('button', { name: '把“SMTP 端口”恢复为默认值' }))
    await view.user.click(section.getByRole('button', { name: '清除' }))
    await view.user.click(section.getByRole('button', { name: '保存 3 项改动' }))

    const preview = within(await screen.findByRole('alertdialog'))
    for (const text of ['smtp.example.com', '465', '587', '将被清除']) expect(preview.getByText(text)).toBeTruthy()
    expect(plane.to(options.update)).toHaveLength(0)
    await view.user.click(preview.getByRole('button', { name: '保存' }))

    expect(await screen.findByText('更新成功')).toBeTruthy()
    expect(plane.to(options.update).map(({ body }) => body)).toEqual([
      { key: 'SMTPServer', value: 'smtp.example.com', was: '' },
      { key: 'SMTPPort', value: '587', was: '465' },
      { key: 'SMTPToken', value: '' },
    ])
  })

  it.each([
    ['one setting was refused', ['SMTP 服务器'], () => plane.refuse(options.update, '无法保存'), '更新失败'],
    ['one setting got no answer', ['SMTP 服务器'], () => plane.silence(options.update), '保存失败，请重试'],
    ['several were refused', ['SMTP 服务器', 'SMTP 账户'], () => plane.refuse(options.update, '无法保存'), '部分保存失败，请重试'],
  ])('says so when %s', async (_what, labels, arrange, text) => {
    const view = await open('/setting?tab=system')
    const section = await mail()
    for (const label of labels) fireEvent.change(section.getByLabelText(label), { target: { value: 'other' } })
    arrange()
    await view.user.click(section.getByRole('button', { name: `保存 ${labels.length} 项改动` }))

    expect(await screen.findByText(text)).toBeTruthy()
    expect(screen.queryByText('更新成功')).toBeNull()
  })

  it('saves a small change at once, and takes it back when told to', async () => {
    const view = await open('/setting?tab=system')
    fireEvent.change((await mail()).getByLabelText('SMTP 端口'), { target: { value: '25' } })
    plane.answer(options.list, rows({ SMTPPort: '25' }))
    await view.user.click((await mail()).getByRole('button', { name: '保存 1 项改动' }))
    expect(await screen.findByText('更新成功')).toBeTruthy()
    expect(screen.queryByRole('alertdialog')).toBeNull()

    fireEvent.change((await mail()).getByLabelText('SMTP 账户'), { target: { value: 'not saved' } })
    plane.answer(options.list, rows({ SMTPPort: '465' }))
    await view.user.click(screen.getByRole('button', { name: '撤销' }))

    expect(await screen.findByText('已撤销')).toBeTruthy()
    expect(plane.to(options.update).map(({ body }) => body)).toEqual([
      { key: 'SMTPPort', value: '25', was: '465' },
      { key: 'SMTPPort', value: '465', was: '25' },
    ])
    await waitFor(async () => expect((await mail()).getByLabelText<HTMLInputElement>('SMTP 端口').value).toBe('465'))
    expect((await mail()).getByLabelText<HTMLInputElement>('SMTP 账户').value).toBe('not saved')
  })

  it('shows what was stored meanwhile, until something is typed', async () => {
    const view = await open('/setting?tab=system')
    const port = async (): Promise<string> => (await mail()).getByLabelText<HTMLInputElement>('SMTP 端口').value
    expect(await port()).toBe('465')
    plane.answer(options.list, rows({ SMTPPort: '2525' }))
    await act(() => view.queryClient.invalidateQueries({ queryKey: keyOf(options.list) }))
    await waitFor(async () => expect(await port()).toBe('2525'))

    fireEvent.change((await mail()).getByLabelText('SMTP 账户'), { target: { value: 'mine' } })
    plane.answer(options.list, rows({ SMTPPort: '25', SMTPServer: 'theirs' }))
    await act(() => view.queryClient.invalidateQueries({ queryKey: keyOf(options.list) }))
    await view.user.click((await mail()).getByRole('button', { name: '保存 1 项改动' }))

    expect(await screen.findByText('更新成功')).toBeTruthy()
    expect(plane.to(options.update).map(({ body }) => body)).toEqual([{ key: 'SMTPAccount', value: 'mine', was: '' }])
    await waitFor(async () => expect(await port()).toBe('25'))
  })

  it('says when a change cannot be taken back', async () => {
    const view = await open('/setting?tab=system')
    fireEvent.change((await mail()).getByLabelText('SMTP 端口'), { target: { value: '25' } })
    await view.user.click((await mail()).getByRole('button', { name: '保存 1 项改动' }))
    const button = await screen.findByRole('button', { name: '撤销' })
    plane.refuse(options.update, '无法保存')
    await view.user.click(button)

    expect(await screen.findByText('更新失败')).toBeTruthy()
  })

  it('does not show a new notice to the one who wrote it', async () => {
    plane.answer(status.notice, '')
    const view = await open('/setting?tab=other&keyword=Notice')
    fireEvent.change(await screen.findByRole('textbox', { name: '公告' }), { target: { value: 'Maintenance at noon' } })
    plane.answer(status.notice, 'Maintenance at noon')
    const asked = plane.to(status.notice).length
    await view.user.click(screen.getByRole('button', { name: '保存 1 项改动' }))
    await view.user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: '保存' }))

    await waitFor(() => expect(plane.to(status.notice).length).toBeGreaterThan(asked))
    await waitFor(() => expect(view.queryClient.getQueryData(keyOf(status.notice))).toBe('Maintenance at noon'))
    expect(screen.queryByRole('dialog', { name: '公告', hidden: true })).toBeNull()
    expect(localStorage.getItem('notice-seen')).toBe('Maintenance at noon')
  })

  it('refuses what the server would refuse, beside its field', async () => {
    const view = await open('/setting?tab=system')
    const section = await mail()

    fireEvent.change(section.getByLabelText('SMTP 端口'), { target: { value: '70000' } })
    await view.user.click(section.getByRole('button', { name: '保存 1 项改动' }))

    await waitFor(() => expect(section.getByLabelText('SMTP 端口').getAttribute('aria-invalid')).toBe('true'))
    expect(screen.queryByRole('alertdialog')).toBeNull()
  })

  it('names the line of JSON that has the wrong shape', async () => {
    const view = await open('/setting?keyword=max_tokens')
    const section = within(await screen.findByRole('form', { name: 'Claude设置' }))
    await view.user.click(section.getByRole('button', { name: 'JSON' }))

    const box = section.getByLabelText('缺省 MaxTokens')
    fireEvent.change(box, { target: { value: '{\n  "default": 8192,\n  "claude-x": "many"\n}' } })
    await view.user.click(section.getByRole('button', { name: '保存 1 项改动' }))

    expect(await section.findByText(/^第 3 行：/)).toBeTruthy()
  })

  it('names line and column of what is no JSON, and does not send it', async () => {
    const view = await open('/setting?tab=ratelimit')
    const section = within(await screen.findByRole('form', { name: '模型请求速率限制' }))

    fireEvent.change(section.getByLabelText('分组速率限制'), { target: { value: '{\n  "vip": [0, }\n}' } })
    expect(await section.findByText(/第 2 行.*第 14 列/)).toBeTruthy()
    await view.user.click(section.getByRole('button', { name: '保存 1 项改动' }))

    expect(await screen.findByText('请检查输入')).toBeTruthy()
    expect(plane.to(options.update)).toHaveLength(0)
  })

  it('shows a refusal of the server beside the setting', async () => {
    plane.refuse(options.update, '无法保存')
    const view = await open('/setting?tab=system')
    const section = await mail()

    fireEvent.change(section.getByLabelText('SMTP 账户'), { target: { value: 'me' } })
    await view.user.click(section.getByRole('button', { name: '保存 1 项改动' }))

    expect(await screen.findByText('无法保存')).toBeTruthy()
    expect((await mail()).getByLabelText<HTMLInputElement>('SMTP 账户').value).toBe('me')
  })
})

const JSON_TAB = '模型倍率设置'

describe('the sections of the specification', () => {
  it('begin with the tab of operation, and another one is named in the address', async () => {
    const view = await open('/setting')
    expect(await screen.findByRole('tab', { name: '运营设置', selected: true })).toBeTruthy()
    expect(
      screen
        .getAllByRole('tab')
        .slice(0, 5)
        .map(({ textContent }) => textContent),
    ).toEqual(['运营设置', '速率限制设置', '模型相关设置', '系统设置', '其他设置'])
    view.unmount()

    await open('/setting?tab=models')
    expect(await screen.findByRole('tab', { name: '模型相关设置', selected: true })).toBeTruthy()
  })

  it.each([
    [
      'operation',
      [
        ['通用设置', 'TopUpLink general_setting.docs_link QuotaPerUnit RetryTimes DemoSiteEnabled SelfUseModeEnabled'],
        ['监控设置', 'ChannelDisableThreshold AutomaticDisableChannelEnabled AutomaticEnableChannelEnabled AutomaticDisableKeywords'],
        ['额度设置', 'QuotaForNewUser PreConsumedQuota QuotaForInviter QuotaForInvitee QuotaRemindThreshold'],
        ['通用设置', 'DisplayInCurrencyEnabled DisplayTokenStatEnabled DefaultCollapseSidebar'],
        [
          '绘图设置',
          'DrawingEnabled MjNotifyEnabled MjAccountFilterEnabled MjForwardUrlEnabled MjModeClearEnabled MjActionCheckSuccessEnabled',
        ],
        ['屏蔽词过滤设置', 'CheckSensitiveEnabled CheckSensitiveOnPromptEnabled SensitiveWords'],
        ['日志设置', 'LogConsumeEnabled'],
        ['数据看板设置', 'DataExportEnabled DataExportInterval DataExportDefaultTime'],
        ['聊天设置', 'Chats'],
      ],
    ],
    [
      'models',
      [
        ['Gemini设置', 'gemini.safety_settings gemini.version_settings gemini.supported_imagine_models'],
        ['Claude设置', 'claude.model_headers_settings claude.default_max_tokens claude.thinking_adapter_enabled'],
        ['全局设置', 'global.pass_through_request_enabled general_setting.ping_interval_enabled general_setting.ping_interval_seconds'],
        ['Gemini设置', 'gemini.thinking_adapter_enabled gemini.thinking_adapter_budget_tokens_percentage'],
        ['Claude设置', 'claude.thinking_adapter_budget_tokens_percentage'],
      ],
    ],
    [
      'system',
      [
        ['配置邮箱域名白名单', 'EmailDomainRestrictionEnabled EmailAliasRestrictionEnabled EmailDomainWhitelist'],
        ['配置 Linux DO OAuth', 'LinuxDOClientId LinuxDOClientSecret'],
        ['通用设置（服务器地址）', 'ServerAddress'],
        ['代理设置', 'WorkerUrl WorkerValidKey'],
        ['支付设置', 'PayAddress EpayId EpayKey Price MinTopUp TopupGroupRatio CustomCallbackAddress'],
        [
          '配置登录注册',
          'PasswordLoginEnabled PasswordRegisterEnabled EmailVerificationEnabled RegisterEnabled GitHubOAuthEnabled oidc.enabled LinuxDOOAuthEnabled WeChatAuthEnabled TelegramOAuthEnabled TurnstileCheckEnabled',
        ],
        ['配置 SMTP', 'SMTPServer SMTPPort SMTPAccount SMTPFrom SMTPToken SMTPSSLEnabled'],
        [
          '配置 OIDC',
          'oidc.client_id oidc.client_secret oidc.well_known oidc.authorization_endpoint oidc.token_endpoint oidc.user_info_endpoint',
        ],
        ['配置 GitHub OAuth App', 'GitHubClientId GitHubClientSecret'],
        ['配置微信服务器', 'WeChatServerAddress WeChatServerToken WeChatAccountQRCodeImageURL'],
        ['配置 Telegram 登录', 'TelegramBotToken TelegramBotName'],
        ['配置 Turnstile', 'TurnstileSiteKey TurnstileSecretKey'],
      ],
    ],
    [
      'ratelimit',
      [
        [
          '模型请求速率限制',
          'ModelRequestRateLimitEnabled ModelRequestRateLimitDurationMinutes ModelRequestRateLimitCount ModelRequestRateLimitSuccessCount',
        ],
      ],
    ],
  ] as const)('of the tab %s have their options', async (tab, sections) => {
    await open(`/setting?tab=${tab}`)
    const missing: string[] = []
    for (const [section, keys] of sections) {
      // Two sections of a tab may share a name.
      await screen.findAllByRole('form', { name: section })
      const forms = screen.getAllByRole('form', { name: section })
      for (const key of keys.split(' '))
        if (forms.every((form) => within(form).queryByText(key) === null)) missing.push(`${section}: ${key}`)
    }

    expect(missing).toEqual([])
  })

  it('edit the prices and ratios of models as JSON', async () => {
    const view = await open('/setting?tab=operation')
    const form = within(await screen.findByRole('form', { name: '模型价格' }))
    await view.user.click(await form.findByRole('tab', { name: JSON_TAB }))

    const keys = ['ModelPrice', 'ModelRatio', 'CacheRatio', 'CompletionRatio']
    await waitFor(() => expect(keys.filter((key) => form.queryByText(key) === null)).toEqual([]))
    // Short ones begin as pairs of name and value.
    for (const button of form.getAllByRole('button', { name: 'JSON' })) await view.user.click(button)
    const boxOf = (label: string) => form.getAllByLabelText(label).find(({ tagName }) => tagName === 'TEXTAREA') ?? document.body
    const typed = {
      ModelPrice: ['模型固定价格', '{"own": 0.02}'],
      ModelRatio: ['模型倍率', '{"own": 3}'],
      CompletionRatio: ['模型补全倍率', '{"own": 4}'],
      CacheRatio: ['缓存倍率', '{"own": 0.5}'],
    } as const
    for (const [label, value] of Object.values(typed)) fireEvent.change(boxOf(label), { target: { value } })
    await view.user.click(form.getByRole('button', { name: '保存 4 项改动' }))
    await view.user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: '保存' }))

    await waitFor(() => expect(plane.to(options.update)).toHaveLength(4))
    const sent = plane.to(options.update).map(({ body }) => body as { key: string; value: string }) // the contract's shape
    expect(Object.fromEntries(sent.map(({ key, value }) => [key, value]))).toEqual(
      Object.fromEntries(Object.entries(typed).map(([key, [, value]]) => [key, value])),
    )
  })

  it.each([
    ['a switch', 'EmailDomainRestrictionEnabled', '启用邮箱域名白名单', 'true'],
    ['a switch', 'DemoSiteEnabled', '演示站点', 'true'],
    ['a text', 'LinuxDOClientId', 'Linux DO Client ID', 'ld-1'],
    ['a secret', 'LinuxDOClientSecret', 'Linux DO Client Secret', 'hidden'],
    ['a list of domains', 'EmailDomainWhitelist', '邮箱域名白名单', 'example.org'],
    ['JSON', 'gemini.supported_imagine_models', '支持图片输出的模型', '["imagen-4"]'],
  ])('save %s: %s', async (kind, key, label, value) => {
    const view = await open(`/setting?keyword=${encodeURIComponent(key)}`)
    const save = await screen.findByRole('button', { name: '保存' })
    const form = within(save.closest('form') ?? document.body)
    if (kind === 'a switch') await view.user.click(form.getByLabelText(label))
    else if (kind === 'a list of domains') await view.user.type(form.getByLabelText(label, { selector: 'input' }), `${value}{Enter}`)
    else fireEvent.change(form.getByLabelText(label, { selector: 'input, textarea' }), { target: { value } })
    await view.user.click(form.getByRole('button', { name: '保存 1 项改动' }))
    const preview = screen.queryByRole('alertdialog')
    if (preview !== null) await view.user.click(within(preview).getByRole('button', { name: '保存' }))

    await waitFor(() => expect(plane.to(options.update)).toHaveLength(1))
    const { body } = plane.to(options.update)[0] ?? {}
    expect(body).toMatchObject({ key, value: kind === 'a list of domains' ? expect.stringMatching(/,example\.org$/) : value })
  })
})

/** SYS-06 to SYS-17: the sections of the tab of the system, with the options that they edit. */
const SYSTEM_SECTIONS: readonly (readonly [section: string, keys: readonly OptionKey[]])[] = [
  ['通用设置（服务器地址）', ['ServerAddress']],
  ['代理设置', ['WorkerUrl', 'WorkerValidKey']],
  ['支付设置', ['PayAddress', 'EpayId', 'EpayKey', 'Price', 'MinTopUp', 'TopupGroupRatio', 'CustomCallbackAddress']],
  [
    '配置登录注册',
    [
      'PasswordLoginEnabled',
      'PasswordRegisterEnabled',
      'EmailVerificationEnabled',
      'RegisterEnabled',
      'GitHubOAuthEnabled',
      'oidc.enabled',
      'LinuxDOOAuthEnabled',
      'WeChatAuthEnabled',
      'TelegramOAuthEnabled',
      'TurnstileCheckEnabled',
    ],
  ],
  ['配置邮箱域名白名单', ['EmailDomainRestrictionEnabled', 'EmailAliasRestrictionEnabled', 'EmailDomainWhitelist']],
  ['配置 SMTP', ['SMTPServer', 'SMTPPort', 'SMTPAccount', 'SMTPFrom', 'SMTPToken', 'SMTPSSLEnabled']],
  [
    '配置 OIDC',
    [
      'oidc.client_id',
      'oidc.client_secret',
      'oidc.well_known',
      'oidc.authorization_endpoint',
      'oidc.token_endpoint',
      'oidc.user_info_endpoint',
    ],
  ],
  ['配置 GitHub OAuth App', ['GitHubClientId', 'GitHubClientSecret']],
  ['配置 Linux DO OAuth', ['LinuxDOClientId', 'LinuxDOClientSecret']],
  ['配置微信服务器', ['WeChatServerAddress', 'WeChatServerToken', 'WeChatAccountQRCodeImageURL']],
  ['配置 Telegram 登录', ['TelegramBotToken', 'TelegramBotName']],
  ['配置 Turnstile', ['TurnstileSiteKey', 'TurnstileSecretKey']],
]
/** A text for the box of an option that is not a switch. */
const TYPED: Readonly<Record<string, string>> = {
  int: '7',
  number: '7.5',
  url: 'https://other.example',
  json: '{"default":2}',
  csv: 'example.org',
  text: 'changed',
}

describe('a section of the tab of the system', () => {
  it.each(SYSTEM_SECTIONS)('saves a change of every option: %s', async (section, keys) => {
    plane.answer(options.list, rows({ ServerAddress: 'https://gate.example', SMTPServer: 'smtp.example', SMTPAccount: 'a@b.example' }))
    const view = await open('/setting?tab=system')
    const form = within(await screen.findByRole('form', { name: section }))
    for (const button of form.queryAllByRole('button', { name: 'JSON' })) await view.user.click(button)
    for (const key of keys) {
      const { kind } = optionOf(key)
      const label = labelOf(key)
      const [box] = form.getAllByLabelText(label, { selector: 'input, textarea' })
      if (box === undefined) throw new Error(`no box for ${key}`)
      if (kind !== 'flag') fireEvent.change(box, { target: { value: TYPED[kind] } })
      else await view.user.click(box)
      if (kind === 'csv') fireEvent.keyDown(box, { key: 'Enter' })
      const asked = screen.queryByRole('alertdialog')
      if (asked !== null) await view.user.click(within(asked).getAllByRole('button').at(-1) ?? asked)
    }
    await view.user.click(form.getByRole('button', { name: `保存 ${keys.length} 项改动` }))
    const preview = screen.queryByRole('alertdialog')
    if (preview !== null) await view.user.click(within(preview).getByRole('button', { name: '保存' }))

    await waitFor(() => expect(plane.to(options.update)).toHaveLength(keys.length))
    const sent = plane.to(options.update).map(({ body }) => (body as { key: string }).key) // the contract's shape
    expect(sent.toSorted()).toEqual([...keys].toSorted())
  })
})

describe('a refused save in the tab of other settings', () => {
  it.each([
    ['公告', 'Notice', '公告更新失败', true],
    ['系统名称', 'SystemName', '系统名称更新失败', false],
    ['Logo', 'Logo', 'Logo 更新失败', false],
    ['首页内容', 'HomePageContent', '首页内容更新失败', true],
    ['关于', 'About', '关于内容更新失败', true],
    ['页脚', 'Footer', '页脚内容更新失败', true],
  ])('of %s has its own text', async (name, key, text, isShownFirst) => {
    plane.refuse(options.update, '无法保存')
    const view = await open('/setting?tab=other')
    const section = within(await screen.findByRole('form', { name }, { timeout: 5000 }))
    fireEvent.change(section.getByRole('textbox'), { target: { value: 'https://other.example' } })
    await view.user.click(section.getByRole('button', { name: '保存 1 项改动' }))
    if (isShownFirst) await view.user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: '保存' }))

    expect(await screen.findByText(text)).toBeTruthy()
    expect(plane.to(options.update).map(({ body }) => body)).toMatchObject([{ key, value: 'https://other.example' }])
  })
})

describe('the links of chats', () => {
  it('get a known application that the list does not have', async () => {
    plane.answer(options.list, rows({ Chats: '[{"Ours":"https://chat.example/?key={key}"}]' }))
    const view = await open('/setting?tab=operation')
    const section = within(await screen.findByRole('form', { name: '聊天设置' }))
    await view.user.click(section.getByRole('button', { name: 'OpenCat' }))

    expect(section.queryByRole('button', { name: 'OpenCat' })).toBeNull()
    expect(section.getByRole('button', { name: 'AMA 问天' })).toBeTruthy()
    expect(section.getByRole('button', { name: '保存 1 项改动' })).toBeTruthy()
  })
})

describe('two administrators', () => {
  it('of the same section: the second keeps its input, sees who was faster, and decides', async () => {
    plane.refuse(options.update, '这个设置已被其他管理员修改，请查看后重新保存', 'was')
    const view = await open('/setting?tab=system')
    const section = await mail()

    fireEvent.change(section.getByLabelText('SMTP 端口'), { target: { value: '25' } })
    plane.answer(options.list, rows({ SMTPPort: '2525' }))
    plane.answer(options.notes, [note('SMTPPort', { is_changed: true, updated_at: 1_750_000_000, updated_by: 'bob' })])
    await view.user.click(section.getByRole('button', { name: '保存 1 项改动' }))

    expect(await screen.findByText('这些设置刚刚被其他管理员修改')).toBeTruthy()
    expect((await mail()).getAllByText(/bob 于/).length).toBeGreaterThan(0)
    expect((await mail()).getByLabelText<HTMLInputElement>('SMTP 端口').value).toBe('25')
    plane.answer(options.update, undefined)
    await view.user.click((await mail()).getByRole('button', { name: '保存 1 项改动' }))
    const preview = within(await screen.findByRole('alertdialog'))
    expect(preview.getByText('2525')).toBeTruthy()
    await view.user.click(preview.getByRole('button', { name: '保存' }))

    await waitFor(() => expect(plane.to(options.update).at(-1)?.body).toEqual({ key: 'SMTPPort', value: '25', was: '2525' }))
  })
})

describe('the settings page', () => {
  it('finds a setting by its name, its key or its description, in every tab', async () => {
    const view = await open('/setting?tab=system')
    await mail()

    await view.user.type(screen.getByPlaceholderText('搜索设置的名称、键或说明'), 'thinking budget{Enter}')

    await waitFor(() => expect(screen.queryByRole('form', { name: '配置 SMTP' })).toBeNull())
    expect(screen.getByLabelText('思考适配 BudgetTokens 百分比')).toBeTruthy()
    expect(screen.queryByLabelText('缺省 MaxTokens')).toBeNull()
  })

  it('keeps the tab in the address, and what was typed in another one', async () => {
    const view = await open('/setting?tab=system')
    fireEvent.change((await mail()).getByLabelText('SMTP 账户'), { target: { value: 'me' } })

    await view.user.click(screen.getByRole('tab', { name: '模型相关设置' }))
    await screen.findByRole('form', { name: 'Gemini设置' })
    expect(view.address()).toBe('/setting?tab=models')
    await view.user.click(screen.getByRole('tab', { name: '系统设置' }))

    expect((await mail()).getByLabelText<HTMLInputElement>('SMTP 账户').value).toBe('me')
  })

  it('asks before password sign-in goes off, and puts the switch back', async () => {
    const view = await open('/setting?tab=system')
    const box = await screen.findByLabelText<HTMLInputElement>('允许通过密码登录')

    await view.user.click(box)
    await view.user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: '取消' }))

    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    expect(box.checked).toBe(true)

    await view.user.click(box)
    await view.user.click(
      within(await screen.findByRole('alertdialog'))
        .getAllByRole('button')
        .at(-1) ?? document.body,
    )
    await waitFor(() => expect(box.checked).toBe(false))
  })

  it('wants a server address before payment, and domains that are domains', async () => {
    const view = await open('/setting?tab=system')
    const payment = within(await screen.findByRole('form', { name: '支付设置' }))
    fireEvent.change(payment.getByLabelText('易支付商户 ID'), { target: { value: '7' } })
    await view.user.click(payment.getByRole('button', { name: '保存 1 项改动' }))
    expect(await payment.findByText('请先填写服务器地址')).toBeTruthy()

    const box = screen.getByLabelText('邮箱域名白名单', { selector: 'input' })
    await view.user.type(box, 'GMAIL.COM{Enter}')
    expect(await screen.findByText('该域名已存在于白名单中')).toBeTruthy()
    await view.user.clear(box)
    await view.user.type(box, 'not a domain!{Enter}')
    expect(await screen.findByText('邮箱域名格式不正确，请输入有效的域名，如 gmail.com')).toBeTruthy()
  })

  it('shows the logo as visitors will see it, and says when it does not load', async () => {
    await open('/setting?keyword=Logo')
    fireEvent.change(await screen.findByRole('textbox', { name: /^Logo/ }), { target: { value: 'https://pictures.example/logo.png' } })

    const picture = await screen.findByRole('img', { name: /Logo/ })
    expect(picture.getAttribute('src')).toBe('https://pictures.example/logo.png')
    fireEvent.error(picture)
    expect(await screen.findByText('这张图片无法加载，访客会看到一张破损的图片。')).toBeTruthy()
  })

  it('tells administrators below root that settings are the super admin’s, without a call', async () => {
    session.start(aStoredUser({ role: 10 }))
    await open('/setting')

    expect(await screen.findByText('无权进行此操作，权限不足')).toBeTruthy()
    expect(screen.getAllByRole('tab')).toHaveLength(5)
    expect(plane.to(options.list)).toHaveLength(0)
  })

  it('leads users to their own page', async () => {
    session.start(aStoredUser({ role: 1 }))
    const view = await open('/setting')

    await waitFor(() => expect(view.address()).toBe('/personal'))
  })

  it('has a place and a name for every option', () => {
    expect(unplacedKeys).toEqual([])
  })
})

describe('a difference', () => {
  it('of two JSON objects is their entries that differ', () => {
    expect(differencesOf('{"a":1,"b":2}', '{"b":3,"c":"x"}')).toEqual([
      { name: 'a', before: '1', after: '' },
      { name: 'b', before: '2', after: '3' },
      { name: 'c', before: '', after: 'x' },
    ])
    expect(differencesOf('587', '465')).toEqual([{ name: '', before: '587', after: '465' }])
  })
})

describe('rows instead of JSON', () => {
  const savedValue = (): string => {
    const body = plane.to(options.update)[0]?.body
    return typeof body === 'object' && body !== null && 'value' in body ? String(body.value) : ''
  }

  it('edit groups with their ratio and description, and refuse what is no ratio', async () => {
    const view = await open('/setting?tab=operation')
    const section = within(await screen.findByRole('form', { name: '分组设置' }))
    await view.user.click(await section.findByRole('button', { name: '添加分组' }))
    const last = (name: string): HTMLElement => {
      const found = section.getAllByRole('textbox', { name }).at(-1)
      if (found === undefined) throw new Error(`no box ${name}`)
      return found
    }
    fireEvent.change(last('分组'), { target: { value: 'team' } })
    fireEvent.change(last('倍率'), { target: { value: 'half' } })
    await view.user.click(section.getByRole('button', { name: '保存 1 项改动' }))
    expect(await section.findByRole('alert')).toBeTruthy()

    fireEvent.change(last('倍率'), { target: { value: '0.5' } })
    await view.user.click(section.getByRole('button', { name: '保存 1 项改动' }))
    await view.user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: '保存' }))

    await waitFor(() => expect(plane.to(options.update)).toHaveLength(1))
    expect(JSON.parse(savedValue())).toEqual({ default: 1, svip: 1, vip: 1, team: 0.5 })
  })

  it('say which ratios of groups change at a time that is set already', async () => {
    const scheduled = { created_by: 'ada', created_at: 1_690_000_000, finished_at: 0, price_version: 0, message: '' }
    plane.answer(prices.changes, [
      { ...scheduled, id: 1, state: 'waiting', at: 1_800_000_000, patch: { GroupRatio: { vip: 0.8, old: null }, ModelRatio: { m: 3 } } },
      { ...scheduled, id: 2, state: 'applied', at: 1_700_000_000, patch: { GroupRatio: { svip: 7 } } },
    ])
    await open('/setting?tab=operation')
    const section = within(await screen.findByRole('form', { name: '分组设置' }))

    expect(await section.findByText('2027-01-15 08:00:00 起，分组 vip 的分组倍率：0.8')).toBeTruthy()
    expect(section.getByText('2027-01-15 08:00:00 起，分组 old 的分组倍率：删除')).toBeTruthy()
    expect(section.queryByText(/svip 的/)).toBeNull()
  })

  it('edit the requests of a window by group', async () => {
    const view = await open('/setting?tab=ratelimit')
    const section = within(await screen.findByRole('form', { name: '模型请求速率限制' }))
    await view.user.click(section.getByRole('button', { name: '添加分组' }))
    fireEvent.change(section.getByRole('textbox', { name: '分组' }), { target: { value: 'vip' } })
    fireEvent.change(section.getByRole('textbox', { name: '其中成功的请求数' }), { target: { value: '50' } })
    await view.user.click(section.getByRole('button', { name: '保存 1 项改动' }))
    await view.user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: '保存' }))

    await waitFor(() => expect(JSON.parse(savedValue())).toEqual({ vip: [0, 50] }))
  })

  it('edit the limits of one model', async () => {
    const view = await open('/setting?tab=ratelimit')
    const section = within(await screen.findByRole('form', { name: '共享速率限制' }))
    await view.user.click(await section.findByRole('button', { name: '添加模型' }))
    fireEvent.change(section.getByRole('textbox', { name: '模型' }), { target: { value: 'gpt-4o' } })
    fireEvent.change(section.getByRole('textbox', { name: '每分钟请求数' }), { target: { value: '60' } })
    await view.user.click(section.getByRole('button', { name: '保存 1 项改动' }))
    await view.user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: '保存' }))

    await waitFor(() => expect(plane.to(options.update)).toHaveLength(1))
    expect(JSON.parse(savedValue())).toEqual({ model: { 'gpt-4o': { rpm: 60 } } })
  })
})

describe('old log entries', () => {
  it('are deleted from the section of logs too, after they were counted', async () => {
    plane.answer(logs.clearings, [])
    plane.answer(logs.countBefore, 12)
    const view = await open('/setting?keyword=LogConsumeEnabled')
    const section = within(await screen.findByRole('form', { name: '日志设置' }))
    await view.user.click(section.getByRole('button', { name: '清理历史日志' }))

    const dialog = within(await screen.findByRole('dialog', { name: '清理历史日志' }))
    expect(dialog.getByRole<HTMLButtonElement>('button', { name: '开始清理' }).disabled).toBe(true)
    await view.user.click(dialog.getByRole('button', { name: '统计数量' }))
    expect(await screen.findByText('请选择日志记录时间')).toBeTruthy()
    expect(plane.to(logs.clear)).toHaveLength(0)
  })
})

describe('asking limits', () => {
  it('shows each limit with what is left and when it frees', async () => {
    const limit = { of: 'user', name: '#7 ann', limit: 2, window_ms: 60_000 } as const
    plane.answer(limits.check, {
      passes: false,
      obstacle: null,
      group: 'vip',
      tokens: 4106,
      limits: [
        { ...limit, by: 'requests', used: 2, left: 0, passes: false, wait_ms: 12_000 },
        { ...limit, by: 'concurrency', window_ms: 0, used: 1, left: 1, passes: true, wait_ms: 0 },
      ],
      budgets: [
        { id: 4, scope: 'token', window: 'day', amount: 1_000_000, spent: 1_000_000, held: 0, end: 0, passes: false },
        { id: 5, scope: 'group', window: 'month', amount: 5_000_000, spent: 500_000, held: 0, end: 1_900_000_000, passes: true },
      ],
    })
    const view = await open('/setting?tab=ratelimit')
    const form = within(await screen.findByRole('form', { name: /^试算/ }))
    expect(form.getByRole<HTMLButtonElement>('button', { name: '检查' }).disabled).toBe(true)
    fireEvent.change(form.getByLabelText(/^用户/), { target: { value: 'ann' } })
    fireEvent.change(form.getByLabelText(/^模型/), { target: { value: 'gpt-4o' } })
    await view.user.click(form.getByRole('button', { name: '检查' }))

    expect(await screen.findByText('会被拒绝')).toBeTruthy()
    expect(screen.getByText('分组 vip，计入 4106 个 token')).toBeTruthy()
    expect(screen.getByText('12.0 s 后')).toBeTruthy()
    // A limit and a budget pass.
    expect(screen.getAllByText('可用')).toHaveLength(2)
    expect(screen.getByText('每日预算 · 令牌')).toBeTruthy()
    expect(screen.getByText('已用尽')).toBeTruthy()
    expect(plane.to(limits.check)[0]?.query).toMatchObject({ user: 'ann', model: 'gpt-4o', prompt_tokens: '0' })
  })
})

describe('a place in JSON', () => {
  it.each([
    ['{\n "a": {\n  "b": 1\n }\n}', 'a.b', 3],
    ['{\n "gpt-4.1": "x"\n}', 'gpt-4.1', 2],
    ['{"a": 1}', 'nothing', undefined],
  ])('%j has %s in line %s', (text, path, line) => {
    expect(lineOfPath(text, path)).toBe(line)
  })
})

/** The label of an option in Chinese. */
function labelOf(key: OptionKey): string {
  const text: unknown = key.split('.').reduce<unknown>((part, name) => Object(part)[name], optionTexts)
  return String(Object(text).label)
}

describe('the test mail', () => {
  it('is sent with the saved settings only, and shows what the mail server answered', async () => {
    plane.refuse(deliveries.testMail, '535 authentication failed')
    const view = await open('/setting?tab=system')
    const section = await mail()
    fireEvent.change(section.getByLabelText('SMTP 服务器'), { target: { value: 'smtp.example.com' } })
    await view.user.click(section.getByRole('button', { name: '发送测试邮件' }))
    expect(await screen.findByText('请先保存修改，再发送测试邮件')).toBeTruthy()
    fireEvent.change(section.getByLabelText('SMTP 服务器'), { target: { value: '' } })

    await view.user.click(section.getByRole('button', { name: '发送测试邮件' }))
    const dialog = within(await screen.findByRole('dialog', { name: '发送测试邮件' }))
    await view.user.type(dialog.getByLabelText('收件地址'), 'ops@example.com')
    await view.user.click(dialog.getByRole('button', { name: '发送测试邮件' }))
    expect(await dialog.findByText('535 authentication failed')).toBeTruthy()
    plane.answer(deliveries.testMail, undefined)
    await view.user.click(dialog.getByRole('button', { name: '发送测试邮件' }))

    expect(await screen.findByText('测试邮件已发送')).toBeTruthy()
    expect(plane.to(deliveries.testMail)[0]?.body).toEqual({ to: 'ops@example.com' })
  })
})

describe('the version', () => {
  it('shows version and start, and checks for updates', async () => {
    const view = await open('/setting?tab=other')
    const panel = within(await screen.findByRole('region', { name: '版本信息' }))
    expect(panel.getByText('启动时间')).toBeTruthy()
    expect(panel.getByText(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/)).toBeTruthy()
    const check = () => view.user.click(panel.getByRole('button', { name: '检查更新' }))

    plane.answer(status.release, { version: '0.0.1', url: '', notes: '', is_newer: false })
    await check()
    expect(await screen.findByText('已是最新版本')).toBeTruthy()
    plane.refuse(status.release, '检查更新失败，请稍后再试')
    await check()
    expect(await screen.findByText('检查更新失败，请稍后再试')).toBeTruthy()
    plane.answer(status.release, { version: '9.0.0', url: 'https://example.org/v9', notes: '', is_newer: true })
    await check()
    expect((await panel.findByRole('link', { name: '9.0.0' })).getAttribute('href')).toBe('https://example.org/v9')
  })
})

describe('a file of settings', () => {
  const file = (text: string) => new File([text], 'settings.json', { type: 'application/json' })

  it('is imported after its differences were shown, only what is chosen, and says what was refused', async () => {
    const row = (key: string, result: 'changed' | 'refused' | 'same', message = '') => ({
      key,
      is_secret: false,
      result,
      before: 'a',
      after: 'b',
      message,
    })
    plane.answer(options.previewImport, {
      rows: [row('SystemName', 'changed'), row('About', 'changed'), row('RetryTimes', 'refused', '值不能大于 20'), row('Logo', 'same')],
      has_secrets: true,
    })
    plane.answer(options.importFile, [{ key: 'SystemName', is_stored: true, message: '' }])
    const view = await open('/setting')
    await view.user.click(await screen.findByRole('button', { name: '导入设置' }))
    const dialog = within(await screen.findByRole('dialog'))
    await view.user.upload(await dialog.findByLabelText('设置文件'), file('{"format":"tollgate-options"}'))
    await view.user.click(await dialog.findByRole('button', { name: '查看差异' }))

    const list = within(await dialog.findByRole('list', { name: '差异' }))
    expect(list.getByText('值不能大于 20')).toBeTruthy()
    expect(list.queryByText('Logo')).toBeNull()
    expect(plane.to(options.importFile)).toHaveLength(0)
    await view.user.click(list.getByRole('checkbox', { name: 'About' }))
    await view.user.click(dialog.getByRole('button', { name: '导入 1 项' }))

    expect(await screen.findByText('已导入 1 项设置')).toBeTruthy()
    expect(plane.to(options.importFile).map(({ body }) => body)).toEqual([
      { file: '{"format":"tollgate-options"}', changes: [{ key: 'SystemName', was: 'a' }] },
    ])
  })

  it('is exported with sealed secrets once the owner has proved to be it', async () => {
    plane.refuse(options.exportFile, '请先确认你的身份', 'proof')
    const view = await open('/setting')
    await view.user.click(await screen.findByRole('button', { name: '导出设置' }))
    const dialog = within(await screen.findByRole('dialog'))
    await view.user.click(await dialog.findByLabelText('包含密钥，用口令加密'))
    await view.user.type(dialog.getByLabelText('口令'), 'short')
    await view.user.click(dialog.getByRole('button', { name: '导出' }))
    expect(await dialog.findByText('口令至少需要 12 个字符')).toBeTruthy()
    expect(plane.to(options.exportFile)).toHaveLength(0)

    await view.user.type(dialog.getByLabelText('口令'), ' and then longer')
    await view.user.click(dialog.getByRole('button', { name: '导出' }))

    expect(await dialog.findByLabelText('你的密码或两步验证码')).toBeTruthy()
    expect(dialog.getByText('请先确认你的身份')).toBeTruthy()
  })
})

describe('a button that tries something outside', () => {
  it('fills the OIDC endpoints from the well-known address, and says why it could not', async () => {
    const view = await open('/setting?tab=system')
    const section = within(await screen.findByRole('form', { name: '配置 OIDC' }, { timeout: 5000 }))
    const discover = () => view.user.click(section.getByRole('button', { name: '从 Well-Known URL 读取端点' }))
    await discover()
    expect(await screen.findByText('Well-Known URL 必须以 http:// 或 https:// 开头')).toBeTruthy()
    expect(plane.to(oauth.discover)).toHaveLength(0)

    fireEvent.change(section.getByLabelText('Well-Known URL'), { target: { value: 'https://id.example/.well-known' } })
    plane.refuse(oauth.discover, 'x')
    await discover()
    expect(await screen.findByText('获取 OIDC 配置失败，请检查网络状况和 Well-Known URL 是否正确')).toBeTruthy()

    const found = {
      authorization_endpoint: 'https://id.example/auth',
      token_endpoint: 'https://id.example/token',
      userinfo_endpoint: 'https://id.example/me',
    }
    plane.answer(oauth.discover, found)
    await discover()
    for (const endpoint of Object.values(found)) expect(await section.findByDisplayValue(endpoint)).toBeTruthy()
    expect(plane.to(options.update)).toHaveLength(0)
  })

  it('says what the payment address answers', async () => {
    plane.answer(options.testOutside, { outcome: 'refused', detail: 'no such merchant', time_ms: 12 })
    const view = await open('/setting?tab=system')
    await view.user.click(await screen.findByRole('button', { name: '测试支付接口' }, { timeout: 5000 }))

    expect(await screen.findByText('对方拒绝了密钥 · no such merchant')).toBeTruthy()
    expect(plane.to(options.testOutside).map(({ body }) => body)).toEqual([{ part: 'payment' }])
  })
})

describe('what the page says', () => {
  it('warns as soon as the quota of a dollar differs, and explains chat links and the cap of Gemini’s thinking', async () => {
    await open('/setting')
    const general = within(await screen.findByRole('form', { name: '通用设置' }, { timeout: 5000 }))
    const warning = '修改单位美元额度会改变所有余额和价格的显示。正式运行的站点请不要修改。'
    expect(general.queryByText(warning)).toBeNull()
    fireEvent.change(general.getByLabelText('单位美元额度'), { target: { value: '600000' } })
    expect(await general.findByText(warning)).toBeTruthy()
    expect(screen.getByText(/^链接中的 \{key\} 会替换为以 sk- 开头的令牌，\{address\} 会替换为编码后的服务器地址，/)).toBeTruthy()
    fireEvent.change(general.getByLabelText('单位美元额度'), { target: { value: '500000' } })

    await open('/setting?tab=models')
    expect(await screen.findByText('思考最多占最大输出的比例，0.1 到 1。超过 24576 的部分将被忽略。', {}, { timeout: 5000 })).toBeTruthy()
  })

  it('says when the options cannot be read again after a save', async () => {
    const view = await open('/setting?tab=other')
    const section = within(await screen.findByRole('form', { name: '系统名称' }, { timeout: 5000 }))
    fireEvent.change(section.getByRole('textbox'), { target: { value: 'Mine' } })
    plane.fail(options.list, 500)
    await view.user.click(section.getByRole('button', { name: '保存 1 项改动' }))

    expect(await screen.findByText('刷新失败')).toBeTruthy()
  })
})
