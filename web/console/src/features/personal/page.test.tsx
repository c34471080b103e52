import { screen, waitFor, within } from '@testing-library/react'
import { audit } from '@tollgate/contracts/resources/audit'
import { deliveries, type OutboxEntry } from '@tollgate/contracts/resources/deliveries'
import { self } from '@tollgate/contracts/resources/self'
import { beforeEach, describe, expect, it } from 'vitest'
import { session } from '../../lib/session.ts'
import { aStoredUser, aUser } from '../../testing/factories.ts'
import { planeForTests } from '../../testing/plane.ts'
import { open } from '../../testing/render.tsx'

const plane = planeForTests()
const aNotice: OutboxEntry = {
  id: 3,
  channel: 'mail',
  target: 'lin@example.com',
  template: 'test',
  user_id: 7,
  state: 'dead',
  attempts: 9,
  created_at: 1_700_000_000,
  due_at: 0,
  ended_at: 1_700_000_100,
  error: '554 no such mailbox',
}
const models = Array.from({ length: 12 }, (_, at) => `model-${at}`)

beforeEach(() => {
  session.start(aStoredUser({ id: 7, username: 'lin', role: 1 }))
  plane.answer(
    self.get,
    aUser({
      id: 7,
      username: 'lin',
      role: 1,
      quota: 500_000,
      used_quota: 1_500_000,
      request_count: 4_321,
      aff_quota: 750_000,
      aff_history_quota: 1_000_000,
      aff_count: 3,
    }),
  )
  plane.answer(self.models, models)
  plane.answer(self.inviteCode, 'abcd1234')
  plane.answer(deliveries.listOwn, { items: [], total: 0, page: 1, page_size: 5 })
  plane.answer(audit.listOwn, { items: [], total: 0, page: 1, page_size: 10 })
})
const panel = (name: string) => screen.findByRole('region', { name })

