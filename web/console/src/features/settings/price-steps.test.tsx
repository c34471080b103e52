import { screen, within } from '@testing-library/react'
import { defaultText, optionKeys, optionOf } from '@tollgate/contracts/options/registry'
import { channels } from '@tollgate/contracts/resources/channels'
import { options } from '@tollgate/contracts/resources/options'
import { prices as contract, PRICE_OPTIONS } from '@tollgate/contracts/resources/prices'
import { beforeEach, describe, expect, it } from 'vitest'
import { session } from '../../lib/session.ts'
import { aStoredUser } from '../../testing/factories.ts'
import { planeForTests } from '../../testing/plane.ts'
import { open } from '../../testing/render.tsx'

const plane = planeForTests()
const PRICES: ReadonlySet<string> = new Set(PRICE_OPTIONS)
const STORED: Readonly<Record<string, string>> = {
  ModelRatio: '{"chat":1.25,"other":1}',
  CompletionRatio: '{"chat":4}',
  CacheRatio: '{"chat":0.1}',
  PriceCards: '{"chat":[{"above":1000,"model_ratio":2.5,"cache_creation_ratio":1.25}],"other":[{"above":5,"model_ratio":2}]}',
}

beforeEach(() => {
  session.start(aStoredUser({ role: 100 }))
  const rows = optionKeys.filter((key) => !optionOf(key).isSecret)
  plane.answer(
    options.list,
    rows.map((key) => ({ key, value: STORED[key] ?? (PRICES.has(key) ? '{}' : defaultText(key)) })),
  )
  plane.answer(options.notes, [])
  plane.answer(contract.changes, [])
  plane.answer(options.update, undefined)
  plane.answer(channels.enabledModels, ['chat'])
})

const prices = async () => within(await screen.findByRole('form', { name: '模型价格' }))

async function openChat() {
  const view = await open('/setting?keyword=ModelRatio')
  await view.user.click((await prices()).getByRole('tab', { name: '可视化倍率设置' }))
  await view.user.click(await (await prices()).findByRole('button', { name: '编辑 chat 的价格' }))
  const drawer = within(await screen.findByRole('dialog', { name: '编辑 chat 的价格' }))
  const step = (number: number) => within(drawer.getByRole('group', { name: `第 ${number} 档` }))
  const save = () => view.user.click(drawer.getByRole('button', { name: '保存' }))
  return { user: view.user, drawer, step, save }
}

async function sent({ user }: Awaited<ReturnType<typeof openChat>>): Promise<unknown> {
  await user.click((await prices()).getByRole('button', { name: /^保存 \d 项改动$/ }))
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: '保存' }))
  await screen.findByText('保存成功')
  const body = plane.to(options.update)[0]?.body as { value: string } // an option
  return JSON.parse(body.value)
}

describe('the price steps of a model', () => {
  it('say in a sentence what each costs, and are counted in the table', async () => {
    const view = await openChat()

    expect(view.step(1).getByText('输入超过 1,000 个 token：整个请求按输入 $5、输出 $20、缓存 $0.5（每 1M token）计价。')).toBeTruthy()
    expect(view.step(1).getByText('cache_creation_ratio 1.25')).toBeTruthy()
    expect(screen.getAllByText('1 档阶梯价格')).toHaveLength(2)
  })

  it('are not lost without a question', async () => {
    const { user, drawer } = await openChat()
    await user.click(drawer.getByRole('button', { name: '添加一档' }))
    await user.click(drawer.getByRole('button', { name: '取消' }))
    expect(await screen.findByRole('alertdialog')).toBeTruthy()
  })

  it('are added in ratios and in dollars; those of other models and other ratios stay', async () => {
    const view = await openChat()
    const { user, drawer, step } = view
    await user.click(drawer.getByRole('button', { name: '添加一档' }))
    expect(document.activeElement).toBe(step(2).getByLabelText('输入超过（token）'))
    await user.keyboard('500')
    await user.selectOptions(drawer.getByLabelText('定价方式', { selector: 'select' }), '按 token 价格设置')
    await user.type(step(2).getByLabelText('输入 $/1M'), '3')
    await user.type(step(2).getByLabelText('输出 $/1M'), '15')
    expect(step(2).getByLabelText<HTMLInputElement>('缓存 $/1M').placeholder).toBe('默认 0.3')
    expect(
      step(2).getByText('输入超过 500、不超过 1,000 个 token：整个请求按输入 $3、输出 $15、缓存 $0.3（每 1M token）计价。'),
    ).toBeTruthy()
    await view.save()

    expect(await sent(view)).toEqual({
      chat: [
        { above: 500, model_ratio: 1.5, completion_ratio: 5 },
        { above: 1000, model_ratio: 2.5, cache_creation_ratio: 1.25 },
      ],
      other: [{ above: 5, model_ratio: 2 }],
    })
  })

  it('say at the box what is wrong, and go to the first of them', async () => {
    const { user, drawer, step, save } = await openChat()
    await user.click(drawer.getByRole('button', { name: '添加一档' }))
    await user.keyboard('1000')
    await user.type(step(2).getByLabelText('缓存倍率'), 'x')
    await save()

    expect(await step(2).findByText('已有相同的 token 数')).toBeTruthy()
    expect(step(2).getByText('请输入价格或倍率')).toBeTruthy()
    expect(step(2).getByText('请输入数字')).toBeTruthy()
    expect(document.activeElement?.getAttribute('aria-invalid')).toBe('true')
    await user.clear(step(2).getByLabelText('输入超过（token）'))
    expect(step(2).getByText('请输入大于 0 的整数')).toBeTruthy()
  })

  it('are removed, one or all with a price per call', async () => {
    const view = await openChat()
    await view.user.click(view.step(1).getByRole('button', { name: '删除第 1 档' }))
    expect(document.activeElement).toBe(view.drawer.getByRole('button', { name: '添加一档' }))
    await view.save()

    expect(await sent(view)).toEqual({ other: [{ above: 5, model_ratio: 2 }] })
  })

  it('are not offered where a model has a price per call', async () => {
    const { user, drawer } = await openChat()
    await user.selectOptions(drawer.getByLabelText('计费方式', { selector: 'select' }), '按次计费')

    expect(drawer.queryByRole('button', { name: '添加一档' })).toBeNull()
  })
})
