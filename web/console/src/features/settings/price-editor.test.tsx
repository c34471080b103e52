import { screen, waitFor, within } from '@testing-library/react'
import { defaultText, optionKeys, optionOf } from '@tollgate/contracts/options/registry'
import { channels } from '@tollgate/contracts/resources/channels'
import { options } from '@tollgate/contracts/resources/options'
import { prices as contract, PRICE_OPTIONS, type PriceChange, type PriceReplay } from '@tollgate/contracts/resources/prices'
import { beforeEach, describe, expect, it } from 'vitest'
import { session } from '../../lib/session.ts'
import { aStoredUser } from '../../testing/factories.ts'
import { planeForTests } from '../../testing/plane.ts'
import { open } from '../../testing/render.tsx'

const plane = planeForTests()
/** Empty unless a test stores them: their defaults are long. */
const PRICES: ReadonlySet<string> = new Set(PRICE_OPTIONS)
const STORED: Readonly<Record<string, string>> = {
  ModelPrice: '{"draw":0.04}',
  ModelRatio: '{"chat":1.25}',
  CompletionRatio: '{"chat":4}',
  PriceCards: '{"chat":[{"above":1000,"model_ratio":2.5}]}',
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
  plane.answer(channels.enabledModels, ['chat', 'new-a', 'new-b'])
})

const prices = async () => within(await screen.findByRole('form', { name: '模型价格' }))

async function save(view: Awaited<ReturnType<typeof open>>): Promise<unknown[]> {
  await view.user.click((await prices()).getByRole('button', { name: /^保存 \d 项改动$/ }))
  await view.user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: '保存' }))
  await screen.findByText('保存成功')
  return plane.to(options.update).map(({ body }) => body)
}

it('is in the operation tab, with a tab for the options, one for the table and one for models without a price', async () => {
  await open('/setting?tab=operation')
  const section = await prices()

  expect(section.getAllByRole('tab').map(({ dataset, textContent }) => [dataset['value'], textContent])).toEqual([
    ['model', '模型倍率设置'],
    ['visual', '可视化倍率设置'],
    ['unset_models', '未设置倍率模型'],
  ])
  expect(within(section.getByRole('tabpanel', { name: '模型倍率设置' })).getByText('ModelRatio')).toBeTruthy()
})

describe('a save of prices', () => {
  const refuseRatio = () => plane.refuseIf(options.update, '无法保存', ({ body }) => JSON.stringify(body).includes('"key":"ModelRatio"'))
  it.each([
    ['one option got no answer', ['chat 的模型倍率'], () => plane.silence(options.update), '保存失败'],
    ['one option was refused', ['chat 的模型倍率'], () => plane.refuse(options.update, '无法保存'), '保存失败，请重试'],
    ['several got no answer', ['chat 的模型倍率', 'chat 的补全倍率'], () => plane.silence(options.update), '部分保存失败，请重试'],
    ['one of several was refused', ['chat 的模型倍率', 'chat 的补全倍率'], refuseRatio, '部分保存失败，请重试'],
  ])('says so when %s', async (_what, boxes, arrange, text) => {
    const view = await open('/setting?keyword=ModelRatio')
    await view.user.click((await prices()).getByRole('tab', { name: '可视化倍率设置' }))
    for (const box of boxes) await view.user.type(await (await prices()).findByLabelText(box), '5{Enter}')
    arrange()
    await view.user.click((await prices()).getByRole('button', { name: `保存 ${boxes.length} 项改动` }))
    await view.user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: '保存' }))

    expect(await screen.findByText(text)).toBeTruthy()
    expect(screen.queryByText('保存成功')).toBeNull()
  })
})

