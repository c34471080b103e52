import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { LogType } from '@tollgate/contracts/enums'
import { logs } from '@tollgate/contracts/resources/logs'
import { self } from '@tollgate/contracts/resources/self'
import { status } from '@tollgate/contracts/resources/status'
import { tokens } from '@tollgate/contracts/resources/tokens'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { session } from '../../../lib/session.ts'
import { aStatus, aStoredUser } from '../../../testing/factories.ts'
import { aLog } from '../../../testing/log-factories.ts'
import { planeForTests } from '../../../testing/plane.ts'
import { open } from '../../../testing/render.tsx'
import { aToken } from '../../../testing/token-factories.ts'
import { pauseAfter } from './arrival.ts'
import { PATIENCE_MS } from './request-test.tsx'

const pageOf = (items: ReturnType<typeof aLog>[]) => ({ items, total: items.length, page: 1, page_size: 10, total_is_capped: false })
const app = aToken({ id: 9, name: 'app' })

const plane = planeForTests()
beforeEach(() => {
  session.start(aStoredUser({ role: 1 }))
  plane.answer(status.get, aStatus({ server_address: 'https://gw.example' }))
  plane.answer(self.groups, { default: { ratio: 1, desc: '默认分组' } })
  plane.answer(self.models, ['gpt-4o', 'gpt-4o-mini', 'claude-opus-5-5'])
  plane.answer(tokens.list, [aToken({ id: 3, name: 'old', status: 2 }), app])
  plane.answer(tokens.count, { total: 2 })
  plane.answer(logs.listOwn, pageOf([]))
})
afterEach(() => vi.useRealTimers())

const codeOf = async (label: string): Promise<string> => (await screen.findByLabelText(label, { selector: 'pre' })).textContent ?? ''

describe('the set-up page', () => {
  it('fills in the address, the first enabled token and a model that suits the tool', async () => {
    await open('/client-setup')

    expect(JSON.parse(await codeOf('Claude Code'))).toEqual({
      env: { ANTHROPIC_BASE_URL: 'https://gw.example', ANTHROPIC_AUTH_TOKEN: `sk-${app.key}`, ANTHROPIC_MODEL: 'claude-opus-5-5' },
    })
  })

  it('keeps tool, system, token and model in the address', async () => {
    const view = await open('/client-setup?client=codex')
    await screen.findByLabelText('Codex 1', { selector: 'pre' })

    fireEvent.change(screen.getByLabelText('系统', { selector: 'select' }), { target: { value: 'windows' } })
    fireEvent.change(screen.getByLabelText('模型', { selector: 'select' }), { target: { value: 'gpt-4o-mini' } })
    await view.user.click(screen.getByRole('link', { name: 'Gemini CLI' }))

    expect(await codeOf('Gemini CLI 2')).toContain(`$env:GEMINI_API_KEY = 'sk-${app.key}'`)
    expect(view.address()).toBe('/client-setup?client=gemini-cli&system=windows&model=gpt-4o-mini')
  })

  it('says that the chosen token is not enabled', async () => {
    await open('/client-setup?client=curl&token=3')

    expect(await screen.findByText('令牌“old”已禁用，用它的请求会被拒绝。')).toBeTruthy()
  })

  it('offers only models that the token may use', async () => {
    plane.answer(tokens.list, [aToken({ id: 9, model_limits_enabled: true, model_limits: 'gpt-4o-mini' })])
    await open('/client-setup')

    const choice = await screen.findByLabelText('模型', { selector: 'select' })
    expect(
      within(choice)
        .getAllByRole('option')
        .map(({ textContent }) => textContent),
    ).toEqual(['gpt-4o-mini'])
  })

  it('shows a placeholder and no link for a key that the reader may not see', async () => {
    plane.answer(tokens.list, [aToken({ id: 9, key: 'aaaa…zzzz', is_own: false })])
    await open('/client-setup?client=cc-switch')

    expect(await screen.findByText(/^你看不到这个令牌的完整密钥/)).toBeTruthy()
    expect(screen.queryByRole('link', { name: /打开/ })).toBeNull()
  })

  it('opens CC Switch with the values filled in', async () => {
    await open('/client-setup?client=cc-switch')

    const link = await screen.findByRole('link', { name: '在 Codex 中打开' })
    expect(new URL(link.getAttribute('href') ?? '').searchParams.get('apiKey')).toBe(`sk-${app.key}`)
  })

  it('fills in the token that is made for the tool', async () => {
    plane.answer(tokens.list, [])
    plane.answer(tokens.create, undefined)
    const view = await open('/client-setup?client=curl')
    expect(await screen.findByText(/^你还没有令牌/)).toBeTruthy()

    await view.user.click(screen.getByRole('button', { name: '为该工具新建令牌' }))
    const drawer = await screen.findByRole('dialog')
    expect(within(drawer).getByLabelText<HTMLInputElement>(/^名称/).value).toBe('curl')
    plane.answer(tokens.list, [aToken({ id: 11, name: 'curl', key: 'new'.padEnd(48, '0') })])
    await view.user.click(within(drawer).getByRole('button', { name: '创建' }))

    await waitFor(async () => expect(await codeOf('curl')).toContain(`Bearer sk-${'new'.padEnd(48, '0')}`))
    await waitFor(() => expect(view.address()).toBe('/client-setup?client=curl&token=11'))
  })

  it('says why the tokens cannot be shown, and reads them again', async () => {
    plane.fail(tokens.list, 500)
    const view = await open('/client-setup')
    const retry = await screen.findByRole('button', { name: '重试' }, { timeout: 5_000 })
    plane.answer(tokens.list, [app])
    await view.user.click(retry)

    expect(await codeOf('Claude Code')).toContain(app.key)
  })
})

