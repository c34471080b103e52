import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { channels } from '@tollgate/contracts/resources/channels'
import { groups } from '@tollgate/contracts/resources/groups'
import { models } from '@tollgate/contracts/resources/models'
import { beforeEach, describe, expect, it } from 'vitest'
import { session } from '../../lib/session.ts'
import { storage } from '../../lib/storage.ts'
import { aChannel } from '../../testing/channel-factories.ts'
import { aStoredUser } from '../../testing/factories.ts'
import { pick } from '../../testing/pick.ts'
import { planeForTests } from '../../testing/plane.ts'
import { open } from '../../testing/render.tsx'

const plane = planeForTests()

beforeEach(() => {
  session.start(aStoredUser())
  plane.answer(groups.list, ['default', 'vip'])
  plane.answer(models.presets, { '1': ['gpt-4o'] })
  plane.answer(channels.models, [])
  plane.answer(channels.list, [
    aChannel({ id: 1, name: 'main', tag: 'openai', response_time: 2_500, test_time: 1_750_000_000 }),
    aChannel({ id: 2, name: 'dead', status: 3, other_info: '{"status_reason":"invalid_api_key","status_time":1750000000}' }),
  ])
})

const rowOf = async (name: string): Promise<HTMLElement> => {
  const row = (await screen.findByText(name)).closest('tr')
  if (row === null) throw new Error(`no row for ${name}`)
  return row
}

