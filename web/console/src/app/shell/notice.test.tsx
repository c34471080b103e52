import { act, screen, waitFor, within } from '@testing-library/react'
import { status } from '@tollgate/contracts/resources/status'
import { beforeEach, describe, expect, it } from 'vitest'
import { aStatus } from '../../testing/factories.ts'
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

  it('is not asked for before setup', async () => {
    plane.answer(status.get, aStatus({ setup: false }))
    await open('/setup')

    expect(plane.to(status.notice)).toHaveLength(0)
  })
})
