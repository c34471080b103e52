import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { channels } from '@tollgate/contracts/resources/channels'
import { groups } from '@tollgate/contracts/resources/groups'
import { models } from '@tollgate/contracts/resources/models'
import { beforeEach, describe, expect, it } from 'vitest'
import { session } from '../../../lib/session.ts'
import { storage } from '../../../lib/storage.ts'
import { aChannel } from '../../../testing/channel-factories.ts'
import { aStoredUser } from '../../../testing/factories.ts'
import { pick } from '../../../testing/pick.ts'
import { planeForTests } from '../../../testing/plane.ts'
import { open } from '../../../testing/render.tsx'

const plane = planeForTests()
const known = aChannel({
  id: 1,
  name: 'main',
  balance: 12.5,
  used_quota: 1_000_000,
  response_time: 2_500,
  created_time: 1_750_000_000,
  test_time: 1_750_100_000,
  balance_updated_time: 1_750_200_000,
})

beforeEach(() => {
  session.start(aStoredUser())
  plane.answer(groups.list, ['default'])
  plane.answer(models.presets, {})
  plane.answer(channels.models, [])
  plane.answer(channels.list, [known])
  plane.answer(channels.get, known)
})

const rowOf = async (name: string): Promise<HTMLElement> => {
  const row = (await screen.findByText(name)).closest('tr')
  if (row === null) throw new Error(`no row for ${name}`)
  return row
}
const timeOf = (seconds: number): RegExp => new RegExp(`^${new Date(seconds * 1000).toLocaleDateString('sv')} `)

describe('the drawer of a channel', () => {
  it('says which part of the requests the typed weight gives it, and that 0 is a reserve by option', async () => {
    const others = [{ id: 2, name: 'three', weight: 3, share: 13 / 34 }]
    const own = { id: 1, name: '', weight: 0, share: 10 / 34 }
    plane.answer(channels.shares, { group: 'default', model: 'gpt-4o', is_exact: false, rows: [own, ...others], left_out: 1 })
    await open('/channel/edit/1')
    await screen.findByText(/gpt-4o 的 29.4 % 请求到这里；three 38.2 %，另有 1 个。每个权重都加 10/)

    const exact = [{ ...own, share: 0 }, ...others.map((row) => ({ ...row, share: 1 }))]
    plane.answer(channels.shares, { group: 'default', model: 'gpt-4o', is_exact: true, rows: exact, left_out: 0 })
    fireEvent.change(screen.getByLabelText('优先级'), { target: { value: '5' } })
    await screen.findByText(/备用：同优先级的其他渠道可用时.*three 100 %。按权重本身分配/)
    expect(plane.to(channels.shares).at(-1)?.body).toMatchObject({ id: 1, priority: 5, weight: 0 })
  })

  it('has a field for organisation, longest input, tag, test model and the parameters of some types', async () => {
    const given = { openai_organization: 'org-1', max_input_tokens: 4096, tag: 'blue', test_model: 'gpt-4o-mini', other: 'v1' }
    plane.answer(channels.get, { ...known, ...given })
    await open('/channel/edit/1')
    fireEvent.click(await screen.findByText('高级'))

    const labels = [...document.querySelectorAll('label')]
    const valueOf = (label: string) => {
      const control = labels.find(({ textContent }) => textContent === label)?.control
      return control instanceof HTMLInputElement || control instanceof HTMLSelectElement ? control.value : undefined
    }
    expect(['组织 ID', '最大输入 token', '标签', '测试模型', '附加参数'].map(valueOf)).toEqual([
      'org-1',
      '4096',
      'blue',
      'gpt-4o-mini',
      'v1',
    ])
  })

  it.each([
    [1, true],
    [14, false],
  ])('of type %i offers another API for its models: %s', async (type, isOffered) => {
    plane.answer(channels.get, { ...known, type })
    await open('/channel/edit/1')
    fireEvent.click(await screen.findByText('高级'))

    const labels = [...document.querySelectorAll('label')].map(({ textContent }) => textContent)
    expect(labels.filter((label) => label === '后续的系统消息' || label === 'OpenAI 接口')).toEqual([
      '后续的系统消息',
      ...(isOffered ? ['OpenAI 接口'] : []),
    ])
  })

  it('shows what cannot be edited: status, response time, money and times', async () => {
    await open('/channel/edit/1')

    const facts = within((await screen.findByText('运行信息')).closest('fieldset') ?? document.body)
    for (const text of ['已启用', '2.50 s', '$2.00', '$12.50']) expect(facts.getByText(text)).toBeTruthy()
    for (const time of [known.created_time, known.test_time, known.balance_updated_time]) expect(facts.getByText(timeOf(time))).toBeTruthy()
  })

  it('shows the time of a test that ran while it is open', async () => {
    plane.answer(channels.test, { success: true, message: '', time: 1 })
    const view = await open('/channel/edit/1')
    const facts = within((await screen.findByText('运行信息')).closest('fieldset') ?? document.body)
    expect(facts.getByText(timeOf(known.test_time))).toBeTruthy()

    plane.answer(channels.get, { ...known, test_time: known.test_time + 60 })
    await view.user.click(screen.getByRole('button', { name: /测试/ }))

    expect(await facts.findByText(timeOf(known.test_time + 60))).toBeTruthy()
  })
})