describe('models without a price', () => {
  it('keep their row until their ratio is saved, so that the completion ratio can be typed after it', async () => {
    const view = await open('/setting?keyword=ModelRatio')
    await view.user.click((await prices()).getByRole('tab', { name: '未设置倍率模型' }))
    const ratio = await (await prices()).findByLabelText('new-a 的模型倍率')
    const completion = async () => (await prices()).getByLabelText<HTMLInputElement>('new-a 的补全倍率')
    expect((await completion()).placeholder).toBe('–')
    await view.user.type(ratio, '2{Tab}')
    expect((await completion()).placeholder).toBe('1')
    await view.user.type(await completion(), '4{Tab}')

    const sent = await save(view)
    expect(sent.map((body) => JSON.parse((body as { value: string }).value))).toEqual([
      { chat: 1.25, 'new-a': 2 },
      { chat: 4, 'new-a': 4 },
    ])
  })
})

describe('the view that is open', () => {
  const openTab = async (section: string): Promise<string | null> =>
    within(await screen.findByRole('form', { name: section })).getByRole('tab', { selected: true }).textContent

  it('stays open after a save: of models without a price', async () => {
    const view = await open('/setting?keyword=ModelRatio')
    await view.user.click((await prices()).getByRole('tab', { name: '未设置倍率模型' }))
    await view.user.type(await (await prices()).findByLabelText('new-a 的模型倍率'), '2{Tab}')
    await save(view)

    expect(await openTab('模型价格')).toBe('未设置倍率模型')
  })

  it('stays open after a save: of groups as JSON', async () => {
    const view = await open('/setting?tab=operation')
    const groups = within(await screen.findByRole('form', { name: '分组设置' }))
    await view.user.click(groups.getByRole('tab', { name: '全部设置（JSON）' }))
    const box = groups.getByRole<HTMLTextAreaElement>('textbox', { name: '分组内的模型倍率' })
    await view.user.clear(box)
    await view.user.click(box)
    await view.user.paste('{"vip":{"chat":0.5}}')
    await view.user.click(groups.getByRole('button', { name: /^保存 \d 项改动$/ }))
    await view.user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: '保存' }))
    await screen.findByText('保存成功')

    expect(await openTab('分组设置')).toBe('全部设置（JSON）')
  })
})

describe('the ratio of one group', () => {
  it('is one change to save, where the options are stored as compact JSON in another order', async () => {
    const stored: Readonly<Record<string, string>> = {
      ...STORED,
      GroupRatio: '{"default":1,"vip":0.5}',
      UserUsableGroups: '{"vip":"VIP","default":"Default"}',
    }
    plane.answer(
      options.list,
      optionKeys.filter((key) => !optionOf(key).isSecret).map((key) => ({ key, value: stored[key] ?? defaultText(key) })),
    )
    const view = await open('/setting?tab=operation')
    const groups = within(await screen.findByRole('form', { name: '分组设置' }))
    const box = groups.getAllByRole('textbox', { name: /倍率/ })[0] as HTMLInputElement
    await view.user.clear(box)
    await view.user.type(box, '3')
    await view.user.tab()

    expect(await groups.findByRole('button', { name: '保存 1 项改动' })).toBeTruthy()
  })
})

