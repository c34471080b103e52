import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { logs } from '@tollgate/contracts/resources/logs'
import { self } from '@tollgate/contracts/resources/self'
import { tokens } from '@tollgate/contracts/resources/tokens'
import { parseTimeText } from '@tollgate/domain/display/time-text'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { session } from '../../lib/session.ts'
import { storage } from '../../lib/storage.ts'
import { aToken } from '../../testing/token-factories.ts'
import { aStoredUser } from '../../testing/factories.ts'
import { pick } from '../../testing/pick.ts'
import { planeForTests } from '../../testing/plane.ts'
import { open } from '../../testing/render.tsx'

const plane = planeForTests()

beforeEach(() => {
  session.start(aStoredUser({ role: 1 }))
  plane.answer(self.groups, { default: { ratio: 1, desc: '默认分组' }, vip: { ratio: 1.25, desc: 'VIP' } })
  plane.answer(self.models, ['gpt-4o', 'claude'])
  plane.answer(tokens.list, [
    aToken({ id: 1, name: 'app', group: 'vip' }),
    aToken({ id: 2, name: 'ci', status: 2, model_limits_enabled: true }),
  ])
  plane.answer(tokens.count, { total: 42 })
})

const rowOf = async (name: string): Promise<HTMLElement> => {
  const row = (await screen.findByText(name)).closest('tr')
  if (row === null) throw new Error(`no row for ${name}`)
  return row
}

const copied = () => {
  const write = vi.fn((_text: string) => Promise.resolve())
  vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText: write } })
  return write
}

