import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { setup } from '@tollgate/contracts/resources/setup'
import { status } from '@tollgate/contracts/resources/status'
import { tokens } from '@tollgate/contracts/resources/tokens'
import { beforeEach, describe, expect, it } from 'vitest'
import { session } from '../../lib/session.ts'
import { aFirstRun, aStoredUser } from '../../testing/factories.ts'
import { planeForTests } from '../../testing/plane.ts'
import { open } from '../../testing/render.tsx'

const channel = { id: 3, name: 'main', model: 'gpt-4o-mini' }
const tested_channel = { id: 3, time_ms: 512 }

const plane = planeForTests()
beforeEach(() => {
  session.start(aStoredUser())
  plane.answer(tokens.list, [])
  plane.answer(tokens.count, { total: 0 })
  plane.answer(status.homePage, '')
  plane.answer(setup.firstRun, aFirstRun({ channel, tested_channel }))
})

describe('the way back to the checklist', () => {
  it('stands above the page and in the sidebar with how far it is and what is next', async () => {
    await open('/token')

    const banner = await screen.findByRole('region', { name: '开始使用' })
    expect(banner.textContent).toContain('开始使用：已完成 2/5 步，下一步是“设置价格”')
    expect(within(banner).getByRole('link', { name: '继续' }).getAttribute('href')).toBe('/')
    expect(screen.getByRole('link', { name: '开始使用 2/5' }).getAttribute('href')).toBe('/')
  })

  it('stands as it was last read when the page is loaded again, until the answer comes', async () => {
    await open('/token')
    await screen.findByRole('region', { name: '开始使用' })
    cleanup()
    plane.fail(setup.firstRun, 503)

    await open('/token')

    expect((await screen.findByRole('region', { name: '开始使用' })).textContent).toContain('已完成 2/5 步')
  })

  it('goes away for good when it is put away', async () => {
    const view = await open('/token')

    await view.user.click(await screen.findByRole('button', { name: '不再提示' }))

    await waitFor(() => expect(screen.queryByRole('region', { name: '开始使用' })).toBeNull())
    expect(screen.queryByRole('link', { name: '开始使用 2/5' })).toBeNull()
    expect(localStorage.getItem('checklist-hidden')).toBe('true')
  })

  it('is gone when every step is done', async () => {
    const request = { id: 1, created_at: 1, model_name: 'm' }
    plane.answer(setup.firstRun, aFirstRun({ channel, tested_channel, priced_model: 'm', token: { id: 7, name: 'a' }, request }))
    await open('/token')

    await waitFor(() => expect(plane.to(setup.firstRun).length).toBeGreaterThan(0))
    await screen.findByText('还没有令牌')
    expect(screen.queryByRole('region', { name: '开始使用' })).toBeNull()
  })

  it('is for root only', async () => {
    session.start(aStoredUser({ role: 10 }))
    await open('/token')

    await screen.findByText('还没有令牌')
    expect(plane.to(setup.firstRun)).toHaveLength(0)
  })
})