describe('the table of prices', () => {
  it('closes the ratios of a model with a fixed price, and saves the price alone', async () => {
    const view = await open('/setting?keyword=ModelRatio')
    await view.user.click((await prices()).getByRole('tab', { name: '可视化倍率设置' }))
    const section = await prices()
    expect((await section.findByLabelText<HTMLInputElement>('draw 的模型倍率')).disabled).toBe(true)
    expect(section.getByText('$2.5')).toBeTruthy()
    expect(section.getByText('$10')).toBeTruthy()

    await view.user.type(section.getByLabelText('chat 的固定价格（$/次）'), '0{Enter}')
    expect(await screen.findByText('模型价格不能为0')).toBeTruthy()
    await view.user.type(section.getByLabelText('chat 的固定价格（$/次）'), 'x{Enter}')
    expect(await screen.findByText('请输入数字')).toBeTruthy()
    await view.user.type(section.getByLabelText('chat 的固定价格（$/次）'), '0.5{Enter}')

    const sent = await save(view)
    expect(sent).toHaveLength(4)
    expect(sent).toContainEqual({ key: 'PriceCards', value: '{}', was: STORED['PriceCards'] })
    expect(sent).toContainEqual({ key: 'ModelRatio', value: '{}', was: STORED['ModelRatio'] })
    expect(sent).toContainEqual({ key: 'CompletionRatio', value: '{}', was: STORED['CompletionRatio'] })
  })

  it('shows ten models a page, and ten without a price', async () => {
    const many = Array.from({ length: 12 }, (_, at) => `many-${at}`)
    const stored = { ...STORED, ModelPrice: '{}', ModelRatio: JSON.stringify(Object.fromEntries(many.map((name) => [name, 1]))) }
    const known: Readonly<Record<string, string>> = stored
    plane.answer(
      options.list,
      optionKeys.filter((key) => !optionOf(key).isSecret).map((key) => ({ key, value: known[key] ?? defaultText(key) })),
    )
    plane.answer(
      channels.enabledModels,
      many.map((name) => `un${name}`),
    )
    const view = await open('/setting?keyword=ModelRatio')
    const rowCount = async (): Promise<number> => within(await (await prices()).findByRole('table')).getAllByRole('row').length - 1

    await view.user.click((await prices()).getByRole('tab', { name: '可视化倍率设置' }))
    expect(await rowCount()).toBe(10)
    await view.user.click((await prices()).getByRole('tab', { name: '未设置倍率模型' }))
    expect(await rowCount()).toBe(10)
  })

  it('takes a model by its token price, and refuses a name that exists', async () => {
    const view = await open('/setting?keyword=ModelRatio')
    await view.user.click((await prices()).getByRole('tab', { name: '可视化倍率设置' }))
    await view.user.click((await prices()).getByRole('button', { name: '添加模型' }))
    const drawer = within(await screen.findByRole('dialog', { name: '添加模型' }))
    await view.user.type(drawer.getByLabelText(/^模型名称/), 'chat')
    await view.user.click(drawer.getByRole('button', { name: '创建' }))
    expect(await drawer.findByText('模型名称已存在')).toBeTruthy()

    await view.user.type(drawer.getByLabelText(/^模型名称/), '-mini')
    await view.user.type(drawer.getByLabelText('模型倍率'), '1')
    expect(drawer.getByText('相当于输入 $2、输出 $2（每 1M token）')).toBeTruthy()
    expect(drawer.getByLabelText<HTMLInputElement>('补全倍率').placeholder).toBe('默认 1')
    await view.user.clear(drawer.getByLabelText('模型倍率'))
    await view.user.selectOptions(drawer.getByLabelText('定价方式', { selector: 'select' }), '按 token 价格设置')
    await view.user.type(drawer.getByLabelText('输入 $/1M'), '3')
    await view.user.type(drawer.getByLabelText('输出 $/1M'), '12')
    expect(drawer.getByText('相当于模型倍率 1.5、补全倍率 4')).toBeTruthy()
    await view.user.click(drawer.getByRole('button', { name: '创建' }))

    expect(await (await prices()).findByLabelText<HTMLInputElement>('chat-mini 的模型倍率')).toBeTruthy()
    expect((await prices()).getByLabelText<HTMLInputElement>('chat-mini 的补全倍率').value).toBe('4')
  })
})

describe('the editor of one model', () => {
  it('derives the dollars of a ratio (twice the ratio per 1M tokens), and the ratio of dollars', async () => {
    const view = await open('/setting?keyword=ModelRatio')
    await view.user.click((await prices()).getByRole('tab', { name: '可视化倍率设置' }))
    await view.user.click((await prices()).getByRole('button', { name: '添加模型' }))
    const drawer = within(await screen.findByRole('dialog', { name: '添加模型' }))
    const field = (label: string): HTMLInputElement => drawer.getByLabelText<HTMLInputElement>(label)
    const method = (): HTMLElement => drawer.getByLabelText('定价方式', { selector: 'select' })
    await view.user.type(field('模型倍率'), '1.25')
    await view.user.type(field('补全倍率'), '4')

    await view.user.selectOptions(method(), '按 token 价格设置')
    expect([field('输入 $/1M').value, field('输出 $/1M').value]).toEqual(['2.5', '10'])

    await view.user.clear(field('输入 $/1M'))
    await view.user.type(field('输入 $/1M'), '0.15')
    await view.user.clear(field('输出 $/1M'))
    await view.user.type(field('输出 $/1M'), '0.6')
    await view.user.selectOptions(method(), '按倍率设置')
    expect([field('模型倍率').value, field('补全倍率').value]).toEqual(['0.075', '4'])
  })
})

