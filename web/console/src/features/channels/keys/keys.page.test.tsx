import { screen, waitFor, within } from '@testing-library/react'
import { channelBatches } from '@tollgate/contracts/resources/channel-batches'
import { channelKeys } from '@tollgate/contracts/resources/channel-keys'
import type { ChannelKey } from '@tollgate/contracts/channels/channel-keys'
import { channels } from '@tollgate/contracts/resources/channels'
import { groups } from '@tollgate/contracts/resources/groups'
import { models } from '@tollgate/contracts/resources/models'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { session } from '../../../lib/session.ts'
import { aChannel } from '../../../testing/channel-factories.ts'
import { aStoredUser } from '../../../testing/factories.ts'
import { pick } from '../../../testing/pick.ts'
import { planeForTests } from '../../../testing/plane.ts'
import { open } from '../../../testing/render.tsx'
import { keysFound } from './keys-view.ts'

const plane = planeForTests()
/** A part that is loaded when it is first shown. */
const LAZY = { timeout: 15_000 }

const aKey = (over: Partial<ChannelKey>): ChannelKey => ({
  key_id: 'k1',
  tail: 'AAAA',
  state: 'enabled',
  reason: '',
  time: 0,
  status: 0,
  expires_at: 0,
  added_at: 0,
  replaced_by: '',
  ...over,
})

// Loaded before the first test, whose time it would take.
beforeAll(async () => {
  await import('../form/drawer.tsx')
  await import('./keys-section.tsx')
}, 60_000)

beforeEach(() => {
  session.start(aStoredUser())
  plane.answer(groups.list, ['default'])
  plane.answer(models.presets, {})
  plane.answer(channels.models, [])
  plane.answer(channels.list, [aChannel({ id: 1 })])
  plane.answer(channels.get, aChannel({ id: 1 }))
  plane.answer(channelKeys.list, [
    aKey({ key_id: 'k1', tail: 'AAAA', balance: { amount: 7.5, at: 1_750_000_000, detail: '' } }),
    aKey({ key_id: 'k2', tail: 'BBBB', state: 'auto-disabled', reason: '401 invalid_api_key', time: 1_750_000_000, status: 401 }),
  ])
})

const openKeys = async () => {
  const view = await open('/channel/edit/1')
  // Found by text: a query by role walks the whole drawer each time.
  const section = (await screen.findByText('共 2 个密钥，1 个可用', {}, LAZY)).closest('section')
  if (section === null) throw new Error('the keys have no section')
  const keys = within(section)
  return { ...view, keys }
}

describe('the keys of a channel', () => {
  it('show their state with the evidence, and one that was refused can be enabled', async () => {
    plane.answer(channelKeys.update, undefined)
    const { keys, user } = await openKeys()
    expect(keys.getByText(/^上游返回：401 invalid_api_key · /)).toBeTruthy()
    expect(keys.getByText(/^余额 \$7\.50/)).toBeTruthy()

    await user.click(keys.getByRole('button', { name: '密钥 …BBBB' }))
    await pick(user, '启用')

    await waitFor(() => expect(plane.to(channelKeys.update)[0]?.body).toEqual({ key_ids: ['k2'], action: 'enable' }))
  })

  it('say when they cannot be read, and are read again on request', async () => {
    plane.fail(channelKeys.list, 503)
    const { user } = await open('/channel/edit/1')

    const retry = await screen.findByRole('button', { name: '重试' }, LAZY)
    plane.answer(channelKeys.list, [aKey({ key_id: 'k1' }), aKey({ key_id: 'k2' })])
    await user.click(retry)

    expect(await screen.findByText('共 2 个密钥，2 个可用')).toBeTruthy()
  })

  it('are tested one by one', async () => {
    plane.answer(channels.test, { success: true, message: '', time: 1.24, key: '…BBBB' })
    const { keys, user } = await openKeys()

    await user.click(keys.getByRole('button', { name: '密钥 …BBBB' }))
    await pick(user, '测试')

    expect(await screen.findByText('密钥 …BBBB 测试成功，用时 1.24 s')).toBeTruthy()
    expect(plane.to(channels.test)[0]?.query).toEqual({ key_id: 'k2' })
  })

  it('are added in bulk with an expiry', async () => {
    plane.answer(channelKeys.add, { added: 2, known: 1 })
    const { keys, user } = await openKeys()

    await user.click(keys.getByRole('button', { name: '添加密钥' }))
    const dialog = within(await screen.findByRole('dialog', { name: '添加密钥' }))
    await user.type(dialog.getByLabelText(/^新密钥/), 'sk-a{Enter}sk-b')
    await user.type(dialog.getByLabelText('到期时间'), '2027-01-02 03:04:05')
    await user.click(dialog.getByRole('button', { name: '添加密钥' }))

    expect(await screen.findByText('新增 2 个密钥，已有 1 个')).toBeTruthy()
    const expires_at = new Date(2027, 0, 2, 3, 4, 5).getTime() / 1000
    expect(plane.to(channelKeys.add)[0]?.body).toEqual({ keys: 'sk-a\nsk-b', expires_at })
  })

  it('are replaced with an overlap', async () => {
    plane.answer(channelKeys.rotate, undefined)
    const { keys, user } = await openKeys()

    await user.click(keys.getByRole('button', { name: '密钥 …AAAA' }))
    await pick(user, '更换')
    const dialog = within(await screen.findByRole('dialog', { name: '更换密钥 …AAAA' }))
    await user.type(dialog.getByLabelText(/^新密钥/), 'sk-new')
    await user.click(dialog.getByRole('button', { name: '更换' }))

    await waitFor(() => expect(plane.to(channelKeys.rotate)[0]?.body).toEqual({ key_id: 'k1', key: 'sk-new', overlap_hours: 24 }))
  })
})