describe('the channel list', () => {
  it('shows the response time, and the reason and time of an automatic disable', async () => {
    await open('/channel')

    expect(within(await rowOf('main')).getByText('2.50 s')).toBeTruthy()
    const status = within(await rowOf('dead'))
      .getByText('自动禁用')
      .closest<HTMLElement>('[data-hint]')
    expect(status?.dataset['hint']).toMatch(/^原因：invalid_api_key\n时间：\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/)
  })

  it('asks with the reader’s order and size', async () => {
    storage.set('channel-id-sort', true)
    storage.set('page-size', 50)
    await open('/channel')
    await rowOf('main')

    expect(plane.to(channels.list)[0]?.query).toEqual({ p: '0', page_size: '50', id_sort: 'true', tag_mode: 'false' })
  })

  it('is closed to users without asking the server', async () => {
    session.start(aStoredUser({ role: 1 }))
    await open('/channel')

    expect(await screen.findByText('无权进行此操作，权限不足')).toBeTruthy()
    expect(plane.to(channels.list)).toHaveLength(0)
  })

  it('refuses a priority below -999 and saves one that is right', async () => {
    plane.answer(channels.update, aChannel())
    await open('/channel')
    const box = within(await rowOf('main')).getByLabelText('优先级 main')

    fireEvent.change(box, { target: { value: '-1000' } })
    fireEvent.blur(box)
    expect(await screen.findByText('优先级必须是不小于 -999 的整数。')).toBeTruthy()
    fireEvent.change(box, { target: { value: '7' } })
    fireEvent.blur(box)

    await waitFor(() => expect(plane.to(channels.update).map(({ body }) => body)).toEqual([{ id: 1, priority: 7 }]))
  })

  it('saves a negative weight as 0', async () => {
    plane.answer(channels.list, [aChannel({ id: 1, name: 'main', weight: 5 })])
    plane.answer(channels.update, aChannel())
    await open('/channel')
    const box = within(await rowOf('main')).getByLabelText('权重 main')

    fireEvent.change(box, { target: { value: '-3' } })
    fireEvent.blur(box)

    await waitFor(() => expect(plane.to(channels.update).map(({ body }) => body)).toEqual([{ id: 1, weight: 0 }]))
  })

  it('enables a channel that is not enabled', async () => {
    plane.answer(channels.update, aChannel({ id: 2 }))
    const view = await open('/channel')

    await view.user.click(within(await rowOf('dead')).getByRole('button', { name: '更多操作' }))
    await pick(view.user, '启用')

    expect(await screen.findByText('操作成功完成！')).toBeTruthy()
    expect(plane.to(channels.update)[0]?.body).toEqual({ id: 2, status: 1 })
  })

  it('tests a channel and says how long it took', async () => {
    plane.answer(channels.test, { success: true, message: '', time: 1.24 })
    const view = await open('/channel')

    await view.user.click(within(await rowOf('main')).getByRole('button', { name: '测试' }))

    expect(await screen.findByText('渠道“main”测试成功，模型 gpt-4o，用时 1.24 s')).toBeTruthy()
  })

  it('says why a copy failed', async () => {
    plane.refuse(channels.copy, 'record not found')
    const view = await open('/channel')

    await view.user.click(within(await rowOf('main')).getByRole('button', { name: '更多操作' }))
    await pick(view.user, '复制渠道')

    expect(await screen.findByText('渠道复制失败: 记录不存在，可能已被删除。')).toBeTruthy()
  })

  it('deletes the selected channels after saying how many, and needs a tag to tag them', async () => {
    plane.answer(channels.removeMany, 2)
    const view = await open('/channel')
    await rowOf('main')

    await view.user.click(screen.getByRole('checkbox', { name: '全选本页' }))
    await view.user.click(screen.getByRole('button', { name: '设置标签' }))
    await view.user.click(await screen.findByRole('button', { name: '保存' }))
    expect(await screen.findByText('标签不能为空！')).toBeTruthy()
    await view.user.click(screen.getByRole('button', { name: '取消' }))
    await view.user.click(await screen.findByRole('button', { name: '删除所选渠道' }))
    expect(await screen.findByText('删除所选的 2 个渠道？')).toBeTruthy()
    await view.user.click(screen.getByRole('button', { name: '删除' }))

    expect(await screen.findByText('已删除 2 个渠道')).toBeTruthy()
    expect(plane.to(channels.removeMany)[0]?.body).toEqual({ ids: [1, 2] })
  })

  it('says what to select first when nothing is', async () => {
    const view = await open('/channel')
    await rowOf('main')

    await view.user.click(screen.getByRole('button', { name: '维护' }))
    await pick(view.user, '删除所选渠道')

    expect(await screen.findByText('请先选择要删除的通道！')).toBeTruthy()
    expect(plane.to(channels.removeMany)).toHaveLength(0)
  })

  it('folds channels under their tag, and turns a whole tag off', async () => {
    storage.set('channel-tag-mode', true)
    plane.answer(channels.disableTag, undefined)
    const view = await open('/channel')
    const head = await rowOf('openai')
    expect(screen.queryByText('main')).toBeNull()

    await view.user.click(within(head).getByRole('button', { name: /openai/ }))
    await rowOf('main')
    await view.user.click(within(head).getByRole('button', { name: '更多操作' }))
    await pick(view.user, '禁用全部')

    await waitFor(() => expect(plane.to(channels.disableTag)[0]?.body).toEqual({ tag: 'openai' }))
  })

  it('selects a whole tag by its head, with the channels that are folded under it', async () => {
    storage.set('channel-tag-mode', true)
    plane.answer(channels.removeMany, 1)
    const view = await open('/channel')
    await view.user.click(within(await rowOf('openai')).getByRole('checkbox', { name: '选择 openai' }))
    expect(screen.queryByText('main')).toBeNull()

    await view.user.click(await screen.findByRole('button', { name: '删除所选渠道' }))
    await view.user.click(await screen.findByRole('button', { name: '删除' }))

    await waitFor(() => expect(plane.to(channels.removeMany)[0]?.body).toEqual({ ids: [1] }))
  })

  it('remembers which columns are shown', async () => {
    const view = await open('/channel')
    await rowOf('main')

    await view.user.click(screen.getByRole('button', { name: '列设置' }))
    await view.user.click(await screen.findByRole('checkbox', { name: '余额' }))

    expect(storage.get('table-layouts')?.['channel']?.shown).toMatchObject({ balance: false, models: false, name: true })
    await waitFor(() => expect(screen.queryByRole('columnheader', { name: '余额', hidden: true })).toBeNull())
  })
})