describe('models without a price', () => {
  it('are filled together, and stay in the list until they are saved', async () => {
    const view = await open('/setting?keyword=ModelRatio')
    await view.user.click((await prices()).getByRole('tab', { name: '未设置倍率模型' }))
    const section = await prices()
    const fill = async (): Promise<void> => view.user.click(section.getByRole('button', { name: /^批量填充/ }))
    await section.findByLabelText('选择 new-a')
    expect(section.queryByLabelText('选择 chat')).toBeNull()

    await fill()
    expect(await screen.findByText('请先选择需要批量设置的模型')).toBeTruthy()
    await view.user.click(section.getByLabelText('全选本页'))
    await fill()
    expect(await screen.findByText('请输入填充值')).toBeTruthy()
    await view.user.type(section.getByLabelText('填充值'), 'x')
    await fill()
    expect(await screen.findByText('请输入有效的数字')).toBeTruthy()
    await view.user.selectOptions(section.getByLabelText('批量填充的内容'), '模型倍率和补全倍率')
    await fill()
    expect(await screen.findByText('请输入模型倍率和补全倍率')).toBeTruthy()
    await view.user.clear(section.getByLabelText('模型倍率'))
    await view.user.type(section.getByLabelText('模型倍率'), '2')
    await view.user.type(section.getByLabelText('补全倍率'), '3')
    await fill()

    expect((await section.findByLabelText<HTMLInputElement>('new-a 的模型倍率')).value).toBe('2')
    const sent = await save(view)
    expect(sent).toContainEqual(
      expect.objectContaining({ key: 'ModelRatio', value: JSON.stringify({ chat: 1.25, 'new-a': 2, 'new-b': 2 }, null, 2) }),
    )
  })

  it('include one without an output price where that is required, and show no such price', async () => {
    const stored: Readonly<Record<string, string>> = { ...STORED, OutputPriceRequired: 'true', ModelRatio: '{"chat":1.25,"new-a":1}' }
    plane.answer(
      options.list,
      optionKeys
        .filter((key) => !optionOf(key).isSecret)
        .map((key) => ({ key, value: stored[key] ?? (PRICES.has(key) ? '{}' : defaultText(key)) })),
    )
    const view = await open('/setting?keyword=ModelRatio')
    await view.user.click((await prices()).getByRole('tab', { name: '未设置倍率模型' }))
    const section = await prices()
    const row = (await section.findByLabelText('选择 new-a')).closest('tr')
    const output = (): string => row?.querySelector('td:last-child')?.textContent ?? ''

    expect([output(), section.getByLabelText<HTMLInputElement>('new-a 的补全倍率').placeholder]).toEqual(['–', '–'])
    await view.user.type(section.getByLabelText('new-a 的补全倍率'), '4{Enter}')
    await waitFor(() => expect(output()).toBe('$8'))
  })

  it('say that they could not be read, and the ratios go back when that is confirmed', async () => {
    plane.fail(channels.enabledModels, 500)
    plane.answer(options.resetModelRatio, undefined, '重置模型倍率成功')
    const view = await open('/setting?keyword=ModelRatio')
    await view.user.click((await prices()).getByRole('tab', { name: '未设置倍率模型' }))
    expect(await screen.findByText('获取启用模型失败')).toBeTruthy()

    await view.user.click((await prices()).getByRole('button', { name: '重置模型倍率' }))
    expect(plane.to(options.resetModelRatio)).toHaveLength(0)
    await view.user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: '重置' }))
    await waitFor(() => expect(plane.to(options.resetModelRatio)).toHaveLength(1))
  })
})

