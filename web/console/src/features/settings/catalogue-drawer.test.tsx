import { screen, within } from '@testing-library/react'
import { defaultText, optionKeys, optionOf } from '@tollgate/contracts/options/registry'
import { channels } from '@tollgate/contracts/resources/channels'
import { options } from '@tollgate/contracts/resources/options'
import { prices as contract, PRICE_OPTIONS, type CatalogueRow, type CatalogueView } from '@tollgate/contracts/resources/prices'
import { beforeEach, describe, expect, it } from 'vitest'
import { session } from '../../lib/session.ts'
import { aStoredUser } from '../../testing/factories.ts'
import { planeForTests } from '../../testing/plane.ts'
import { open } from '../../testing/render.tsx'

const plane = planeForTests()
/** Empty unless a test stores them: their defaults are long. */
const PRICES: ReadonlySet<string> = new Set(PRICE_OPTIONS)
const STORED: Readonly<Record<string, string>> = {
  ModelPrice: '{}',
  ModelRatio: '{"old":1,"right":2}',
  CompletionRatio: '{"old":3,"right":4}',
  CacheRatio: '{}',
  CreateCacheRatio: '{}',
  PriceCards: '{"old":[{"above":1000,"model_ratio":9}]}',
  TierRatio: '{"old":{"batch":0.5}}',
}

const aRow = (name: string, over: Partial<CatalogueRow>): CatalogueRow => ({
  name,
  maker: 'Maker',
  mode: 'chat',
  lines: { input: '4', output: '20' },
  entries: { ModelRatio: 2, CompletionRatio: 5 },
  coming: [],
  sources: ['litellm'],
  is_served: true,
  ...over,
})

const VIEW: CatalogueView = {
  source: 'built-in',
  date: '2026-11-27',
  rows: [
    aRow('old', {
      coming: [
        {
          from: '2099-12-01',
          lines: { input: '8', output: '40' },
          entries: { ModelRatio: 4, CompletionRatio: 5, TierRatio: { flex: 0.5 } },
        },
      ],
    }),
    aRow('right', { entries: { ModelRatio: 2, CompletionRatio: 4 } }),
    aRow('fresh', { retires: '2099-01-31', successor: 'fresher' }),
    aRow('elsewhere', { is_served: false }),
  ],
  suspect_prices: [],
  unknown: ['mine'],
}

beforeEach(() => {
  session.start(aStoredUser({ role: 100 }))
  const keys = optionKeys.filter((key) => !optionOf(key).isSecret)
  plane.answer(
    options.list,
    keys.map((key) => ({ key, value: STORED[key] ?? (PRICES.has(key) ? '{}' : defaultText(key)) })),
  )
  plane.answer(options.notes, [])
  plane.answer(options.update, undefined)
  plane.answer(channels.enabledModels, ['old', 'right', 'fresh', 'mine'])
  plane.answer(contract.changes, [])
  plane.answer(contract.catalogue, VIEW)
})

async function openCatalogue() {
  const view = await open('/setting?keyword=ModelRatio')
  const form = within(await screen.findByRole('form', { name: '模型价格' }))
  await view.user.click(form.getByRole('button', { name: '价格目录' }))
  const drawer = within(await screen.findByRole('dialog', { name: '价格目录' }))
  await drawer.findByText('共 4 个模型，截至 2026-11-27')
  return { view, form, drawer }
}

describe('the daily comparison', () => {
  it('says that it is off, as set-up leaves it', async () => {
    const { drawer } = await openCatalogue()
    expect(drawer.getByText(/价格不会自动跟随价格目录/)).toBeTruthy()
  })

  const turnOn = () => {
    const keys = optionKeys.filter((key) => !optionOf(key).isSecret)
    const stored: Record<string, string> = { ...STORED, PriceRefreshEnabled: 'true' }
    plane.answer(
      options.list,
      keys.map((key) => ({ key, value: stored[key] ?? (PRICES.has(key) ? '{}' : defaultText(key)) })),
    )
  }

  it.each([
    ['dns', '无法读取 https://prices.example/all.json 的目录：域名无法解析。没有改动任何价格。'],
    ['HTTP 503', '无法读取 https://prices.example/all.json 的目录：HTTP 503。没有改动任何价格。'],
    ['CompletionRatio', '新价格被拒绝：采用后选项“模型补全倍率”会无效。没有改动任何价格。'],
  ])('says why it changed no price: %s', async (message, text) => {
    turnOn()
    const source = 'https://prices.example/all.json'
    plane.answer(contract.refresh, { checked_at: 1_795_000_000, source, date: '', applied: [], waiting: [], message })
    const { drawer } = await openCatalogue()

    expect(await drawer.findByText(text)).toBeTruthy()
  })

  it('shows what it took and what waits for a person, and puts back on confirmation', async () => {
    turnOn()
    plane.answer(contract.refresh, {
      checked_at: 1_795_000_000,
      source: 'built-in',
      date: '2026-11-20',
      applied: ['right'],
      waiting: [
        {
          model: 'old',
          reason: 'one-source',
          before: { input: 2, output: 6 },
          after: { input: 20, output: 60 },
          others: ['CacheRatio', 'PriceHours'],
        },
      ],
      message: '',
    })
    plane.answer(contract.putBack, {
      id: 3,
      state: 'waiting',
      at: 1,
      patch: {},
      created_by: 'root',
      created_at: 1,
      finished_at: 0,
      price_version: 0,
      message: '',
    })
    const { view, drawer } = await openCatalogue()

    expect(await drawer.findByText('采用了 1 个模型的价格：right')).toBeTruthy()
    const waiting = drawer.getByText(/\$2 \/ \$6 → \$20 \/ \$60/).textContent
    for (const text of ['仅一个来源', '缓存倍率', '分时价格']) expect(waiting).toContain(text)
    await view.user.click(drawer.getByRole('button', { name: '恢复' }))
    await view.user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: '恢复' }))
    await screen.findByText('之前的价格将在数秒内生效')
    expect(plane.to(contract.putBack).map(({ body }) => body)).toEqual([{ at: 1_795_000_000, cause: 'catalogue', by_name: '' }])
  })
})

