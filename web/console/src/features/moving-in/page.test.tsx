import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { imports, type ImportRun, type ShownReport } from '@tollgate/contracts/resources/imports'
import { IMPORT_KINDS } from '@tollgate/contracts/moving-in/records'
import type { ImportItem } from '@tollgate/contracts/moving-in/report'
import { sessions } from '@tollgate/contracts/resources/sessions'
import { status as statusCalls } from '@tollgate/contracts/resources/status'
import { twoFactor } from '@tollgate/contracts/resources/two-factor'
import { beforeEach, describe, expect, it } from 'vitest'
import { session } from '../../lib/session.ts'
import { aStoredUser } from '../../testing/factories.ts'
import { planeForTests } from '../../testing/plane.ts'
import { open } from '../../testing/render.tsx'

const plane = planeForTests()
const ID = '6f1c2f6e-8b9c-4f5e-9d38-2f64f3c1a111'
const ADDRESS = 'mysql://reader:secret@10.0.0.5/newapi'

const aRun = (change: Partial<ImportRun> = {}): ImportRun => ({
  id: ID,
  state: 'finished',
  is_dry_run: true,
  wishes: { name: '', only: [], log_days: 0, merge: 'none', unlimited_as: 0, keep: [] },
  source: 'mysql://10.0.0.5/newapi',
  has_source: true,
  progress: [],
  started_by: 'root',
  started_at: 1_780_000_000,
  finished_at: 1_780_000_060,
  failure: '',
  ...change,
})
const none = { read: 0, created: 0, updated: 0, same: 0, skipped: 0, refused: 0 }
const aReport = (change: Partial<ShownReport> = {}): ShownReport => ({
  format: 'tollgate-import',
  version: 1,
  name: 'new-api',
  family: 'new-api',
  generation: '2026',
  store: 'mysql',
  is_dry_run: true,
  started_at: 1,
  finished_at: 2,
  counts: {
    ...(Object.fromEntries(IMPORT_KINDS.map((kind) => [kind, none])) as ShownReport['counts']), // every kind
    users: { ...none, read: 1200, created: 1199, refused: 1 },
    tokens: { ...none, read: 30, created: 28, updated: 2 },
  },
  quota_per_unit: 500_000,
  sums: [],
  prices: [{ model: 'gpt-4o', from: 'log', model_ratio: 1.25, completion_ratio: 4, model_price: null }],
  refused: [{ code: 'token-key', count: 25, items: [{ kind: 'tokens', at: 'tokens 17', code: 'token-key', detail: '' }] }],
  changed: [],
  decisions: [{ code: 'renamed', count: 1, items: [{ kind: 'users', at: 'users 3', code: 'renamed', detail: 'ann → ann_3' }] }],
  samples: { compared: 200, equal: 198, different: [] },
  is_complete: false,
  ...change,
})

const show = (run: ImportRun | null, report: ShownReport | null = null, is_in_use = false): void =>
  plane.answer(imports.get, { run, report, carried: [], is_in_use })

beforeEach(() => {
  session.start(aStoredUser({ role: 100 }))
  plane.answer(imports.start, aRun({ state: 'running' }))
  plane.answer(imports.runAgain, aRun({ state: 'running', is_dry_run: false }))
  plane.answer(imports.cancel, undefined)
  plane.answer(imports.forget, undefined)
})