const aReplay: PriceReplay = {
  id: 4,
  state: 'waiting',
  since: 1_790_000_000,
  until: 1_790_604_800,
  requested_by: 'root',
  created_at: 1_790_604_800,
  finished_at: 0,
  done: 0,
  total: 2000,
  result: null,
}

describe('the tools for prices', () => {
  const openTool = async (name: string) => {
    const view = await open('/setting?keyword=ModelRatio')
    await view.user.click((await prices()).getByRole('button', { name }))
    return view
  }

  it('show what a pasted list changes, with its mistakes by line, and fill it in', async () => {
    const view = await openTool('导入价格表')
    const drawer = within(await screen.findByRole('dialog', { name: '导入价格表' }))
    const box = drawer.getByRole('textbox', { name: '价格表内容' })
    await view.user.click(box)
    await view.user.paste('model,input,output\nchat,5,20\nfresh,1,cheap')
    expect(await drawer.findByText('第 3 行：output 的值“cheap”不是有效的价格')).toBeTruthy()
    expect(drawer.getByRole<HTMLButtonElement>('button', { name: /^填入/ }).disabled).toBe(true)

    await view.user.clear(box)
    await view.user.click(box)
    await view.user.paste('model,input,output\nchat,5,20\nfresh,1,2')
    expect(await drawer.findByText('新增 1')).toBeTruthy()
    expect(drawer.getByText('修改 1')).toBeTruthy()
    expect(drawer.getByText('1 个模型的长提示分段价格不在价格表中，将保持不变：chat')).toBeTruthy()
    await view.user.click(drawer.getByRole('button', { name: '填入 2 个模型的价格' }))

    const sent = await save(view)
    expect(sent).toMatchObject([{ key: 'ModelRatio' }, { key: 'CompletionRatio' }])
    expect(sent.map((body) => JSON.parse((body as { value: string }).value))).toEqual([
      { chat: 2.5, fresh: 0.5 },
      { chat: 4, fresh: 2 },
    ])
  })

  it('try prices on past usage, with progress, and show the outcome by model and user', async () => {
    plane.answer(contract.replays, null)
    plane.answer(contract.startReplay, aReplay)
    const view = await openTool('试算费用')
    const drawer = within(await screen.findByRole('dialog', { name: '用这些价格试算' }))
    expect(drawer.getByText(/使用现有价格/)).toBeTruthy()
    plane.answer(contract.replays, { ...aReplay, state: 'running', done: 1000 })
    await view.user.click(drawer.getByRole('button', { name: '开始试算' }))

    expect(await drawer.findByText('正在试算：1,000 / 2,000 条记录')).toBeTruthy()
    expect(drawer.queryByText(/^这是 root 在/)).toBeNull()
    expect(plane.to(contract.startReplay)[0]?.body).toMatchObject({ days: 7, prices: { ModelRatio: '{"chat":1.25}' } })
    const line = { name: 'chat', requests: 2000, before: 1_000_000, after: 1_500_000 }
    const result = {
      ...line,
      unpriced: { requests: 3, before: 9 },
      models: [line],
      users: [{ ...line, name: 'ann' }],
      more_models: 0,
      more_users: 4,
    }
    plane.answer(contract.replays, { ...aReplay, state: 'done', done: 2000, finished_at: 1, result })
    expect((await drawer.findAllByText(/\(\+50\.0%\)/)).length).toBeGreaterThan(0)
    expect(drawer.getByText(/^有 3 个请求的模型在这些价格中没有价格/)).toBeTruthy()
    await view.user.click(drawer.getByRole('tab', { name: '按用户' }))
    expect(await drawer.findByText('ann')).toBeTruthy()
    expect(drawer.getByText('另有 4 项未列出，已计入合计')).toBeTruthy()
  })

  it('try group ratios that are changed and not saved in their own section, and show the outcome by group and how many rows count', async () => {
    plane.answer(contract.replays, null)
    plane.answer(contract.startReplay, aReplay)
    const view = await open('/setting?tab=operation')
    const groups = within(await screen.findByRole('form', { name: '分组设置' }))
    const box = groups.getAllByRole('textbox', { name: /倍率/ })[0] as HTMLInputElement
    await view.user.clear(box)
    await view.user.type(box, '3')
    await view.user.tab()
    await view.user.click((await prices()).getByRole('button', { name: '试算费用' }))
    const drawer = within(await screen.findByRole('dialog', { name: '用这些价格试算' }))
    expect(drawer.getByText(/尚未保存的价格/)).toBeTruthy()
    plane.answer(contract.replays, { ...aReplay, state: 'running', done: 10 })
    await view.user.click(drawer.getByRole('button', { name: '开始试算' }))
    await waitFor(() => expect(plane.to(contract.startReplay)).toHaveLength(1))

    expect(plane.to(contract.startReplay)[0]?.body).toMatchObject({
      prices: { ModelRatio: '{"chat":1.25}', GroupRatio: expect.stringContaining('"default": 3') as string },
    })
    const line = { name: 'chat', requests: 20, before: 10, after: 30 }
    const result = { ...line, unpriced: { requests: 0, before: 0 }, models: [line], users: [], groups: [{ ...line, name: 'default' }] }
    const more = { more_models: 0, more_users: 0, more_groups: 0, charges: 1020 }
    plane.answer(contract.replays, { ...aReplay, state: 'done', done: 20, finished_at: 1, result: { ...result, ...more } })
    await view.user.click(await drawer.findByRole('tab', { name: '按分组' }))
    expect(await drawer.findByRole('cell', { name: 'default' })).toBeTruthy()
    expect(drawer.getByText(/已计入 1,020 条费用中的 20 条/)).toBeTruthy()
  })

  it('leave nothing to save once the unsaved prices are scheduled', async () => {
    plane.answer(contract.changes, [])
    plane.answer(contract.schedule, {
      id: 9,
      state: 'waiting',
      at: 4_070_908_800,
      patch: { ModelRatio: { chat: 2.5 } },
      created_by: 'root',
      created_at: 1_790_000_000,
      finished_at: 0,
      price_version: 0,
      message: '',
    })
    const view = await openTool('导入价格表')
    const list = within(await screen.findByRole('dialog', { name: '导入价格表' }))
    await view.user.click(list.getByRole('textbox', { name: '价格表内容' }))
    await view.user.paste('model,input,output\nchat,5,20')
    await view.user.click(await list.findByRole('button', { name: '填入 1 个模型的价格' }))
    expect((await prices()).getByRole('button', { name: /^保存 \d 项改动$/ })).toBeTruthy()

    await view.user.click((await prices()).getByRole('button', { name: '定时生效' }))
    const drawer = within(await screen.findByRole('dialog', { name: '定时修改价格' }))
    await view.user.type(drawer.getByRole('textbox', { name: '生效时间' }), '2099-01-01 00:00:00{Enter}')
    await view.user.click(drawer.getByRole('button', { name: '定时' }))

    await waitFor(() => expect(plane.to(contract.schedule)).toHaveLength(1))
    expect(await (await prices()).findByRole('button', { name: '保存' })).toBeTruthy()
    expect(plane.to(options.update)).toEqual([])
  })

  it('ask before a chosen time is lost', async () => {
    plane.answer(contract.changes, [])
    const view = await openTool('导入价格表')
    const list = within(await screen.findByRole('dialog', { name: '导入价格表' }))
    await view.user.click(list.getByRole('textbox', { name: '价格表内容' }))
    await view.user.paste('model,input,output\nchat,5,20')
    await view.user.click(await list.findByRole('button', { name: '填入 1 个模型的价格' }))
    await view.user.click((await prices()).getByRole('button', { name: '定时生效' }))
    const drawer = within(await screen.findByRole('dialog', { name: '定时修改价格' }))
    await view.user.type(drawer.getByRole('textbox', { name: '生效时间' }), '2099-01-01 00:00:00{Enter}')

    await view.user.click(drawer.getByRole('button', { name: '关闭' }))
    const question = within(await screen.findByRole('alertdialog'))
    await view.user.click(question.getByRole('button', { name: '继续编辑' }))
    expect(drawer.getByRole<HTMLInputElement>('textbox', { name: '生效时间' }).value).toBe('2099-01-01 00:00:00')

    await view.user.click(drawer.getByRole('button', { name: '关闭' }))
    await view.user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: '放弃修改' }))
    await waitFor(() => expect(screen.queryByRole('dialog', { name: '定时修改价格' })).toBe(null))
  })

  it('schedule unsaved prices, and cancel what is scheduled', async () => {
    const change: PriceChange = {
      id: 9,
      state: 'waiting',
      at: 1_890_000_000,
      patch: { ModelRatio: { chat: 2 } },
      created_by: 'root',
      created_at: 1_790_000_000,
      finished_at: 0,
      price_version: 0,
      message: '',
    }
    plane.answer(contract.changes, [change])
    plane.answer(contract.cancelChange, undefined)
    const view = await openTool('定时生效')
    const drawer = within(await screen.findByRole('dialog', { name: '定时修改价格' }))
    expect(drawer.getByText(/编辑器中没有未保存的价格改动/)).toBeTruthy()
    expect(await drawer.findByText('ModelRatio · chat: 2')).toBeTruthy()

    await view.user.click(drawer.getByRole('button', { name: /^取消 / }))
    await view.user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: '取消这次定时' }))
    await waitFor(() => expect(plane.to(contract.cancelChange)).toHaveLength(1))
  })
})

