import { screen, within } from '@testing-library/react'
import { health, type SystemHealth } from '@tollgate/contracts/resources/health'
import { ledger, type LedgerReport } from '@tollgate/contracts/resources/ledger'
import { beforeEach, describe, expect, it } from 'vitest'
import { session } from '../../lib/session.ts'
import { aStoredUser } from '../../testing/factories.ts'
import { planeForTests } from '../../testing/plane.ts'
import { open } from '../../testing/render.tsx'

const plane = planeForTests()
const NOW = 1_790_000_000

const state: SystemHealth = {
  read_at: NOW,
  problems: [
    { code: 'posting-late', level: 'bad', values: { seconds: 75, events: 1200 } },
    { code: 'jobs-failed', level: 'warning', values: { queue: 'mail', count: 1 } },
  ],
  services: [
    {
      id: 'a',
      service: 'relay',
      version: '1.2.0',
      host: 'one',
      pid: 77,
      started_at: NOW - 100,
      memory_bytes: 150 * 1024 * 1024,
      disk_free_bytes: 2 ** 30,
      disk_total_bytes: 2 ** 32,
      seen_at: NOW - 60,
      is_running: false,
    },
  ],
  postgres: null,
  redis: null,
  ledger: {
    is_open: true,
    closed_shards: 0,
    lag_events: 1200,
    lag_seconds: 75,
    suspect_shards: 0,
    open_holds: 3,
    unsynced: 0,
    last_check: { started_at: NOW - 500, differences: 2, is_sound: false },
  },
  queues: [{ queue: 'mail', waiting: 4, active: 1, delayed: 0, failed: 1 }],
  partitions: [{ table: 'logs', partitions: 4, first: 'logs_202601', last: 'logs_202604', size_bytes: 1536, rows: 10, has_strays: true }],
  failing: [],
  breakers: [{ channel_id: 9, channel_name: 'first', model: '*', state: 'open', cause: 'dead', remaining_ms: 61_000 }],
  unpriced: [],
  sold: { without_output: [], retiring: [] },
  unexpected_answers: [],
  notices: { unreached: [], by_mail: 1, can_mail: true },
}

const aRedis = {
  version: '8.2.1',
  started_at: NOW - 100,
  answer_ms: 1,
  memory_bytes: 1024,
  max_memory_bytes: 0,
  eviction: 'noeviction',
  evicted_keys: 0,
  clients: 3,
  commands_per_second: 5,
  is_durable: true,
  has_write_error: false,
}

const job = { id: '5', name: 'send-mails', payload: '{"id":1}', reason: 'no mail server', attempts: 3, failed_at: NOW }

const report: LedgerReport = {
  id: 1,
  source: 'job',
  started_at: NOW,
  duration_ms: 1200,
  differences: 2,
  sample_one_in: 4,
  is_sound: false,
  skipped: '',
  checks: [
    { check: 'users: spent = Σ rollup', compared: 9, looked: 9, differences: 2, first: ['user 7: 1 against 2'] },
    { check: 'channels: used = Σ rollup', compared: 4, looked: 4, differences: 0, first: [] },
  ],
  facts: { unposted: 0, uncharged_tasks: 3 },
  repairs: [
    {
      shard: 5,
      created_at: NOW,
      reason: 'Redis came back older',
      redis_n: 7,
      posted_n: 9,
      restored_n: 9,
      missing: 1,
      resent: 2,
      lost: 3,
    },
  ],
}

beforeEach(() => {
  session.start(aStoredUser({ role: 100 }))
  plane.answer(health.get, state)
})