describe('the import page', () => {
  it('is reached from the settings, for root only', async () => {
    session.start(aStoredUser({ role: 10 }))
    await open('/setting/import')
    expect(await screen.findByText('仅限超级管理员')).toBeTruthy()
    expect(plane.to(imports.get)).toHaveLength(0)
  })

  it('asks for what is missing, then starts a dry run with the choices', async () => {
    show(null, null, true)
    const view = await open('/setting/import')
    await view.user.click(await screen.findByRole('button', { name: '开始试运行' }))
    expect(await screen.findByText('请输入地址')).toBeTruthy()
    expect(screen.getByText('请选择处理方式')).toBeTruthy()
    expect(plane.to(imports.start)).toHaveLength(0)

    fireEvent.change(screen.getByLabelText('数据库地址', { selector: 'input[type=password]' }), { target: { value: ADDRESS } })
    fireEvent.change(screen.getByLabelText('日志天数'), { target: { value: '90' } })
    await view.user.selectOptions(screen.getByLabelText('同名账户'), 'join')
    await view.user.click(screen.getByRole('checkbox', { name: '日志' }))
    show(aRun({ state: 'running', progress: [{ kind: 'users', read: 300, total: 1200 }] }))
    await view.user.click(screen.getByRole('button', { name: '开始试运行' }))

    expect(await screen.findByText('300 / 1,200')).toBeTruthy()
    expect(plane.to(imports.start).map(({ body }) => body)).toEqual([
      {
        address: ADDRESS,
        name: '',
        only: IMPORT_KINDS.filter((kind) => kind !== 'logs'),
        log_days: 90,
        merge: 'join',
        unlimited_as: 0,
      },
    ])
    expect(document.body.textContent).not.toContain('secret')
  })

  it('shows the result of a dry run, and says what a run would write before it asks who it is', async () => {
    show(aRun(), aReport())
    plane.refuse(imports.runAgain, 'proof', 'proof')
    plane.answer(twoFactor.get, { is_on: false, recovery_codes_left: 0, is_required: false, passkeys: [], has_password: true })
    plane.answer(sessions.prove, undefined)
    const view = await open('/setting/import')
    expect(await screen.findByText(/部分数据无法导入，见下文。 未写入任何数据。/)).toBeTruthy()
    const rows = within(screen.getByRole('group', { name: '结果' }))
    expect(rows.getAllByRole('row').map((row) => [...row.children].map(({ textContent }) => textContent))).toEqual([
      // Columns with nothing but zeros would push the last one off a phone.
      ['类别', '读取', '新增', '更新', '未导入'],
      ['用户', '1,200', '1,199', '0', '1'],
      ['令牌', '30', '28', '2', '0'],
    ])
    expect(screen.getByText('ann → ann_3')).toBeTruthy()
    expect(screen.getByText(/200 个请求，有 198 个在这里价格相同/)).toBeTruthy()
    // Twenty-five rows of a reason are folded.
    expect(screen.queryByText('tokens 17')).toBe(null)
    await view.user.click(screen.getByRole('button', { name: /密钥不是 48 个字母或数字.*\(25\)/ }))
    expect(screen.getByText('另有 24 项，见报告')).toBeTruthy()

    await view.user.click(screen.getByRole('button', { name: '导入…' }))
    const asked = within(await screen.findByRole('alertdialog'))
    expect(asked.getByText('用户：新增 1,199，更新 0')).toBeTruthy()
    expect(asked.getByText('令牌：新增 28，更新 2')).toBeTruthy()
    await view.user.click(asked.getByRole('button', { name: '导入' }))
    const proof = within(await screen.findByRole('dialog'))
    plane.answer(imports.runAgain, aRun({ state: 'running', is_dry_run: false }))
    show(aRun({ state: 'running', is_dry_run: false }))
    fireEvent.change(await proof.findByLabelText('当前密码'), { target: { value: 'pw' } })
    await view.user.click(proof.getByRole('button', { name: '继续' }))

    expect(await screen.findByText('正在打开数据来源…')).toBeTruthy()
    expect(plane.to(imports.runAgain).at(-1)).toMatchObject({ path: `/api/import/${ID}/run`, body: { is_dry_run: false } })
  })

  it('reads the site again, whose name a run may have carried, once it has ended', async () => {
    show(aRun({ state: 'running', is_dry_run: false }))
    await open('/setting/import')
    expect(await screen.findByText('正在打开数据来源…')).toBeTruthy()
    const names = plane.to(statusCalls.get).length
    show(aRun({ is_dry_run: false }), aReport({ is_dry_run: false }))
    await waitFor(() => expect(plane.to(statusCalls.get).length).toBeGreaterThan(names))
  })

  it('leaves out the settings whose box was cleared', async () => {
    const change = (code: string, name: string, detail: string) => ({
      code,
      count: 1,
      items: [{ kind: 'options', at: `options ${name}`, code, detail }],
    })
    const changed = [change('setting-replaced', 'SystemName', 'Ours'), change('setting-kept', 'Footer', '')]
    show(aRun({ wishes: { ...aRun().wishes, keep: ['Footer'] } }), aReport({ changed }))
    plane.answer(imports.runAgain, aRun({ state: 'running' }))
    const view = await open('/setting/import')

    const box = (name: string) => screen.findByRole<HTMLInputElement>('checkbox', { name })
    expect([(await box('SystemName')).checked, (await box('Footer')).checked]).toEqual([true, false])
    expect(screen.getByText('当前值：Ours')).toBeTruthy()
    await view.user.click(await box('SystemName'))
    await view.user.click(await box('Footer'))
    await view.user.click(screen.getByRole('button', { name: '重新试运行' }))

    await waitFor(() => expect(plane.to(imports.runAgain).at(-1)).toMatchObject({ body: { is_dry_run: true, keep: ['SystemName'] } }))
  })

  it.each([
    ['failed', { state: 'failed', failure: '数据库拒绝了此用户名或密码' }, '数据库拒绝了此用户名或密码', '重新试运行'],
    ['was interrupted', { state: 'interrupted', is_dry_run: false }, '执行导入的进程已结束', '继续导入'],
    ['was stopped', { state: 'cancelled', is_dry_run: false }, '已导入的数据会保留', '继续导入'],
    ['failed and was no dry run', { state: 'failed', is_dry_run: false, failure: '无法连接' }, '无法连接', '再次运行'],
    ['was a dry run and stopped', { state: 'cancelled' }, '未写入任何数据。', '重新试运行'],
    ['lost its source', { state: 'failed', has_source: false, failure: '无法连接' }, '地址或文件已不再保存', '重新开始'],
  ] as const)('says what to do when a run %s', async (_what, change, text, button) => {
    show(aRun(change))
    await open('/setting/import')
    expect(await screen.findByText(new RegExp(text))).toBeTruthy()
    expect(screen.getByRole('button', { name: button })).toBeTruthy()
  })

  it('shows requests that differ only in their model once, with the models', async () => {
    const sample = {
      log: 'logs 1',
      model: 'gpt-4o',
      group: 'default',
      prompt_tokens: 20,
      cached_tokens: 0,
      completion_tokens: 10,
      charged: 80,
      formula: 80,
      here: 75,
    }
    const different = [
      sample,
      { ...sample, log: 'logs 2' },
      { ...sample, log: 'logs 3', model: 'gpt-4o-2024-11-20' },
      { ...sample, log: 'logs 4', charged: 81 },
    ]
    show(aRun({ state: 'finished' }), aReport({ samples: { compared: 200, equal: 196, different } }))
    await open('/setting/import')

    const prices = await screen.findByRole('region', { name: '价格' })
    const [table] = within(prices).getAllByRole('table')
    if (table === undefined) throw new Error('there is no table')
    const [, ...rows] = within(table).getAllByRole('row')
    expect(
      rows.map((row) =>
        within(row)
          .getAllByRole('cell')
          .map(({ textContent }) => textContent),
      ),
    ).toEqual([
      ['gpt-4o, gpt-4o-2024-11-20', '20', '0', '10', '$0.000160', '$0.000150'],
      ['gpt-4o', '20', '0', '10', '$0.000162', '$0.000150'],
    ])
  })

  it('shows sums as money of the source, and those that differ to the unit', async () => {
    const sums = [
      { name: 'users_quota', source: 2_500_000, target: 2_500_000 },
      { name: 'users_used', source: 1_000_000, target: 999_999 },
    ]
    show(aRun({ is_dry_run: false }), aReport({ is_dry_run: false, quota_per_unit: 1_000_000, sums }))
    await open('/setting/import')
    const rows = within(await screen.findByRole('group', { name: '合计' })).getAllByRole('row')
    expect(rows.slice(1).map((row) => [...row.children].map(({ textContent }) => textContent))).toEqual([
      ['用户余额', '$2.50', '$2.50'],
      ['用户已用', '$1.000000 = 1,000,000', '$0.999999 = 999,999'],
    ])
    expect(screen.getByText('部分数据未导入，见下文。')).toBeTruthy()
  })

  it('names the rows of a reason, and says states and amounts in words and money', async () => {
    const reason = (item: ImportItem) => ({ code: item.code, count: 1, items: [item] })
    const state = { kind: 'tokens', at: 'tokens 4', code: 'token-state', detail: '1 → 3', name: 'laptop' }
    const plan = {
      kind: 'subscriptions',
      at: 'user_subscriptions 1',
      code: 'subscription-as-balance',
      detail: 'Pro',
      name: 'Pro',
      quota: 750_000,
    }
    const broken = { kind: 'tokens', at: 'tokens 9', code: 'no-owner', detail: '' }
    show(aRun(), aReport({ decisions: [reason(state), reason(plan)], refused: [reason(broken)] }))
    await open('/setting/import')
    const decisions = within(await screen.findByRole('region', { name: '需要决定' }))
    expect(decisions.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'laptop tokens 4 已启用 → 已过期',
      'Pro user_subscriptions 1 $1.50',
    ])
    expect(within(screen.getByRole('region', { name: '未导入' })).getByRole('listitem').textContent).toBe('tokens 9')
  })

  it('stops a run after a question, and forgets one that has ended', async () => {
    show(aRun({ state: 'running', is_dry_run: false }))
    const view = await open('/setting/import')
    await view.user.click(await screen.findByRole('button', { name: '停止' }))
    await view.user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: '停止' }))
    expect(await screen.findByText('当前批次完成后停止。')).toBeTruthy()
    show(aRun({ state: 'cancelled', is_dry_run: false }))
    await view.user.click(await screen.findByRole('button', { name: '重新开始' }))
    show(null)
    await view.user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: '重新开始' }))
    expect(await screen.findByLabelText('数据库地址', { selector: 'input[type=password]' })).toBeTruthy()
    expect([plane.to(imports.cancel).length, plane.to(imports.forget).length]).toEqual([1, 1])
  })
})