describe('the models of a channel', () => {
  it('can be all that are known, beside those of its type', async () => {
    const far = { id: 'far-model', object: 'model' as const, created: 1, owned_by: 'x', permission: [], root: 'far-model', parent: null }
    plane.answer(channels.models, [far])
    plane.answer(channels.update, known)
    const view = await open('/channel/edit/1')
    await view.user.click(await screen.findByRole('button', { name: '填入全部已知模型' }))
    await view.user.click(screen.getByRole('button', { name: '保存' }))

    await waitFor(() => expect(plane.to(channels.update)[0]?.body).toMatchObject({ models: `${known.models},far-model` }))
  })
})

describe('the channel list', () => {
  it('shows balance, used quota and the times of creation, test and balance update', async () => {
    storage.set('table-layouts', { channel: { shown: { created: true, tested: true, 'balance-updated': true } } })
    await open('/channel')

    const row = within(await rowOf('main'))
    for (const text of ['$2.00', '$12.50']) expect(row.getByText(text)).toBeTruthy()
    for (const time of [known.created_time, known.test_time, known.balance_updated_time]) expect(row.getByText(timeOf(time))).toBeTruthy()
  })

  it('sorts by id on request and remembers that', async () => {
    const view = await open('/channel')
    await rowOf('main')

    await view.user.click(screen.getByRole('checkbox', { name: '按 ID 排序' }))

    await waitFor(() => expect(plane.to(channels.list).at(-1)?.query).toMatchObject({ id_sort: 'true' }))
    expect(storage.get('channel-id-sort')).toBe(true)
  })

  it('tests a channel with a model that is picked', async () => {
    plane.answer(channels.test, { success: true, message: '', time: 1.24 })
    const view = await open('/channel')
    await view.user.click(within(await rowOf('main')).getByRole('button', { name: '更多操作' }))
    await pick(view.user, '选择模型测试')

    await view.user.click(await screen.findByRole('button', { name: '开始测试 gpt-4o-mini' }))

    expect(await screen.findByText('通过，用时 1.24 s')).toBeTruthy()
    expect(plane.to(channels.test)[0]).toMatchObject({ path: '/api/channel/test/1', query: { model: 'gpt-4o-mini' } })
  })

  it('tests a channel without a tag in tag mode', async () => {
    storage.set('channel-tag-mode', true)
    const tagged = aChannel({ id: 2, name: 'tagged', tag: 'openai' })
    plane.answerBy(channels.list, (query) => (query['untagged'] === 'true' ? [known] : [tagged]))
    plane.answer(channels.test, { success: true, message: '', time: 1 })
    const view = await open('/channel')
    await view.user.click(await screen.findByRole('button', { name: /无标签/ }))

    await view.user.click(within(await rowOf('main')).getByRole('button', { name: '测试' }))

    expect(await screen.findByText('渠道“main”测试成功，模型 gpt-4o，用时 1.00 s')).toBeTruthy()
  })

  it('reads the balance of a row from its vendor, and shows it', async () => {
    plane.answer(channels.updateBalance, { success: true, message: '', balance: 7.25 })
    const view = await open('/channel')
    await view.user.click(within(await rowOf('main')).getByRole('button', { name: '更多操作' }))
    plane.answer(channels.list, [{ ...known, balance: 7.25 }])
    await pick(view.user, '更新余额')

    expect(await screen.findByText('渠道“main”的余额：$7.25')).toBeTruthy()
    expect(plane.to(channels.updateBalance)[0]?.path).toMatch(/^\/api\/channel\/update_balance\/1\/?$/)
    await waitFor(async () => expect(within(await rowOf('main')).getByText('$7.25')).toBeTruthy())
  })

  it('deletes one channel from its row, after asking', async () => {
    plane.answer(channels.remove, undefined)
    const view = await open('/channel')
    await view.user.click(within(await rowOf('main')).getByRole('button', { name: '更多操作' }))
    await pick(view.user, '删除')
    const question = within(await screen.findByRole('alertdialog'))
    expect(question.getByText('删除渠道“main”？')).toBeTruthy()
    expect(plane.to(channels.remove)).toHaveLength(0)
    await view.user.click(question.getByRole('button', { name: '删除' }))

    expect(await screen.findByText('操作成功完成！')).toBeTruthy()
    expect(plane.to(channels.remove).map(({ path }) => path)).toEqual(['/api/channel/1'])
  })

  it('repairs the abilities after asking, and says how many channels were looked at', async () => {
    plane.answer(channels.repair, 4)
    const view = await open('/channel')
    await rowOf('main')
    await view.user.click(screen.getByRole('button', { name: '维护' }))
    await pick(view.user, '修复数据一致性')
    await view.user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: '修复数据一致性' }))

    expect(await screen.findByText('已检查并修复 4 条')).toBeTruthy()
    expect(plane.to(channels.repair)).toHaveLength(1)
  })

  it('deletes all disabled channels after asking and says how many went', async () => {
    plane.answer(channels.removeDisabled, 3)
    const view = await open('/channel')
    await rowOf('main')

    await view.user.click(screen.getByRole('button', { name: '维护' }))
    await pick(view.user, '删除禁用渠道')
    expect(plane.to(channels.removeDisabled)).toHaveLength(0)
    await view.user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: '删除' }))

    expect(await screen.findByText('已删除 3 个禁用渠道')).toBeTruthy()
  })
})