describe('the channel drawer', () => {
  it('opens with the name in focus and says nothing of it before it was left', async () => {
    await open('/channel/add')

    const name = await screen.findByRole('textbox', { name: /^名称/ })
    // The drawer's focus trap is at work as soon as the page behind it is hidden.
    await waitFor(() => expect(screen.getByRole('dialog').closest('[data-state="open"]')).toBeTruthy())
    await waitFor(() => expect(document.activeElement).toBe(name))
    expect(screen.queryByText('请填写渠道名称和渠道密钥！')).toBeNull()
  })

  it('requires name and key on creation', async () => {
    const view = await open('/channel/add')

    await view.user.click(await screen.findByRole('button', { name: '创建' }))

    expect((await screen.findAllByText('请填写渠道名称和渠道密钥！')).length).toBeGreaterThan(0)
    expect(plane.to(channels.create)).toHaveLength(0)
  })

  it('creates with the preset models of the type', async () => {
    plane.answer(channels.create, undefined)
    storage.set('channel_models', { '1': ['gpt-4o'] })
    plane.answer(models.presets, { '1': ['gpt-4o'], '14': ['claude-9'] })
    const view = await open('/channel/add')

    fireEvent.change(await screen.findByLabelText(/^名称/), { target: { value: 'new' } })
    fireEvent.change(screen.getByLabelText(/^密钥/), { target: { value: 'sk-1' } })
    fireEvent.change(screen.getByLabelText('接口地址'), { target: { value: 'https://a.example/' } })
    await view.user.click(screen.getByRole('button', { name: '创建' }))

    expect(await screen.findByText('渠道创建成功！')).toBeTruthy()
    expect(plane.to(channels.create)[0]?.body).toMatchObject({
      type: 1,
      name: 'new',
      key: 'sk-1',
      base_url: 'https://a.example',
      models: 'gpt-4o',
      group: 'default',
      auto_ban: 1,
    })
    expect(view.address()).toBe('/channel')
    // The server's map, for the next time that the drawer opens.
    expect(storage.get('channel_models')).toEqual({ '1': ['gpt-4o'], '14': ['claude-9'] })
  })

  it('asks before an address that ends in /v1 is saved', async () => {
    plane.answer(channels.get, aChannel({ id: 1, name: 'main' }))
    plane.answer(channels.update, aChannel())
    const view = await open('/channel/edit/1')

    fireEvent.change(await screen.findByLabelText('接口地址'), { target: { value: 'https://a.example/v1/' } })
    await view.user.click(screen.getByRole('button', { name: '保存' }))
    expect(await screen.findByText('接口地址以 /v1 结尾')).toBeTruthy()
    expect(plane.to(channels.update)).toHaveLength(0)
    await view.user.click(screen.getByRole('button', { name: '去掉并保存' }))

    expect(await screen.findByText('渠道更新成功！')).toBeTruthy()
    expect(plane.to(channels.update)[0]?.body).toEqual({ id: 1, base_url: 'https://a.example/v1', was: expect.any(Object) })
  })

  it('shows what another administrator saved meanwhile, and saves over it when told to', async () => {
    plane.answer(channels.get, aChannel({ id: 1, name: 'main' }))
    const conflicts = [{ field: 'name', was: 'main', now: 'by one', yours: 'by two' }]
    plane.fail(channels.update, 409, { success: false, message: 'changed', field: 'was', data: { conflicts } })
    const view = await open('/channel/edit/1')

    fireEvent.change(await screen.findByLabelText(/^名称/), { target: { value: 'by two' } })
    await view.user.click(screen.getByRole('button', { name: '保存' }))
    expect(await screen.findByText('内容已被他人修改')).toBeTruthy()
    expect(screen.getByText(/当前为“by one”；/)).toBeTruthy()
    expect(plane.to(channels.update)[0]?.body).toEqual({ id: 1, name: 'by two', was: { name: 'main' } })
    plane.answer(channels.update, aChannel())
    await view.user.click(screen.getByRole('button', { name: '保存我的修改' }))

    expect(await screen.findByText('渠道更新成功！')).toBeTruthy()
    expect(plane.to(channels.update)[1]?.body).toEqual({ id: 1, name: 'by two', was: { name: 'by one' } })
  })

  it('needs a key to fetch models for a new channel, and says when fetching fails', async () => {
    plane.refuse(channels.fetchModelsOf, 'status code: 401')
    const view = await open('/channel/add')

    await view.user.click(await screen.findByRole('button', { name: '从上游获取' }))
    expect(await screen.findByText('请填写密钥')).toBeTruthy()
    fireEvent.change(screen.getByLabelText(/^密钥/), { target: { value: 'sk-1' } })
    await view.user.click(screen.getByRole('button', { name: '从上游获取' }))

    expect(await screen.findByText('获取模型列表失败')).toBeTruthy()
    expect(plane.to(channels.fetchModelsOf)[0]?.body).toEqual({ base_url: '', type: 1, key: 'sk-1' })
  })

  it('adds typed models and names repeated ones', async () => {
    plane.answer(channels.get, aChannel({ id: 1, models: 'gpt-4o' }))
    const view = await open('/channel/edit/1')

    fireEvent.change(await screen.findByLabelText('自定义模型名称'), { target: { value: 'gpt-4o,my-model' } })
    await view.user.click(screen.getByRole('button', { name: '加入' }))

    expect(await screen.findByText('某些模型已存在！')).toBeTruthy()
    // As a chip, and as something to test with.
    expect(screen.getAllByText('my-model')).toHaveLength(2)
  })

  it('needs a model', async () => {
    plane.answer(models.presets, { '1': [] })
    const view = await open('/channel/add')
    const drawer = within(await screen.findByRole('dialog'))

    await view.user.type(drawer.getByLabelText(/^名称/), 'x')
    await view.user.type(drawer.getByLabelText(/^密钥/), 'sk-x')
    await view.user.click(drawer.getByRole('button', { name: '清空模型' }))
    await view.user.click(drawer.getByRole('button', { name: '创建' }))

    expect(await screen.findAllByText('请至少选择一个模型！')).not.toHaveLength(0)
    expect(plane.to(channels.create)).toHaveLength(0)
  })

  it('refuses a model mapping that is no JSON and names the line', async () => {
    plane.answer(channels.get, aChannel({ id: 1, model_mapping: '{\n  "a" "b"\n}' }))
    const view = await open('/channel/edit/1')

    fireEvent.change(await screen.findByLabelText(/^名称/), { target: { value: 'x' } })
    await view.user.click(screen.getByRole('button', { name: '保存' }))

    expect(await screen.findByText('模型映射必须是合法的 JSON 格式！')).toBeTruthy()
    expect(screen.getByText(/第 2 行，第 7 列/)).toBeTruthy()
    expect(plane.to(channels.update)).toHaveLength(0)
  })
})