describe('the own account', () => {
  it('reads the own actions when they are opened', async () => {
    const view = await open('/personal')
    const actions = await panel('我的操作记录')
    expect(plane.to(audit.listOwn)).toHaveLength(0)

    await view.user.click(within(actions).getByRole('button', { name: '展开' }))

    expect(await within(actions).findByText('还没有记录。')).toBeTruthy()
  })

  it('shows the profile, and ten models until all are asked for', async () => {
    const view = await open('/personal')
    const profile = await panel('个人资料')
    for (const text of ['普通用户', '7', 'default', '$1.00', '$3.00', '4,321']) expect(within(profile).getByText(text)).toBeTruthy()
    const list = await panel('可用模型')
    await within(list).findByText('model-9')
    expect(within(list).queryByText('model-10')).toBeNull()
    await view.user.click(within(list).getByRole('button', { name: '展开全部 12 个' }))
    expect(within(list).getByText('model-11')).toBeTruthy()
    expect(localStorage.getItem('models-expanded')).toBe('true')
    view.unmount()

    await open('/personal')
    expect(await within(await panel('可用模型')).findByText('model-11')).toBeTruthy()
  })

  it.each([
    [1, '普通用户'],
    [10, '管理员'],
    [100, '管理员'],
  ])('tags role %i as %s', async (role, text) => {
    plane.answer(self.get, aUser({ id: 7, username: 'lin', role }))
    await open('/personal')

    expect(within(await panel('个人资料')).getByText(text)).toBeTruthy()
  })

  it('has the invite link, and moves earnings of at least one unit to the balance', async () => {
    plane.answer(self.transferInviteQuota, undefined)
    const view = await open('/personal')
    const invites = await panel('邀请好友')
    expect(await within(invites).findByDisplayValue(/\/register\?aff=abcd1234$/)).toBeTruthy()
    await view.user.click(within(invites).getByRole('button', { name: '复制' }))
    expect(await screen.findByText('邀请链接已复制到剪切板')).toBeTruthy()
    expect(await navigator.clipboard.readText()).toMatch(/^http.*\/register\?aff=abcd1234$/)
    for (const text of ['$1.50', '$2.00', '3']) expect(within(invites).getByText(text)).toBeTruthy()
    await view.user.click(within(invites).getByRole('button', { name: '划转' }))
    const dialog = await screen.findByRole('dialog')
    const dollars = within(dialog).getByLabelText('划转额度（美元）')
    await view.user.clear(dollars)
    await view.user.type(dollars, '0.5')
    await view.user.click(within(dialog).getByRole('button', { name: '划转' }))
    expect(within(dialog).getByText('划转金额最低为$1.00')).toBeTruthy()
    await view.user.clear(dollars)
    await view.user.type(dollars, '1.5')
    await view.user.click(within(dialog).getByRole('button', { name: '划转' }))
    await waitFor(() => expect(plane.to(self.transferInviteQuota)[0]?.body).toEqual({ quota: 750_000 }))
    expect(await screen.findByText('划转成功')).toBeTruthy()
  })

  it('changes the password with the current one, after both entries agree', async () => {
    plane.answer(self.update, undefined)
    const view = await open('/personal')
    await view.user.click(within(await panel('账户')).getByRole('button', { name: '修改密码' }))
    const dialog = await screen.findByRole('dialog')
    await view.user.type(within(dialog).getByLabelText('当前密码'), 'old-password')
    await view.user.type(within(dialog).getByLabelText('新密码'), 'new-password')
    await view.user.type(within(dialog).getByLabelText('确认新密码'), 'new-passwort')
    await view.user.click(within(dialog).getByRole('button', { name: '修改密码' }))
    expect(within(dialog).getByText('两次输入的密码不一致！')).toBeTruthy()
    await view.user.type(within(dialog).getByLabelText('确认新密码'), '{Backspace}d')
    await view.user.click(within(dialog).getByRole('button', { name: '修改密码' }))
    expect(await screen.findByText('密码修改成功！')).toBeTruthy()
    expect(plane.to(self.update)[0]?.body).toEqual({ password: 'new-password', original_password: 'old-password' })
  })

  it('creates a system access token once that is confirmed, copies it, and shows it once', async () => {
    plane.answer(self.createAccessToken, 'system-token-1')
    const view = await open('/personal')
    await view.user.click(within(await panel('账户')).getByRole('button', { name: '生成令牌' }))
    const question = within(await screen.findByRole('alertdialog', { name: '生成新的系统访问令牌？' }))
    expect(plane.to(self.createAccessToken)).toHaveLength(0)
    await view.user.click(question.getByRole('button', { name: '生成令牌' }))

    expect(await screen.findByText('令牌已重置并已复制到剪贴板')).toBeTruthy()
    expect(await navigator.clipboard.readText()).toBe('system-token-1')
    expect(plane.to(self.createAccessToken).map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /api/user/token'])
    await waitFor(() => expect(screen.queryByText('生成新的系统访问令牌？')).toBeNull())
    const dialog = await screen.findByRole('alertdialog', { name: '系统访问令牌' })
    expect(within(dialog).getByText('system-token-1')).toBeTruthy()
    expect(within(dialog).queryByRole('button', { name: '取消' })).toBeNull()
    await view.user.keyboard('{Escape}')
    await view.user.click(within(dialog).getByRole('button', { name: '我已保存' }))
    await waitFor(() => expect(screen.queryByText('system-token-1')).toBeNull())
  })

  it('creates the first system access token without a question: no other token ends', async () => {
    plane.answer(self.get, { ...aUser({ id: 7, username: 'lin', role: 1 }), has_access_token: false })
    plane.answer(self.createAccessToken, 'system-token-1')
    const view = await open('/personal')
    await view.user.click(within(await panel('账户')).getByRole('button', { name: '生成令牌' }))

    const shown = await screen.findByRole('alertdialog', { name: '系统访问令牌' })
    expect(within(shown).getByText('system-token-1')).toBeTruthy()
    expect(plane.to(self.createAccessToken)).toHaveLength(1)
  })

  it('saves where and when to notify, by mail or webhook', async () => {
    plane.answer(self.updateSetting, undefined)
    const view = await open('/personal')
    const preferences = within(await panel('偏好设置'))
    expect(preferences.getByLabelText<HTMLInputElement>('额度预警阈值').value).toBe('1000')
    expect(preferences.getByText(/两小时内最多通知一次/)).toBeTruthy()
    await view.user.click(preferences.getByRole('button', { name: '1000000 (2$)' }))
    await view.user.selectOptions(preferences.getByLabelText('通知方式'), 'Webhook')
    await view.user.type(preferences.getByLabelText('Webhook 地址'), 'http://hook.example')
    await view.user.click(preferences.getByRole('button', { name: '保存' }))
    expect(await preferences.findByText('请输入以 https:// 开头的地址')).toBeTruthy()
    await view.user.clear(preferences.getByLabelText('Webhook 地址'))
    await view.user.type(preferences.getByLabelText('Webhook 地址'), 'https://hook.example/a')
    await view.user.type(preferences.getByLabelText('Webhook 密钥'), 'shared')
    await view.user.click(preferences.getByRole('button', { name: '保存' }))

    expect(await screen.findByText('通知设置已更新')).toBeTruthy()
    expect(plane.to(self.updateSetting)[0]?.body).toEqual({
      notify_type: 'webhook',
      quota_warning_threshold: 1_000_000,
      notification_email: '',
      webhook_url: 'https://hook.example/a',
      webhook_secret: 'shared',
    })
  })

  it('notifies by mail, at an address of its own', async () => {
    plane.answer(self.updateSetting, undefined)
    plane.answer(
      self.get,
      aUser({
        id: 7,
        username: 'lin',
        role: 1,
        setting: JSON.stringify({ notify_type: 'webhook', webhook_url: 'https://hook.example/a' }),
      }),
    )
    const view = await open('/personal')
    const preferences = within(await panel('偏好设置'))
    const kind = preferences.getByLabelText<HTMLSelectElement>('通知方式')
    expect([...kind.options].map(({ value }) => value)).toEqual(['email', 'webhook'])

    await view.user.selectOptions(kind, 'email')
    await view.user.click(preferences.getByRole('button', { name: '保存' }))
    expect(await screen.findByText('通知设置已更新')).toBeTruthy()
    expect(plane.to(self.updateSetting)[0]?.body).toMatchObject({ notify_type: 'email' })
  })

  it('says that settings were not saved, and why', async () => {
    plane.refuse(self.updateSetting, '无效的Webhook地址', 'webhook_url')
    const view = await open('/personal')
    const preferences = within(await panel('偏好设置'))
    await view.user.selectOptions(preferences.getByLabelText('通知方式'), 'Webhook')
    await view.user.type(preferences.getByLabelText('Webhook 地址'), 'https://user@hook.example')
    await view.user.click(preferences.getByRole('button', { name: '保存' }))

    expect(await screen.findByText('更新通知设置失败')).toBeTruthy()
    expect(await preferences.findByText('无效的Webhook地址')).toBeTruthy()
  })

  it('sends a test notification, and shows what became of it', async () => {
    plane.answer(deliveries.testOwn, undefined)
    const view = await open('/personal')
    const preferences = within(await panel('偏好设置'))
    await preferences.findByText('还没有发给你的通知。')
    plane.answer(deliveries.listOwn, { items: [aNotice], total: 1, page: 1, page_size: 5 })
    await view.user.click(preferences.getByRole('button', { name: '发送测试通知' }))

    expect(await screen.findByText('测试通知已发出，结果见下方记录')).toBeTruthy()
    expect(await preferences.findByText('邮件服务器返回：554 no such mailbox')).toBeTruthy()
    expect(preferences.getByText('已失败')).toBeTruthy()
  })

  it('saves the price setting at once', async () => {
    plane.answer(self.updateSetting, undefined)
    const view = await open('/personal')
    const preferences = await panel('偏好设置')
    await view.user.click(within(preferences).getByRole('tab', { name: '价格设置' }))
    await view.user.click(await within(preferences).findByLabelText('接受未设置价格的模型'))
    expect(await screen.findByText('通知设置已更新')).toBeTruthy()
    expect(plane.to(self.updateSetting)[0]?.body).toEqual({ accept_unset_model_ratio_model: true })
  })

  it('deletes the account only after the own name was typed, and leaves', async () => {
    plane.answer(self.remove, undefined)
    const view = await open('/personal')
    await view.user.click(within(await panel('账户')).getByRole('button', { name: '删除账户' }))
    const dialog = await screen.findByRole('dialog')
    await view.user.click(within(dialog).getByRole('button', { name: '删除账户' }))
    expect(within(dialog).getByText('请输入你的账户名以确认删除！')).toBeTruthy()
    await view.user.type(within(dialog).getByRole('textbox'), 'li')
    await view.user.click(within(dialog).getByRole('button', { name: '删除账户' }))
    expect(within(dialog).getByText('请输入你的账户名以确认删除！')).toBeTruthy()
    expect(plane.to(self.remove)).toHaveLength(0)
    await view.user.type(within(dialog).getByRole('textbox'), 'n')
    await view.user.click(within(dialog).getByRole('button', { name: '删除账户' }))
    expect(await screen.findByText('账户已删除！')).toBeTruthy()
    expect([session.user(), localStorage.getItem('user')]).toEqual([undefined, null])
    await waitFor(() => expect(view.address()).toBe('/login'))
  })
})