describe('the token list', () => {
  it('warns, shows status and short key, and the group ratio 0.2 lower with the charged one beside it', async () => {
    await open('/token')

    const row = await rowOf('app')
    expect(screen.getByText('令牌仅供本人使用，请勿转交他人。')).toBeTruthy()
    expect(within(row).getByText('已启用')).toBeTruthy()
    expect(within(row).getByText('sk-aaaa…zzzz')).toBeTruthy()
    await waitFor(() => expect(within(row).getByText('1.05×').dataset['hint']).toBe('实际计费倍率 1.25×'))
    expect(within(row).getByText('计费 1.25×')).toBeTruthy()
  })

  it('shows no group ratio below 0, in the drawer as in the list', async () => {
    plane.answer(self.groups, { default: { ratio: 1, desc: '默认分组' }, vip: { ratio: 0.1, desc: 'VIP' } })
    plane.answer(tokens.get, aToken({ id: 1, name: 'app', group: 'vip' }))
    const view = await open('/token')
    await waitFor(async () => expect(within(await rowOf('app')).getByText('0×').dataset['hint']).toMatch(/^实际计费倍率 0\.1×/))
    await view.user.click(within(await rowOf('app')).getByRole('button', { name: '编辑' }))
    // One dialog waits for the token, another one shows it.
    await waitFor(() => expect(within(screen.getByRole('dialog')).getByText('0×').dataset['hint']).toMatch(/^实际计费倍率 0\.1×/))
  })

  it('asks for the page and size of the reader, counted from 0', async () => {
    storage.set('page-size', 20)
    await open('/token?page=3')

    await waitFor(() => expect(plane.to(tokens.list).map(({ query }) => query)).toContainEqual({ p: '2', size: '20' }))
  })

  it('has ten rows a page, offers four sizes, and keeps the choice for every list', async () => {
    plane.answer(logs.listOwn, { items: [], total: 0, total_is_capped: false, page: 1, page_size: 50 })
    const view = await open('/token')
    const size = await screen.findByRole('combobox', { name: '每页' })
    expect(
      within(size)
        .getAllByRole('option')
        .map(({ textContent }) => textContent),
    ).toEqual(['10', '20', '50', '100'])
    expect(size).toHaveProperty('value', '10')
    expect(plane.to(tokens.list)[0]?.query).toEqual({ p: '0', size: '10' })

    await view.user.selectOptions(size, '50')

    await waitFor(() => expect(plane.to(tokens.list).at(-1)?.query).toEqual({ p: '0', size: '50' }))
    expect(localStorage.getItem('page-size')).toBe('50')
    view.unmount()
    await open('/log')
    await waitFor(() => expect(plane.to(logs.listOwn)[0]?.query).toMatchObject({ p: '1', page_size: '50' }))
  })

  it('says how many there are, which the list itself does not', async () => {
    await open('/token')

    expect(await screen.findByText('第 1–2 条，共 42 条')).toBeTruthy()
  })

  it('searches by name and key, and keeps both in the address', async () => {
    plane.answer(tokens.search, [aToken({ id: 9, name: 'found' })])
    const view = await open('/token')
    await rowOf('app')

    await view.user.type(screen.getByPlaceholderText('按名称搜索'), 'fo{Enter}')

    await rowOf('found')
    expect(view.address()).toBe('/token?keyword=fo')
    expect(plane.to(tokens.search).at(-1)?.query).toEqual({ keyword: 'fo', token: '' })
  })

  it('says what belongs here when there is none', async () => {
    plane.answer(tokens.list, [])
    await open('/token')

    expect(await screen.findByText('还没有令牌')).toBeTruthy()
  })

  it('says what went wrong, and tries again', async () => {
    plane.refuse(tokens.list, '数据库暂时不可用')
    const view = await open('/token')
    await screen.findAllByText('数据库暂时不可用')
    plane.answer(tokens.list, [aToken({ name: 'back' })])

    await view.user.click(screen.getByRole('button', { name: '重试' }))

    await rowOf('back')
  })

  it('enables a disabled token by its status alone', async () => {
    plane.answer(tokens.update, aToken({ id: 2 }))
    const view = await open('/token')

    await view.user.click(within(await rowOf('ci')).getByRole('button', { name: '更多操作' }))
    await pick(view.user, '启用')

    expect(await screen.findByText('操作成功完成！')).toBeTruthy()
    expect(plane.to(tokens.update)[0]).toMatchObject({ query: { status_only: 'true' }, body: { id: 2, status: 1 } })
  })

  it('deletes after naming the token', async () => {
    plane.answer(tokens.remove, undefined)
    plane.answer(tokens.openWork, { tasks: 0, batches: 0, responses: 0 })
    const view = await open('/token')

    await view.user.click(within(await rowOf('app')).getByRole('button', { name: '更多操作' }))
    await pick(view.user, '删除')
    expect(await screen.findByText('删除令牌“app”？')).toBeTruthy()
    await view.user.click(screen.getByRole('button', { name: '删除' }))

    expect(await screen.findByText('操作成功完成！')).toBeTruthy()
    expect(plane.to(tokens.remove).map(({ path, query }) => [path, query])).toEqual([['/api/token/1', { confirm: 'ask' }]])
  })

  it('marks a token that files manage, and warns before it is edited', async () => {
    plane.answer(tokens.list, [aToken({ is_managed: true }), aToken({ id: 2, name: 'ci' })])
    plane.answer(tokens.get, aToken({ is_managed: true }))
    await open('/token?edit=1')

    expect((await screen.findByRole('note')).textContent).toMatch(/^由配置文件管理。 此处的修改会在下次 tollgate apply 时被还原/)
    expect(screen.getAllByText('文件管理')).toHaveLength(1)
  })

  it('warns when a token that files manage is disabled or deleted', async () => {
    plane.answer(tokens.list, [aToken({ is_managed: true })])
    plane.answer(tokens.update, aToken())
    plane.answer(tokens.openWork, { tasks: 0, batches: 0, responses: 0 })
    const view = await open('/token')

    await view.user.click(within(await rowOf('app')).getByRole('button', { name: '更多操作' }))
    await pick(view.user, '禁用')
    expect(await screen.findByText('操作成功完成！ 它由配置文件管理：下次 tollgate apply 会还原此修改。')).toBeTruthy()
    await view.user.click(within(await rowOf('app')).getByRole('button', { name: '更多操作' }))
    await pick(view.user, '删除')
    expect((await screen.findByRole('alertdialog')).textContent).toContain('下次 tollgate apply 会重新创建，并换成新的密钥')
  })

  it('says before a deletion what the token has open', async () => {
    plane.answer(tokens.remove, undefined)
    plane.answer(tokens.openWork, { tasks: 2, batches: 1, responses: 0 })
    const view = await open('/token')

    await view.user.click(within(await rowOf('app')).getByRole('button', { name: '更多操作' }))
    await pick(view.user, '删除')
    expect(await screen.findByText(/3 个未结束的任务/)).toBeTruthy()
    await view.user.click(screen.getByRole('button', { name: '删除' }))

    await waitFor(() => expect(plane.to(tokens.remove)[0]?.query).toEqual({ confirm: 'yes' }))
  })

  it('refuses to copy without a selection, and copies what is selected', async () => {
    const view = await open('/token')
    const write = copied()
    await rowOf('app')

    await view.user.click(screen.getByRole('button', { name: '复制所选令牌' }))
    expect(await screen.findByText('请至少选择一个令牌！')).toBeTruthy()
    await view.user.click(screen.getByRole('checkbox', { name: '选择 app' }))
    await view.user.click(screen.getAllByRole('button', { name: '复制所选令牌' })[0] ?? document.body)

    await waitFor(() => expect(write).toHaveBeenCalledWith(`sk-${aToken().key}`))
    expect(await screen.findByText('已复制到剪贴板！')).toBeTruthy()
  })
})