describe('the tag drawer', () => {
  beforeEach(() => plane.answer(channels.search, [aChannel({ id: 1, tag: 'openai' })]))

  it('says when nothing was changed', async () => {
    const view = await open('/channel?tag=openai')

    await view.user.click(await screen.findByRole('button', { name: '保存' }))

    expect(await screen.findByText('没有任何修改！')).toBeTruthy()
  })

  it('shows what another administrator made of its channels, and saves the models of both', async () => {
    plane.answer(channels.search, [aChannel({ id: 1, tag: 'openai', models: 'a,b', priority: 0 })])
    const conflicts = [{ field: 'models', was: 'a,b', now: 'a,b,c', yours: 'a', merged: 'a,c' }]
    plane.fail(channels.updateTag, 409, { success: false, message: 'changed', field: 'was', data: { conflicts } })
    const view = await open('/channel?tag=openai')
    await view.user.click(await screen.findByRole('button', { name: '移除 b' }))
    await view.user.click(screen.getByRole('button', { name: '保存' }))

    expect(await screen.findByText('内容已被他人修改')).toBeTruthy()
    expect(plane.to(channels.updateTag)[0]?.body).toEqual({ tag: 'openai', models: 'a', was: { models: 'a,b' } })
    plane.answer(channels.updateTag, undefined)
    await view.user.click(screen.getByRole('button', { name: '保存我的修改' }))

    await waitFor(() => expect(plane.to(channels.updateTag)[1]?.body).toEqual({ tag: 'openai', models: 'a,c', was: { models: 'a,b,c' } }))
  })

  it('dissolves the tag when its name is emptied, after asking', async () => {
    plane.answer(channels.updateTag, undefined)
    const view = await open('/channel?tag=openai')

    fireEvent.change(await screen.findByLabelText('标签名称'), { target: { value: '' } })
    await view.user.click(screen.getByRole('button', { name: '保存' }))
    await view.user.click(await screen.findByRole('button', { name: '解散' }))

    await waitFor(() => expect(plane.to(channels.updateTag)[0]?.body).toEqual({ tag: 'openai', new_tag: '', was: {} }))
  })
})