describe('the price catalogue', () => {
  it('shows served models, ticks those without a price, and says what it does not have', async () => {
    const { view, drawer } = await openCatalogue()

    expect(drawer.getByRole<HTMLInputElement>('checkbox', { name: 'fresh' }).checked).toBe(true)
    expect(drawer.getByRole<HTMLInputElement>('checkbox', { name: 'old' }).checked).toBe(false)
    expect(drawer.queryByRole('checkbox', { name: 'right' })).toBeNull()
    expect(drawer.getByText('2099-01-31 停用')).toBeTruthy()
    expect(drawer.getByText(/^1 个在用模型不在目录中：mine/)).toBeTruthy()
    expect(drawer.getByText(/还会修改：价格分段|还会修改：.*服务等级倍率/)).toBeTruthy()
    expect(drawer.queryByText('elsewhere')).toBeNull()

    await view.user.click(drawer.getByRole('checkbox', { name: '只看已启用渠道的模型' }))
    expect(await drawer.findByText('elsewhere')).toBeTruthy()
  })

  it('fills the ticked prices in whole, without the bands and tiers of earlier ones, and saves them like typed ones', async () => {
    const { view, form, drawer } = await openCatalogue()
    await view.user.click(drawer.getByRole('checkbox', { name: 'old' }))
    await view.user.click(drawer.getByRole('button', { name: '填入 2 个模型的价格' }))
    await view.user.click(form.getByRole('button', { name: /^保存 \d 项改动$/ }))
    await view.user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: '保存' }))
    await screen.findByText('保存成功')

    const sent = plane.to(options.update).map(({ body }) => body as { key: string; value: string })
    expect(Object.fromEntries(sent.map(({ key, value }) => [key, JSON.parse(value) as unknown]))).toEqual({
      ModelRatio: { old: 2, right: 2, fresh: 2 },
      CompletionRatio: { old: 5, right: 4, fresh: 5 },
      PriceCards: {},
      TierRatio: {},
    })
  })

  it('schedules a price that is known to come, and keeps what it does not state', async () => {
    plane.answer(contract.changes, [])
    plane.answer(contract.schedule, {
      id: 1,
      state: 'waiting',
      at: 4_099_766_400,
      patch: {},
      created_by: 'root',
      created_at: 1,
      finished_at: 0,
      price_version: 0,
      message: '',
    })
    const { view, drawer } = await openCatalogue()
    expect(drawer.getByText('2099-12-01（UTC）起：输入 $8，输出 $40')).toBeTruthy()
    await view.user.click(drawer.getByRole('button', { name: '定时生效' }))
    await drawer.findByRole('button', { name: '已定时' })

    const body = plane.to(contract.schedule)[0]?.body as { at: number; prices: Record<string, string> }
    expect(body.at).toBe(Date.UTC(2099, 11, 1) / 1000)
    expect(JSON.parse(body.prices['ModelRatio'] ?? '')).toEqual({ old: 4, right: 2 })
    expect(JSON.parse(body.prices['TierRatio'] ?? '')).toEqual({ old: { batch: 0.5, flex: 0.5 } })
  })

  it('reads a catalogue at an address, and says what looks wrong in it', async () => {
    plane.answer(contract.readCatalogue, {
      ...VIEW,
      source: 'https://prices.example/file.json',
      date: '',
      rows: [aRow('from-outside', {})],
      suspect_prices: [{ model: 'odd', question: 'output 1 is below input 5' }],
    })
    const { view, drawer } = await openCatalogue()
    await view.user.click(drawer.getByRole('button', { name: '从地址读取' }))
    await view.user.type(await drawer.findByRole('textbox', { name: '地址' }), 'https://prices.example/file.json')
    await view.user.click(drawer.getByRole('button', { name: '读取' }))

    expect(await drawer.findByRole('checkbox', { name: 'from-outside' })).toBeTruthy()
    expect(drawer.getByText('1 个价格存疑，未列入')).toBeTruthy()
    expect(plane.to(contract.readCatalogue)[0]?.body).toEqual({ address: 'https://prices.example/file.json' })
  })

  it('says that it could not be loaded, and loads it again', async () => {
    plane.refuse(contract.catalogue, '服务器错误')
    const view = await open('/setting?keyword=ModelRatio')
    await view.user.click(within(await screen.findByRole('form', { name: '模型价格' })).getByRole('button', { name: '价格目录' }))
    const drawer = within(await screen.findByRole('dialog', { name: '价格目录' }))
    expect(await drawer.findByText('无法加载价格目录')).toBeTruthy()
  })
})