describe('the health page', () => {
  it('names the problems first, and shows every part, also one that could not be read', async () => {
    await open('/health')

    const problems = within(await screen.findByRole('region', { name: '需要处理的问题' }))
    expect(problems.getByText('入账延迟 75 秒，1200 条用量未写入')).toBeTruthy()
    expect(problems.getByText('队列 mail 有 1 个失败的任务')).toBeTruthy()
    expect(screen.getByText('已消失')).toBeTruthy()
    expect(screen.getByText('1 GB / 4 GB')).toBeTruthy()
    expect(screen.getByText('2 处差异')).toBeTruthy()
    expect(screen.getAllByText('暂时无法读取')).toHaveLength(2)
    expect(screen.getByRole('link', { name: '#9 first' }).getAttribute('href')).toBe('/channel/edit/9')
    expect(screen.getByText('打开 · 密钥失效')).toBeTruthy()
    expect(screen.getByText('有数据')).toBeTruthy()
  })

  it('counts a channel once that several breakers pause', async () => {
    const paused = { channel_id: 9, channel_name: 'first', state: 'open', remaining_ms: 61_000 } as const
    const breakers = [
      { ...paused, model: 'a' },
      { ...paused, model: 'b' },
      { ...paused, channel_id: 10, channel_name: 'second', state: 'half-open' as const, model: 'a' },
    ]
    plane.answer(health.get, { ...state, breakers })

    await open('/health')

    expect((await screen.findByText('被熔断的渠道')).parentElement?.textContent).toBe('被熔断的渠道1')
  })

  it('leads root to where a problem is solved', async () => {
    const problems = [
      { code: 'roots-unreached', level: 'warning', values: { count: 1, users: 'root' } },
      { code: 'mail-unset', level: 'warning', values: {} },
      { code: 'output-unpriced', level: 'warning', values: { count: 1, models: 'm' } },
    ] as const
    plane.answer(health.get, { ...state, problems: [...problems] })

    await open('/health')

    expect(await screen.findByText('没有通知地址的超级管理员：1（root）')).toBeTruthy()
    const target = (name: string) => screen.getByRole('link', { name }).getAttribute('href')
    expect(target('打开我的通知设置')).toBe('/personal')
    expect(target('打开 SMTP 设置')).toBe('/setting?keyword=SMTPServer')
    expect(target('从价格目录中采用')).toBe('/setting?keyword=ModelRatio&tool=catalogue')
  })

  it('leads every administrator to the channels that fail, and only root to settings', async () => {
    session.start(aStoredUser({ role: 10 }))
    const problems = [
      { code: 'channels-failing', level: 'warning', values: { count: 1, channels: '#9 first' } },
      { code: 'mail-unset', level: 'warning', values: {} },
    ] as const
    plane.answer(health.get, { ...state, problems: [...problems] })

    await open('/health')

    expect((await screen.findByRole('link', { name: '打开正在失败的渠道' })).getAttribute('href')).toBe('/channel?state=failing')
    expect(screen.queryByRole('link', { name: '打开 SMTP 设置' })).toBe(null)
  })

  it('shows the Redis of the ledger, if it has one of its own', async () => {
    const problems = [{ code: 'ledger-redis-not-durable', level: 'warning', values: {} } as const]
    plane.answer(health.get, { ...state, problems, redis: aRedis, ledger_redis: { ...aRedis, version: '9.1.2', is_durable: false } })

    await open('/health')

    expect(await screen.findByText('账本的 Redis 没有开启 AOF')).toBeTruthy()
    expect(screen.getByText('会话、队列和配置')).toBeTruthy()
    const ledger = within(screen.getByRole('region', { name: '账本的 Redis' }))
    expect(ledger.getByText('余额、预留和限流')).toBeTruthy()
    expect(ledger.getByText('9.1.2')).toBeTruthy()
  })

  it('shows log rows that wait for ClickHouse, and says what that means', async () => {
    const problems = [{ code: 'log-store-late', level: 'bad', values: { rows: 1200, seconds: 90 } } as const]
    const sizes = { size_bytes: 1, connections: 1, max_connections: 9, waiting: 0, oldest_transaction_s: 0 }
    const postgres = { version: '18', started_at: 1, answer_ms: 1, ...sizes }
    plane.answer(health.get, { ...state, postgres, problems, log_store: { waiting_rows: 1200, waiting_s: 90 } })

    await open('/health')

    expect(await screen.findByText('1200 行日志等待写入 ClickHouse，已等待 90 秒')).toBeTruthy()
    expect(within(screen.getByRole('region', { name: 'Postgres' })).getByText(/^1,200 行，已等待/)).toBeTruthy()
  })

  it('shows the masters of the cluster that holds the ledger, and the one that is away', async () => {
    const problems = [{ code: 'master-away', level: 'bad', values: { address: '10.0.0.2:6379' } } as const]
    const ledger_masters = [
      { address: '10.0.0.1:6379', shards: 43, closed_shards: 0, redis: aRedis },
      { address: '10.0.0.2:6379', shards: 21, closed_shards: 21, redis: null },
    ]
    plane.answer(health.get, { ...state, problems, redis: aRedis, ledger_masters })

    await open('/health')

    expect(await screen.findByText('Redis 主节点 10.0.0.2:6379 没有响应')).toBeTruthy()
    const masters = within(screen.getByRole('region', { name: '账本的 Redis 集群' }))
    expect(masters.getByRole('row', { name: /10\.0\.0\.1:6379.*已打开.*43/ })).toBeTruthy()
    expect(masters.getByRole('row', { name: /10\.0\.0\.2:6379.*没有响应.*21/ })).toBeTruthy()
    expect(screen.getByText('会话、队列和配置')).toBeTruthy()
  })

  it('retries a failed job, and removes one only after a question', async () => {
    plane.answer(health.failedJobs, [job])
    plane.answer(health.retryJob, undefined)
    plane.answer(health.removeJob, undefined)
    const view = await open('/health')
    await view.user.click(await screen.findByRole('button', { name: '查看 1 个' }))
    const card = within(await screen.findByRole('article', { name: 'send-mails 5' }))
    expect(card.getByText('no mail server')).toBeTruthy()

    await view.user.click(card.getByRole('button', { name: '重试' }))
    expect(await screen.findByText('任务已重新加入队列')).toBeTruthy()
    await view.user.click(card.getByRole('button', { name: '移除' }))
    expect(plane.to(health.removeJob)).toHaveLength(0)
    await view.user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: '移除' }))

    expect(await screen.findByText('任务已移除')).toBeTruthy()
    expect(plane.to(health.retryJob).map(({ body }) => body)).toEqual([{ queue: 'mail', id: '5' }])
    expect(plane.to(health.removeJob).map(({ body }) => body)).toEqual([{ queue: 'mail', id: '5' }])
  })

  it('shows root the report of the last check: differences with their ids, every check, what is no difference, and repaired shards', async () => {
    plane.answer(ledger.report, report)
    const view = await open('/health')
    await view.user.click(await screen.findByRole('button', { name: '查看报告' }))

    const drawer = within(await screen.findByRole('dialog', { name: '上次账本核对' }))
    const differing = within(await drawer.findByRole('article', { name: 'users: spent = Σ rollup' }))
    expect(differing.getByText('user 7: 1 against 2')).toBeTruthy()
    expect(differing.getByText('……还有 1 处')).toBeTruthy()
    expect(drawer.getByText('每 4 条抽 1 条')).toBeTruthy()
    expect(drawer.getByText('channels: used = Σ rollup')).toBeTruthy()
    expect(within(drawer.getByText('用量事件已丢失的任务').parentElement ?? document.body).getByText('3')).toBeTruthy()
    const repairs = within(drawer.getByRole('group', { name: '修复过的分片，最新的在前' }))
    expect(repairs.getByText('Redis came back older')).toBeTruthy()
    expect(repairs.getByRole('row', { name: /5.*2.*4/ })).toBeTruthy()
  })

  it('says that there is no report before the first check', async () => {
    plane.answer(ledger.report, null)
    const view = await open('/health')
    await view.user.click(await screen.findByRole('button', { name: '查看报告' }))

    expect(await within(await screen.findByRole('dialog')).findByText('尚未核对')).toBeTruthy()
  })

  it('starts a check of the ledger for root, and offers administrators neither checks nor jobs', async () => {
    plane.answer(ledger.verify, undefined)
    const view = await open('/health')
    await view.user.click(await screen.findByRole('button', { name: '立即核对' }))
    expect(await screen.findByText('已开始核对，完成后显示在这里')).toBeTruthy()
    view.unmount()

    session.start(aStoredUser({ role: 10 }))
    await open('/health')
    expect(await screen.findByRole('region', { name: '需要处理的问题' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: '立即核对' })).toBeNull()
    expect(screen.queryByRole('button', { name: '查看 1 个' })).toBeNull()
  })
})
