import { act, screen, waitFor, within } from '@testing-library/react'
import { channels } from '@tollgate/contracts/resources/channels'
import { imports } from '@tollgate/contracts/resources/imports'
import { status } from '@tollgate/contracts/resources/status'
import { users } from '@tollgate/contracts/resources/users'
import { beforeEach, describe, expect, it } from 'vitest'
import { session } from '../../lib/session.ts'
import { aStatus, aStoredUser } from '../../testing/factories.ts'
import { planeForTests } from '../../testing/plane.ts'
import { open } from '../../testing/render.tsx'

const plane = planeForTests()
beforeEach(() => plane.answer(status.homePage, ''))

const notice = () => screen.findByRole('dialog', { name: '公告' })
const isQuiet = async () => {
  await screen.findByRole('heading', { level: 1 })
  await waitFor(() => expect(plane.to(status.notice)).not.toHaveLength(0))
  expect(screen.queryByRole('dialog')).toBeNull()
}

describe('the notice of the operator', () => {
  it('is shown until it is closed, and once more after each change', async () => {
    plane.answer(status.notice, 'Maintenance at noon')
    const first = await open('/')
    const dialog = await notice()
    expect(await within(dialog).findByText('Maintenance at noon')).toBeTruthy()
    await first.user.click(within(dialog).getByRole('button', { name: '知道了' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    first.unmount()

    const again = await open('/')
    await isQuiet()

    plane.answer(status.notice, 'Maintenance is over')
    await act(() => again.queryClient.invalidateQueries())
    expect(await within(await notice()).findByText('Maintenance is over')).toBeTruthy()
  })

  it('is shown again when it comes back after it was withdrawn', async () => {
    localStorage.setItem('notice-seen', 'Maintenance at noon')
    plane.answer(status.notice, '')
    const view = await open('/')
    await isQuiet()
    await waitFor(() => expect(localStorage.getItem('notice-seen')).toBeNull())

    plane.answer(status.notice, 'Maintenance at noon')
    await act(() => view.queryClient.invalidateQueries())

    expect(await notice()).toBeTruthy()
  })

  it('waits until the drawer of a deep link is closed', async () => {
    session.start(aStoredUser())
    plane.answer(status.notice, 'Maintenance at noon')
    plane.answer(users.search, { items: [], total: 0, page: 1, page_size: 10 })
    const view = await open('/user/add')
    const drawer = await screen.findByRole('dialog', { name: '添加用户' })
    await waitFor(() => expect(plane.to(status.notice)).not.toHaveLength(0))
    expect(screen.getAllByRole('dialog', { hidden: true })).toEqual([drawer])

    await view.user.click(within(drawer).getByRole('button', { name: '取消' }))

    expect(await notice()).toBeTruthy()
    expect(screen.getAllByRole('dialog', { hidden: true })).toHaveLength(1)
  })

  it('gives way to a dialog that opens later, and comes back after it', async () => {
    session.start(aStoredUser())
    plane.answer(status.notice, 'Maintenance at noon')
    plane.answer(channels.search, [])
    const view = await open('/')
    await notice()

    await view.user.keyboard('{Control>}k{/Control}')
    await screen.findByRole('combobox')
    expect(screen.queryByRole('dialog', { name: '公告', hidden: true })).toBeNull()
    await view.user.keyboard('{Escape}')

    expect(await notice()).toBeTruthy()
  })

  it('does not open over an import, which may have carried it, and comes once that page is left', async () => {
    session.start(aStoredUser({ role: 100 }))
    plane.answer(status.notice, 'Written at the old gateway')
    plane.answer(imports.get, { run: null, report: null, carried: [], is_in_use: false })
    const view = await open('/setting/import')
    await isQuiet()

    await act(() => view.router.navigate({ to: '/' }))

    expect(await notice()).toBeTruthy()
  })

  it('is not asked for before setup', async () => {
    plane.answer(status.get, aStatus({ setup: false }))
    await open('/setup')

    expect(plane.to(status.notice)).toHaveLength(0)
  })
})
