import { screen, waitFor, within } from '@testing-library/react'
import { pricing, type PricingAnswer } from '@tollgate/contracts/resources/pricing'
import { beforeEach, describe, expect, it } from 'vitest'
import { session } from '../../lib/session.ts'
import { aStoredUser } from '../../testing/factories.ts'
import { planeForTests } from '../../testing/plane.ts'
import { open } from '../../testing/render.tsx'

const plane = planeForTests()
const answer: PricingAnswer = {
  success: true,
  message: '',
  group_ratio: { default: 1, vip: 4 },
  usable_group: { default: '默认分组', vip: 'vip分组' },
  unpriced_models: [],
  data: [
    {
      model_name: 'gpt-4o',
      quota_type: 0,
      model_ratio: 1.25,
      model_price: 0,
      completion_ratio: 4,
      cache_ratio: 0.5,
      owner_by: '',
      vendor: 'OpenAI',
      enable_groups: ['default', 'hidden', 'vip'],
      supported_endpoint_types: ['openai'],
    },
    {
      model_name: 'dall-e-3',
      quota_type: 1,
      model_ratio: 0,
      model_price: 0.04,
      completion_ratio: 0,
      owner_by: '',
      vendor: 'OpenAI',
      enable_groups: ['default'],
      supported_endpoint_types: ['image-generation'],
    },
    {
      model_name: 'mine',
      quota_type: 0,
      model_ratio: 7,
      model_price: 0,
      completion_ratio: 1,
      owner_by: '',
      vendor: '',
      enable_groups: ['vip'],
      supported_endpoint_types: ['openai'],
    },
  ],
}
beforeEach(() => plane.answer(pricing.get, answer))

const cards = (): HTMLElement[] => screen.getAllByRole('listitem')
const card = async (name: string): Promise<HTMLElement> => {
  const button = await screen.findByRole('button', { name })
  return button.closest<HTMLElement>('[role="listitem"]') ?? document.body
}

describe('/pricing', () => {
  it('shows a model without a price as not available, without a price or cost', async () => {
    const facts = { vendor: '', enable_groups: ['default'] }
    plane.answer(pricing.get, { ...answer, unpriced_models: [{ ...facts, model_name: 'nova', supported_endpoint_types: ['openai'] }] })
    await open('/pricing?input=1000&output=1000')

    const nova = within(await card('nova'))
    expect(nova.getByRole('img', { name: '没有设置价格，对该模型的请求会被拒绝' })).toBeTruthy()
    expect(nova.getByText('没有价格')).toBeTruthy()
    expect(nova.queryByText(/\$/)).toBeNull()
  })

  it('is open to visitors, without a sidebar, and says whose prices it shows', async () => {
    await open('/pricing?view=cards')

    expect(await screen.findByText('你还没有登录，显示的是默认分组倍率 1×')).toBeTruthy()
    expect(screen.getByText(/按量计费费用 = 分组倍率 × 模型倍率/)).toBeTruthy()
    expect(screen.queryByRole('navigation', { name: '侧边导航' })).toBeNull()
    const first = await card('gpt-4o')
    for (const text of ['按量计费', '$2.5 / 1M token', '$10 / 1M token', '$1.25 / 1M token', '1.25×', 'OpenAI'])
      expect(within(first).getByText(text)).toBeTruthy()
    expect(within(await card('dall-e-3')).getByText('$0.04 / 次')).toBeTruthy()
    expect(within(first).queryByText('hidden')).toBeNull()
    expect(cards().map((one) => within(one).getAllByRole('button')[0]?.textContent)).toEqual(['dall-e-3', 'gpt-4o', 'mine'])
  })

  it('says the own group, and shows the prices of a group that is clicked', async () => {
    session.start(aStoredUser({ group: 'default' }))
    const view = await open('/pricing?view=cards')
    expect(await screen.findByText('你的分组为 default，分组倍率为 1×')).toBeTruthy()

    await view.user.click(within(await card('gpt-4o')).getByRole('button', { name: 'vip' }))

    expect(await screen.findByText('当前查看的分组为 vip，倍率为 4×')).toBeTruthy()
    expect(view.address()).toContain('group=vip')
    expect(within(await card('gpt-4o')).getByText('$10 / 1M token')).toBeTruthy()
    expect(within(await card('mine')).getByRole('img', { name: '你选择的分组可以使用该模型' })).toBeTruthy()
    expect(within(await card('dall-e-3')).getByRole('img', { name: '你选择的分组不能使用该模型' })).toBeTruthy()
  })

  it('searches, filters, and copies a name or the selected ones', async () => {
    const view = await open('/pricing?view=cards')
    await view.user.click(await screen.findByRole('button', { name: 'gpt-4o' }))
    expect(await navigator.clipboard.readText()).toBe('gpt-4o')

    for (const name of ['gpt-4o', 'dall-e-3']) await view.user.click(screen.getByRole('checkbox', { name: new RegExp(name) }))
    await view.user.click(screen.getByRole('button', { name: '复制选中模型' }))
    expect(await navigator.clipboard.readText()).toBe('dall-e-3,gpt-4o')

    await view.user.selectOptions(screen.getByLabelText('供应商'), 'other')
    await waitFor(() => expect(cards()).toHaveLength(1))
    await view.user.type(screen.getByPlaceholderText('模糊搜索模型名称'), 'gpt{Enter}')
    expect(await screen.findByText('没有符合条件的模型')).toBeTruthy()
  })

  it('computes what a prompt costs, and keeps the numbers in the address', async () => {
    const view = await open('/pricing?view=cards')
    await view.user.click(await screen.findByRole('button', { name: '费用计算器' }))
    const input = screen.getByRole('textbox', { name: '输入 token' })
    await view.user.clear(input)
    await view.user.type(input, '1000000')

    expect(within(await card('gpt-4o')).getByText('$2.5')).toBeTruthy()
    expect(view.address()).toContain('input=1000000')
    await view.user.type(input, 'x')
    expect(await screen.findByText('请输入不小于 0 的整数')).toBeTruthy()
  })

  it('shows a model’s prices by class and group, and a first call', async () => {
    const view = await open('/pricing?view=cards&model=dall-e-3')
    const drawer = await screen.findByRole('dialog', { name: 'dall-e-3' })

    expect(within(drawer).getByText('$0.04 / 次')).toBeTruthy()
    expect(within(drawer).getByText('图片生成')).toBeTruthy()
    expect(within(drawer).getByText(/\/v1\/images\/generations/)).toBeTruthy()
    await view.user.click(within(drawer).getByRole('button', { name: '关闭' }))
    await waitFor(() => expect(view.address()).not.toContain('model='))
  })

  it('opens a picture that explains ratios', async () => {
    const view = await open('/pricing')
    await view.user.click(await screen.findByRole('button', { name: '倍率说明' }))
    expect(await screen.findByRole('img', { name: /^倍率说明/ })).toBeTruthy()
  })

  it('says that prices could not be read, and tries again', async () => {
    plane.refuse(pricing.get, '获取失败')
    await open('/pricing')
    expect(await screen.findByText('获取失败')).toBeTruthy()
    expect(screen.getByRole('button', { name: '重试' })).toBeTruthy()
  })
})