describe('the token drawer', () => {
  it('requires a name on creation and sends nothing', async () => {
    const view = await open('/token?edit=new')

    await view.user.click(await screen.findByRole('button', { name: '创建' }))

    expect((await screen.findAllByText('请填写令牌名称！')).length).toBeGreaterThan(0)
    expect(plane.to(tokens.create)).toHaveLength(0)
  })

  it('creates with the specified defaults and says where the key is', async () => {
    plane.answer(tokens.create, undefined)
    const view = await open('/token?edit=new')

    await view.user.type(await screen.findByLabelText(/^名称/), 'new app')
    await view.user.click(screen.getByRole('button', { name: '10$' }))
    await view.user.click(screen.getByRole('button', { name: '创建' }))

    expect(await screen.findByText('令牌创建成功，请在列表页面点击复制获取令牌！')).toBeTruthy()
    expect(plane.to(tokens.create)[0]?.body).toEqual({
      name: 'new app',
      remain_quota: 5_000_000,
      expired_time: -1,
      unlimited_quota: false,
      model_limits_enabled: false,
      model_limits: '',
      allow_ips: '',
      group: '',
      cross_group_retry: false,
      limits: null,
      fallback_models: null,
      telemetry_content: false,
      receipt_hashes: false,
    })
    expect(view.address()).toBe('/token')
  })

  it('creates a token without a quota of its own when unlimited is switched on', async () => {
    plane.answer(tokens.create, undefined)
    const view = await open('/token?edit=new')

    await view.user.type(await screen.findByLabelText(/^名称/), 'free')
    expect(screen.getByLabelText('剩余额度')).toBeTruthy()
    await view.user.click(screen.getByRole('checkbox', { name: '无限额度' }))
    expect(screen.queryByLabelText('剩余额度')).toBeNull()
    await view.user.click(screen.getByRole('button', { name: '创建' }))

    expect(await screen.findByText('令牌创建成功，请在列表页面点击复制获取令牌！')).toBeTruthy()
    expect(plane.to(tokens.create).map(({ body }) => body)).toMatchObject([{ name: 'free', unlimited_quota: true }])
  })

  it('refuses an expiry that does not parse', async () => {
    const view = await open('/token?edit=new')

    await view.user.type(await screen.findByLabelText(/^名称/), 'x')
    await view.user.type(screen.getByLabelText('过期时间'), 'soon')
    await view.user.click(screen.getByRole('button', { name: '创建' }))

    expect((await screen.findAllByText('过期时间格式错误！')).length).toBeGreaterThan(0)
    expect(plane.to(tokens.create)).toHaveLength(0)
  })

  it('shows the ratio of the chosen group in the colour of its height', async () => {
    plane.answer(self.groups, { default: { ratio: 1, desc: '默认分组' }, dear: { ratio: 6, desc: 'Dear' } })
    const view = await open('/token?edit=new')
    await view.user.selectOptions(await screen.findByRole('combobox', { name: '分组' }), 'dear')

    const tag = await screen.findByText(/^5\.80?×$/)
    expect(tag.dataset['hint']).toMatch(/^实际计费倍率 6/)
  })

  it('has four colours for the ratios of groups: up to 1, 3, 5, and above', async () => {
    const ratios = { one: 1, half: 0.5, two: 2, three: 3, four: 4, five: 5, six: 6 }
    plane.answer(self.groups, Object.fromEntries(Object.entries(ratios).map(([name, ratio]) => [name, { ratio, desc: name }])))
    const view = await open('/token?edit=new')
    const box = await screen.findByRole('combobox', { name: '分组' })
    const looks = new Map<string, string>()
    for (const name of Object.keys(ratios)) {
      await view.user.selectOptions(box, name)
      looks.set(name, (await within(await screen.findByRole('dialog')).findByText(/^\d+(\.\d+)?×$/)).className)
    }

    const same = (...names: string[]) => new Set(names.map((name) => looks.get(name)))
    expect([same('one', 'half').size, same('two', 'three').size, same('four', 'five').size]).toEqual([1, 1, 1])
    expect(same('one', 'two', 'four', 'six').size).toBe(4)
  })

  it('says so when there is no group to choose', async () => {
    plane.answer(self.groups, {})
    await open('/token?edit=new')

    expect(await screen.findByText('管理员未设置用户可选分组')).toBeTruthy()
  })

  it('saves only the change, and cannot save before there is one', async () => {
    plane.answer(tokens.get, aToken({ id: 1, name: 'app' }))
    plane.answer(tokens.update, aToken({ id: 1 }))
    const view = await open('/token?edit=1')
    const name = await screen.findByLabelText(/^名称/)
    expect(screen.getByRole<HTMLButtonElement>('button', { name: '保存' }).disabled).toBe(true)

    await view.user.type(name, '2')
    await view.user.click(screen.getByRole('button', { name: '保存' }))

    expect(await screen.findByText('令牌更新成功！')).toBeTruthy()
    expect(plane.to(tokens.update)[0]?.body).toEqual({ id: 1, name: 'app2', was: { name: 'app' } })
  })

  it('shows what another page saved meanwhile, and saves the models of both', async () => {
    plane.answer(tokens.get, aToken({ id: 1, model_limits_enabled: true, model_limits: 'a,b' }))
    const conflicts = [{ field: 'model_limits', was: 'a,b', now: 'a,b,c', yours: 'a', merged: 'a,c' }]
    plane.fail(tokens.update, 409, { success: false, message: 'changed', field: 'was', data: { conflicts } })
    const view = await open('/token?edit=1')
    await view.user.click(await screen.findByRole('button', { name: '移除 b' }))
    await view.user.click(screen.getByRole('button', { name: '保存' }))

    expect(await screen.findByText('内容已被他人修改')).toBeTruthy()
    expect(screen.getByText(/a,c/)).toBeTruthy()
    expect(plane.to(tokens.update)[0]?.body).toEqual({ id: 1, model_limits: 'a', was: { model_limits: 'a,b' } })
    plane.answer(tokens.update, aToken({ id: 1 }))
    await view.user.click(screen.getByRole('button', { name: '保存我的修改' }))

    expect(await screen.findByText('令牌更新成功！')).toBeTruthy()
    expect(plane.to(tokens.update)[1]?.body).toEqual({ id: 1, model_limits: 'a,c', was: { model_limits: 'a,b,c' } })
  })

  it('says what is wrong with a field when it is left, and goes to the first mistake on save', async () => {
    const view = await open('/token?edit=new')
    const name = await screen.findByLabelText(/^名称/)
    expect(name.getAttribute('aria-invalid')).not.toBe('true')

    await view.user.click(name)
    await view.user.tab()
    expect(name.getAttribute('aria-invalid')).toBe('true')

    fireEvent.change(screen.getByLabelText('剩余额度'), { target: { value: 'many' } })
    await view.user.click(screen.getByRole('button', { name: '创建' }))
    expect(screen.getByLabelText('剩余额度').getAttribute('aria-invalid')).toBe('true')
    expect(document.activeElement).toBe(name)
    expect(plane.to(tokens.create)).toHaveLength(0)
  })

  it('offers an hour, a day, a month of thirty days, or no expiry', async () => {
    const view = await open('/token?edit=new')
    const box = await screen.findByLabelText<HTMLInputElement>('过期时间')
    const hoursUntil = (): number => Math.round(((parseTimeText(box.value) ?? 0) * 1_000 - Date.now()) / 3_600_000)

    for (const [name, hours] of [
      ['一小时', 1],
      ['一天', 24],
      ['一个月', 720],
    ] as const) {
      await view.user.click(screen.getByRole('button', { name }))
      expect(hoursUntil()).toBe(hours)
    }
    await view.user.click(screen.getByRole('button', { name: '永不过期' }))
    expect(box.value).toBe('')
  })

  it('books a double click once', async () => {
    plane.answer(tokens.get, aToken({ id: 1, remain_quota: 1000 }))
    plane.answer(tokens.update, aToken({ id: 1 }))
    await open('/token?edit=1')
    fireEvent.change(await screen.findByLabelText('剩余额度'), { target: { value: '3000' } })

    const save = screen.getByRole('button', { name: '保存' })
    fireEvent.click(save)
    fireEvent.click(save)

    expect(await screen.findByText('提交失败，请勿重复提交！')).toBeTruthy()
    expect(await screen.findByText('令牌更新成功！')).toBeTruthy()
    expect(plane.to(tokens.update)).toHaveLength(1)
    expect(plane.to(tokens.update)[0]?.body).toMatchObject({ remain_quota: 3000, form_id: expect.stringMatching(/^[0-9a-f]{32}$/) })
  })

  it('keeps what was typed when the server refuses', async () => {
    plane.refuse(tokens.create, '令牌名称过长')
    const view = await open('/token?edit=new')
    const name = await screen.findByLabelText<HTMLInputElement>(/^名称/)

    await view.user.type(name, 'mine')
    await view.user.click(screen.getByRole('button', { name: '创建' }))

    expect(await screen.findByText('令牌名称过长')).toBeTruthy()
    expect(name.value).toBe('mine')
  })

  it('shows a refusal of the server beside the field it is about, until that is changed', async () => {
    plane.refuse(tokens.create, '无效的 IP 地址或网段：10.0.0.1', 'allow_ips')
    const view = await open('/token?edit=new')

    await view.user.type(await screen.findByLabelText(/^名称/), 'mine')
    await view.user.type(screen.getByLabelText('IP 白名单'), '10.0.0.1')
    await view.user.click(screen.getByRole('button', { name: '创建' }))

    expect(await screen.findByText('无效的 IP 地址或网段：10.0.0.1')).toBeTruthy()
    expect(screen.getByLabelText('IP 白名单').getAttribute('aria-invalid')).toBe('true')
    await view.user.type(screen.getByLabelText('IP 白名单'), '{Enter}10.0.0.2')
    expect(screen.queryByText('无效的 IP 地址或网段：10.0.0.1')).toBeNull()
  })

  it('takes an amount in dollars or in quota, and shows the other', async () => {
    const view = await open('/token?edit=new')
    const [dollars, quota] = [
      await screen.findByLabelText<HTMLInputElement>('剩余额度（美元）'),
      screen.getByLabelText<HTMLInputElement>('剩余额度'),
    ]
    expect([dollars.value, quota.value]).toEqual(['1', '500000'])

    await view.user.clear(dollars)
    await view.user.type(dollars, '2.5')
    expect([dollars.value, quota.value]).toEqual(['2.5', '1250000'])
    fireEvent.change(quota, { target: { value: '250000' } })
    expect([dollars.value, quota.value]).toEqual(['0.5', '250000'])
  })

  it('returns the focus to the button that opened it', async () => {
    const view = await open('/token')
    const edit = within(await rowOf('app')).getByRole('button', { name: '编辑' })
    plane.answer(tokens.get, aToken({ id: 1, name: 'app' }))

    await view.user.click(edit)
    await view.user.click(await screen.findByRole('button', { name: '取消' }))

    await waitFor(() => expect(document.activeElement).toBe(edit))
  })

  it('asks before another page takes the place of unsaved input, and stays when told so', async () => {
    plane.answer(logs.listOwn, { items: [], total: 0, total_is_capped: false, page: 1, page_size: 10 })
    plane.answer(logs.statOwn, { quota: 0, rpm: 0, tpm: 0 })
    const view = await open('/token?edit=new')
    await view.user.type(await screen.findByLabelText(/^名称/), 'mine')

    void view.router.navigate({ to: '/log' })
    await view.user.click(await screen.findByRole('button', { name: '继续编辑' }))
    expect(view.address()).toBe('/token?edit=new')
    void view.router.navigate({ to: '/log' })
    await view.user.click(await screen.findByRole('button', { name: '放弃修改' }))

    await waitFor(() => expect(view.router.state.location.pathname).toBe('/log'))
  })

  it('asks before unsaved input is lost', async () => {
    const view = await open('/token?edit=new')
    await view.user.type(await screen.findByLabelText(/^名称/), 'mine')

    await view.user.click(screen.getByRole('button', { name: '取消' }))
    await view.user.click(await screen.findByRole('button', { name: '放弃修改' }))

    await waitFor(() => expect(view.address()).toBe('/token'))
  })

  it('speaks English as well', async () => {
    await open('/token?edit=new', { language: 'en' })

    expect(await screen.findByLabelText('Remaining quota')).toBeTruthy()
  })
})