it('tells in the drawer of a price what is scheduled for it and what changed it', async () => {
  const waiting = {
    id: 7,
    state: 'waiting',
    at: 1_900_000_000,
    created_by: 'ada',
    created_at: 1,
    finished_at: 0,
    price_version: 0,
    message: '',
  } as const
  plane.answer(contract.changes, [{ ...waiting, patch: { ModelRatio: { chat: 5, other: 6 } } }])
  plane.answer(contract.history, [
    { at: 1_790_000_000, cause: 'edit', by_name: 'bob', edits: [{ option: 'CompletionRatio', before: null, after: 4 }] },
  ])
  const view = await open('/setting?keyword=ModelRatio')
  await view.user.click((await prices()).getByRole('tab', { name: '可视化倍率设置' }))
  await view.user.click(await (await prices()).findByRole('button', { name: '编辑 chat 的价格' }))

  const list = within(await screen.findByRole('list', { name: '价格历史' }))
  const [coming, past] = list.getAllByRole('listitem').map(({ textContent }) => textContent)
  expect(coming).toContain('ada 设置的定时变更')
  expect(coming).toContain('→ 5 ($10/1M)')
  expect(past).toContain('bob 修改')
  expect(past).toContain('无 → 4')
})

it('says that the prices of long prompts stay when the price of a model changes', async () => {
  const view = await open('/setting?keyword=ModelRatio')
  await view.user.click((await prices()).getByRole('tab', { name: '可视化倍率设置' }))
  const box = await (await prices()).findByLabelText('chat 的模型倍率')
  const said = /长提示词的价格（PriceCards）没有随之改变：chat/
  expect((await prices()).queryByText(said)).toBeNull()

  await view.user.type(box, '5{Enter}')

  expect(await (await prices()).findByText(said)).toBeTruthy()
})

it('opens the catalogue from the health page’s link', async () => {
  plane.answer(contract.catalogue, { source: 'built-in', date: '2026-11-27', rows: [], unknown: [], suspect_prices: [] })
  await open('/setting?keyword=ModelRatio&tool=catalogue')

  expect(await screen.findByRole('dialog', { name: '价格目录' })).toBeTruthy()
})
