import { screen, waitFor, within } from '@testing-library/react'
import { channels } from '@tollgate/contracts/resources/channels'
import { options } from '@tollgate/contracts/resources/options'
import { setup } from '@tollgate/contracts/resources/setup'
import { status } from '@tollgate/contracts/resources/status'
import { tokens, type Token } from '@tollgate/contracts/resources/tokens'
import { twoFactor } from '@tollgate/contracts/resources/two-factor'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { session } from '../../lib/session.ts'
import { aFirstRun, aStatus, aStoredUser } from '../../testing/factories.ts'
import { planeForTests } from '../../testing/plane.ts'
import { open } from '../../testing/render.tsx'

const channel = { id: 3, name: 'main', model: 'gpt-4o-mini' }
const tested_channel = { id: 3, time_ms: 512 }
const aToken: Token = {
  id: 7,
  user_id: 1,
  key: 'k'.repeat(48),
  status: 1,
  name: 'first',
  created_time: 1,
  accessed_time: 1,
  expired_time: -1,
  remain_quota: 0,
  unlimited_quota: true,
  model_limits_enabled: false,
  model_limits: '',
  allow_ips: '',
  used_quota: 0,
  group: '',
  limits: null,
  cross_group_retry: false,
  fallback_models: null,
  telemetry_content: false,
  receipt_hashes: false,
  DeletedAt: null,
}

const rowsOf = (values: Record<string, string>) => Object.entries(values).map(([key, value]) => ({ key, value }))

const plane = planeForTests()
beforeEach(() => plane.answer(status.homePage, ''))