describe('the test of a set-up', () => {
  const start = async (): Promise<Awaited<ReturnType<typeof open>>> => {
    const view = await open('/client-setup?client=curl')
    await waitFor(() => expect(plane.to(logs.listOwn).length).toBeGreaterThan(0))
    await view.user.click(await screen.findByRole('button', { name: '开始等待' }))
    expect(await screen.findByText('正在等待令牌“app”的下一个请求…')).toBeTruthy()
    return view
  }

  it('shows the first request that is newer than the page, and leads to its explanation', async () => {
    plane.answer(logs.listOwn, pageOf([aLog({ id: 70, token_id: 9, model_name: 'before' })]))
    await start()
    const rows = [
      aLog({ id: 78, token_id: 9, model_name: 'later' }),
      aLog({ id: 77, token_id: 9, created_at: 1_700_000_123, model_name: 'gpt-4o' }),
    ]
    plane.answer(logs.listOwn, pageOf([...rows, aLog({ id: 76, token_id: 4, model_name: 'other token' })]))

    expect(await screen.findByText('收到了：gpt-4o 已经回答。', {}, { timeout: 5_000 })).toBeTruthy()
    expect(screen.getByRole('link', { name: '看看花了多少' }).getAttribute('href')).toBe('/log?open=77&at=1700000123')
  })

  it('says in words why a request was refused', async () => {
    await start()
    const other = JSON.stringify({ reason: 'model.unknown', status_code: 404, requested_model: 'gpt-nine' })
    plane.answer(logs.listOwn, pageOf([aLog({ id: 5, token_id: 9, type: LogType.refused, model_name: '', other })]))

    expect(await screen.findByText('请求已到达，但 gpt-nine 没有回答。', {}, { timeout: 5_000 })).toBeTruthy()
    expect(await screen.findByText('模型 gpt-nine 不存在')).toBeTruthy()
    expect(screen.getByRole('link', { name: '查看原因' })).toBeTruthy()
  })

  it('ends after five minutes with the usual causes, and can be repeated', async () => {
    const view = await open('/client-setup?client=curl')
    const button = await screen.findByRole('button', { name: '开始等待' })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    fireEvent.click(button)
    await act(async () => void (await vi.advanceTimersByTimeAsync(PATIENCE_MS)))
    vi.useRealTimers()

    expect(await screen.findByText('五分钟内没有收到请求。常见原因：')).toBeTruthy()
    await view.user.click(screen.getByRole('button', { name: '再等一次' }))
    expect(await screen.findByText('正在等待令牌“app”的下一个请求…')).toBeTruthy()
  })

  it('looks less often the longer it waits', () => {
    expect([0, 5, 30].map((looks) => Math.round(pauseAfter(looks)))).toEqual([2_000, 4_977, 10_000])
  })
})
