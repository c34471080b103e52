import { screen, waitFor, within } from '@testing-library/react'
import { audit, type AuditEntry } from '@tollgate/contracts/resources/audit'
import { beforeEach, describe, expect, it } from 'vitest'
import { session } from '../../lib/session.ts'
import { aStoredUser } from '../../testing/factories.ts'
import { planeForTests } from '../../testing/plane.ts'
import { open } from '../../testing/render.tsx'

const plane = planeForTests()
const entry = (change: Partial<AuditEntry>): AuditEntry => ({
  id: 1,
  created_at: 1_700_000_000,
  actor_id: 1,
  actor_name: 'root',
  actor_role: 100,
  ip: '203.0.113.7',
  action: 'update',
  resource: 'user',
  resource_id: '7',
  resource_name: 'lin',
  changes: [{ field: 'group', before: 'default', after: 'vip' }, { field: 'password' }],
  ...change,
})

beforeEach(() => {
  session.start(aStoredUser())
  plane.answer(audit.list, {
    items: [entry({}), entry({ id: 2, actor_id: 0, action: 'fold', changes: [] })],
    total: 2,
    page: 1,
    page_size: 10,
  })
})

describe('the audit log', () => {
  it('says who did what to which thing, and shows values but no secrets', async () => {
    const view = await open('/audit')
    const row = (await screen.findByText('root (#1)')).closest('tr') ?? document.body
    for (const text of ['修改', '用户 7 · lin', 'group: default → vip, password', '203.0.113.7'])
      expect(within(row).getByText(text)).toBeTruthy()
    expect(screen.getByText('系统')).toBeTruthy()
    expect(screen.getByText('fold')).toBeTruthy()

    await view.user.click(within(row).getByText('用户 7 · lin'))

    const drawer = within(await screen.findByRole('dialog', { name: '修改 · 用户 7 · lin' }))
    expect(drawer.getByText('default')).toBeTruthy()
    expect(drawer.getByText('vip')).toBeTruthy()
    expect(drawer.getByText(/不显示内容/)).toBeTruthy()
  })

  it('is filtered by object and actor, in the address', async () => {
    const view = await open('/audit?actor=7')
    await waitFor(() => expect(plane.to(audit.list)[0]?.query).toMatchObject({ actor_id: '7', resource: '' }))
    await view.user.selectOptions(await screen.findByLabelText('对象'), '渠道')

    await waitFor(() => expect(plane.to(audit.list).at(-1)?.query).toMatchObject({ actor_id: '7', resource: 'channel' }))
    expect(view.address()).toBe('/audit?resource=channel&actor=7')
  })
})
