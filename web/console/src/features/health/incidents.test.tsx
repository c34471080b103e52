import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { health } from '@tollgate/contracts/resources/health'
import { statusIncidents, type StatusIncident } from '@tollgate/contracts/resources/status-page'
import { beforeEach, describe, expect, it } from 'vitest'
import { planeForTests } from '../../testing/plane.ts'
import { open } from '../../testing/render.tsx'
import { session } from '../../lib/session.ts'
import { aStoredUser } from '../../testing/factories.ts'

const plane = planeForTests()
const proposed: StatusIncident = {
  id: 4,
  title: '',
  state: 'investigating',
  groups: ['gpt'],
  is_public: false,
  cause: '#7 east',
  started_at: 1_790_000_000,
  resolved_at: 0,
  changed_at: 1_790_000_000,
  updates: [],
}
const listed = (incidents: StatusIncident[], is_on = true) =>
  plane.answer(statusIncidents.list, { is_on, groups: ['claude', 'gpt'], incidents })
beforeEach(() => {
  session.start(aStoredUser({ role: 10 }))
  plane.fail(health.get, 503)
})

describe('incidents of the status page', () => {
  it('are reached from the health page, and say what belongs there', async () => {
    listed([], false)
    const view = await open('/health')
    await view.user.click(await screen.findByRole('button', { name: '状态页' }))

    expect(await screen.findByText('没有事件')).toBeTruthy()
    expect(screen.getByText('已关闭')).toBeTruthy()
    await waitFor(() => expect(view.address()).toBe('/health#incidents'))
  })

  it('that channel health proposed need a title and a confirmation to be published', async () => {
    listed([proposed])
    plane.answer(statusIncidents.update, undefined)
    const view = await open('/health#incidents')
    expect(await screen.findByText('原因（仅管理员可见）：#7 east')).toBeTruthy()
    await view.user.click(screen.getByRole('button', { name: '编辑事件 · 渠道健康检查提出的事件' }))
    const form = within(await screen.findByRole('dialog'))
    await view.user.click(form.getByLabelText('公开'))
    await view.user.click(form.getByRole('button', { name: '保存' }))
    expect(form.getByText('请输入标题')).toBeTruthy()

    fireEvent.change(form.getByLabelText(/^标题/), { target: { value: 'GPT 变慢' } })
    await view.user.click(form.getByRole('button', { name: '保存' }))
    expect(plane.to(statusIncidents.update)).toHaveLength(0)
    await view.user.click(await screen.findByRole('button', { name: '发布' }))

    await waitFor(() => expect(plane.to(statusIncidents.update)).toHaveLength(1))
    expect(plane.to(statusIncidents.update)[0]?.body).toEqual({ title: 'GPT 变慢', groups: ['gpt'], is_public: true })
  })

  it('get an update that resolves them', async () => {
    listed([{ ...proposed, title: '变慢', is_public: true }])
    plane.answer(statusIncidents.addUpdate, undefined)
    const view = await open('/health#incidents')
    await view.user.click(await screen.findByRole('button', { name: '添加进展 · 变慢' }))
    const form = within(await screen.findByRole('dialog'))
    await view.user.selectOptions(form.getByLabelText('状态'), '已解决')
    fireEvent.change(form.getByLabelText(/^内容/), { target: { value: '已恢复。' } })
    await view.user.click(form.getByRole('button', { name: '创建' }))

    await waitFor(() => expect(plane.to(statusIncidents.addUpdate)[0]?.body).toEqual({ state: 'resolved', text: '已恢复。' }))
  })
})