describe('home for a visitor', () => {
  it('shows our own page with the address of the site while the operator wrote none', async () => {
    plane.answer(status.get, aStatus({ server_address: 'https://gw.example' }))
    await open('/')

    expect(await screen.findByRole('heading', { name: '一个地址、一个密钥，接入所有模型' })).toBeTruthy()
    expect(await screen.findByText('https://gw.example/v1')).toBeTruthy()
  })

  it('copies the address and says so', async () => {
    const view = await open('/')

    await view.user.click(await screen.findByRole('button', { name: '复制接口地址' }))

    expect(await screen.findByText('已复制到剪贴板！')).toBeTruthy()
    expect(await navigator.clipboard.readText()).toMatch(/\/v1$/)
  })

  it('offers the text itself where the browser refuses to copy', async () => {
    const view = await open('/')
    const write = vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('denied'))

    await view.user.click(await screen.findByRole('button', { name: '复制接口地址' }))

    const dialog = await screen.findByRole('dialog', { name: '无法复制到剪贴板，请手动复制' })
    expect(within(dialog).getByRole<HTMLTextAreaElement>('textbox').value).toMatch(/\/v1$/)
    await view.user.click(within(dialog).getByRole('button', { name: '关闭' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    write.mockRestore()
  })

  it('shows what the operator wrote instead', async () => {
    plane.answer(status.homePage, '# Welcome to our gateway')
    await open('/')

    expect(await screen.findByRole('heading', { name: 'Welcome to our gateway' })).toBeTruthy()
    expect(screen.queryByRole('heading', { name: '一个地址、一个密钥，接入所有模型' })).toBeNull()
  })

  it('frames an https address without letting it into our origin', async () => {
    plane.answer(status.homePage, 'https://site.example/')
    await open('/')

    const frame = await screen.findByTitle('站点首页')
    expect(frame.getAttribute('src')).toBe('https://site.example/')
    expect(frame.getAttribute('sandbox')).not.toContain('allow-same-origin')
  })
})

describe('the first-run checklist of root', () => {
  beforeEach(() => session.start(aStoredUser()))

  it('is not shown to an administrator', async () => {
    session.start(aStoredUser({ role: 10 }))
    await open('/')

    await screen.findByRole('heading', { name: '一个地址、一个密钥，接入所有模型' })
    expect(plane.to(setup.firstRun)).toHaveLength(0)
  })

  it('adds a channel in place and goes on to its test', async () => {
    plane.answer(setup.firstRun, aFirstRun())
    plane.answer(channels.create, undefined)
    const view = await open('/')
    await view.user.type(await screen.findByLabelText('密钥'), 'sk-vendor')
    plane.answer(setup.firstRun, aFirstRun({ channel }))

    await view.user.click(screen.getByRole('button', { name: '添加渠道' }))

    expect(await screen.findByRole('button', { name: '立即测试' })).toBeTruthy()
    expect(plane.to(channels.create)[0]?.body).toMatchObject({ type: 1, key: 'sk-vendor', group: 'default' })
  })

  it('leads to the import from another gateway until there is a channel', async () => {
    plane.answer(setup.firstRun, aFirstRun())
    await open('/')

    expect((await screen.findByRole('link', { name: '导入用户、令牌、渠道与价格' })).getAttribute('href')).toBe('/setting/import')
  })

  it('refuses a channel without a key', async () => {
    plane.answer(setup.firstRun, aFirstRun())
    const view = await open('/')
    await screen.findByLabelText('密钥')

    await view.user.click(screen.getByRole('button', { name: '添加渠道' }))

    expect(await screen.findByText('请填写渠道名称和渠道密钥！')).toBeTruthy()
    expect(plane.to(channels.create)).toHaveLength(0)
  })

  it('says beside the button why a test failed', async () => {
    plane.answer(setup.firstRun, aFirstRun({ channel }))
    plane.refuse(channels.test, 'invalid api key')
    const view = await open('/')

    await view.user.click(await screen.findByRole('button', { name: '立即测试' }))

    expect(await screen.findByText('invalid api key')).toBeTruthy()
    expect(plane.to(channels.test)[0]?.path).toBe('/api/channel/test/3')
  })

  it('saves a typed price as ratios and keeps the other models', async () => {
    plane.answer(setup.firstRun, aFirstRun({ channel, tested_channel, unpriced_models: ['my-model'] }))
    plane.answer(options.list, [
      { key: 'ModelRatio', value: '{"other":3}' },
      { key: 'CompletionRatio', value: '{}' },
    ])
    plane.answer(options.update, undefined)
    const view = await open('/')
    await view.user.type(await screen.findByLabelText('输入价格'), '0.15')
    await view.user.type(screen.getByLabelText('输出价格'), '0.6')

    await view.user.click(screen.getByRole('button', { name: '保存价格' }))

    await waitFor(() => expect(plane.to(options.update)).toHaveLength(2))
    expect(plane.to(options.update).map(({ body }) => body)).toEqual([
      { key: 'CompletionRatio', value: '{"my-model":4}' },
      { key: 'ModelRatio', value: '{"other":3,"my-model":0.075}' },
    ])
  })

  it('creates a token, then shows the request with its real key and turns green by itself when it arrives', async () => {
    const ready = { channel, tested_channel, priced_model: 'gpt-4o-mini' }
    plane.answer(setup.firstRun, aFirstRun(ready))
    plane.answer(tokens.create, undefined)
    plane.answer(tokens.get, aToken)
    const view = await open('/')
    await screen.findByLabelText('令牌名称')
    plane.answer(setup.firstRun, aFirstRun({ ...ready, token: { id: 7, name: 'first' } }))

    await view.user.click(screen.getByRole('button', { name: '创建令牌' }))

    const code = await screen.findByLabelText('curl', { selector: 'pre' })
    await waitFor(() => expect(code.textContent).toContain(`sk-${'k'.repeat(48)}`))
    expect(screen.getByText('正在等待第一个请求…')).toBeTruthy()
    plane.answer(
      setup.firstRun,
      aFirstRun({ ...ready, token: { id: 7, name: 'first' }, request: { id: 1, created_at: 1, model_name: 'gpt-4o-mini' } }),
    )
    expect(await screen.findByText('收到了！gpt-4o-mini 已经回答了你的第一个请求。')).toBeTruthy()
    expect(screen.getByRole('link', { name: '看看花了多少' }).getAttribute('href')).toBe('/log?open=1&at=1')
    expect(screen.getByText('已完成 5 / 5')).toBeTruthy()
  })

  it('is followed by what a gateway for others needs; retries are one click', async () => {
    const request = { id: 1, created_at: 1, model_name: 'gpt-4o-mini' }
    plane.answer(setup.firstRun, aFirstRun({ channel, tested_channel, priced_model: 'm', token: { id: 7, name: 'first' }, request }))
    plane.answer(tokens.get, aToken)
    const settings = { ServerAddress: 'https://gw.example', RetryTimes: '0', EpayId: '' }
    plane.answer(options.list, rowsOf(settings))
    const note = { is_set: false, is_secret: false, updated_at: 0, updated_by: '' }
    plane.answer(options.notes, [{ ...note, key: 'RegisterEnabled', is_changed: false }])
    plane.answer(twoFactor.get, { is_on: true, is_required: false, recovery_codes_left: 8, has_password: true, passkeys: [] })
    plane.answer(options.update, undefined)
    const view = await open('/')
    const list = within(await screen.findByRole('region', { name: '开放给他人使用之前' }))
    const openSteps = () =>
      ['服务器地址', '谁可以注册', '在线充值', '备份', '两步验证', '失败重试'].filter((step) =>
        list.queryByRole('button', { name: `不需要了：${step}` }),
      )

    expect(openSteps()).toEqual(['谁可以注册', '在线充值', '备份', '失败重试'])
    expect(list.getByRole('link', { name: '注册设置' }).getAttribute('href')).toBe('/setting?keyword=Register')
    plane.answer(options.list, rowsOf({ ...settings, RetryTimes: '2' }))
    await view.user.click(list.getByRole('button', { name: '失败后重试 2 次' }))
    await waitFor(() => expect(openSteps()).toEqual(['谁可以注册', '在线充值', '备份']))
    expect(plane.to(options.update)[0]?.body).toEqual({ key: 'RetryTimes', value: '2', was: '0' })
    await view.user.click(list.getByRole('button', { name: '不需要了：在线充值' }))
    expect(openSteps()).toEqual(['谁可以注册', '备份'])
    expect(localStorage.getItem('next-steps-done')).toBe('["payment"]')
  })

  it('can be put away for good', async () => {
    plane.answer(setup.firstRun, aFirstRun())
    const view = await open('/')

    await view.user.click(await screen.findByRole('button', { name: '不再显示' }))

    expect(await screen.findByRole('heading', { name: '一个地址、一个密钥，接入所有模型' })).toBeTruthy()
    expect(localStorage.getItem('checklist-hidden')).toBe('true')
  })
})