describe('a batch edit', () => {
  it('lists what would change before it is made', async () => {
    plane.answer(channels.list, [aChannel({ id: 1, name: 'one' }), aChannel({ id: 2, name: 'two' })])
    plane.answer(channelBatches.preview, [{ id: 2, name: 'two', changes: [{ field: 'priority', before: '0', after: '7' }], version: 'v1' }])
    plane.answer(channelBatches.edit, 1)
    const { user } = await open('/channel')
    await screen.findByText('one')

    await user.click(screen.getByRole('checkbox', { name: '全选本页' }))
    await user.click(await screen.findByRole('button', { name: '批量编辑' }))
    const drawer = within(await screen.findByRole('dialog', { name: '批量编辑 2 个渠道' }, LAZY))
    await user.click(drawer.getByRole('checkbox', { name: '修改优先级' }))
    await user.type(drawer.getByLabelText('优先级'), '7')
    await user.click(drawer.getByRole('button', { name: '预览' }))

    expect(await drawer.findByText('1 个渠道会改变')).toBeTruthy()
    expect(plane.to(channelBatches.edit)).toHaveLength(0)
    await user.click(drawer.getByRole('button', { name: '修改 1 个渠道' }))
    expect(await screen.findByText('已修改 1 个渠道')).toBeTruthy()
    expect(plane.to(channelBatches.edit)[0]?.body).toEqual({ ids: [1, 2], change: { priority: 7 }, seen: { 2: 'v1' } })
  })

  it('shows the new list when another administrator changed a channel meanwhile', async () => {
    const edited = (before: string, version: string) => [
      { id: 1, name: 'one', changes: [{ field: 'priority', before, after: '7' }], version },
    ]
    plane.answer(channels.list, [aChannel({ id: 1, name: 'one' })])
    plane.answer(channelBatches.preview, edited('0', 'v1'))
    plane.fail(channelBatches.edit, 409, { success: false, message: '已被修改：one', field: 'was' })
    const { user } = await open('/channel')
    await screen.findByText('one')
    await user.click(screen.getByRole('checkbox', { name: '全选本页' }))
    await user.click(await screen.findByRole('button', { name: '批量编辑' }))
    const drawer = within(await screen.findByRole('dialog', { name: '批量编辑 1 个渠道' }, LAZY))
    await user.click(drawer.getByRole('checkbox', { name: '修改优先级' }))
    await user.type(drawer.getByLabelText('优先级'), '7')
    await user.click(drawer.getByRole('button', { name: '预览' }))
    plane.answer(channelBatches.preview, edited('3', 'v2'))

    await user.click(await drawer.findByRole('button', { name: '修改 1 个渠道' }))
    expect(await drawer.findByText('下面是现在将要做的修改，确认后请再次保存。')).toBeTruthy()
    expect(await drawer.findByText('3')).toBeTruthy()
    plane.answer(channelBatches.edit, 1)
    await user.click(drawer.getByRole('button', { name: '修改 1 个渠道' }))

    await waitFor(() => expect(plane.to(channelBatches.edit)[1]?.body).toMatchObject({ seen: { 1: 'v2' } }))
  })
})

describe('keysFound', () => {
  it.each([
    ['the last four', 'BBBB', ['k2']],
    ['the end of them', 'BB', ['k2']],
    ['the whole key', 'sk-proj-0123BBBB', ['k2']],
    ['nothing', ' ', ['k1', 'k2']],
    ['other characters', 'CCCC', []],
  ])('finds keys by %s', (_, text, found) => {
    const keys = [aKey({ key_id: 'k1' }), aKey({ key_id: 'k2', tail: 'BBBB' })]

    expect(keysFound(keys, text).map(({ key_id }) => key_id)).toEqual(found)
  })
})
