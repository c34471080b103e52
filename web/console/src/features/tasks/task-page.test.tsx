import { screen, waitFor, within } from '@testing-library/react'
import { status } from '@tollgate/contracts/resources/status'
import { tasks } from '@tollgate/contracts/resources/tasks'
import { beforeEach, describe, expect, it } from 'vitest'
import { session } from '../../lib/session.ts'
import { aTask } from '../../testing/task-factories.ts'
import { aStatus, aStoredUser } from '../../testing/factories.ts'
import { planeForTests } from '../../testing/plane.ts'
import { open } from '../../testing/render.tsx'

const plane = planeForTests()

describe('the task log', () => {
  beforeEach(() => {
    session.start(aStoredUser())
    plane.answer(tasks.list, [aTask()])
    plane.answer(tasks.listOwn, [aTask({ channel_id: 0 })])
  })

  it('shows an admin every column', async () => {
    await open('/task')
    await screen.findByText('task_song')

    expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
      '提交时间',
      '结束时间',
      '进度',
      '花费时间',
      '渠道',
      '平台',
      '类型',
      '任务 ID',
      '任务状态',
      '结果',
      '失败原因',
      '计费',
    ])
    for (const text of ['100%', '1 m 01 s', '#9', 'Suno', '生成音乐', '成功']) expect(screen.getByText(text)).toBeTruthy()
  })

  it('shows a user own tasks without channel and its filter', async () => {
    session.start(aStoredUser({ role: 1 }))
    await open('/task')
    await screen.findByText('task_song')

    expect(plane.to(tasks.list)).toEqual([])
    expect(screen.queryByText('渠道')).toBeNull()
    expect(screen.queryByLabelText('渠道 ID')).toBeNull()
  })

  it('shows no range while a task is searched by its id, because none applies', async () => {
    await open('/task?task_id=task_song')
    await screen.findAllByText('task_song')

    await waitFor(() => {
      for (const label of ['开始时间', '结束时间']) expect(screen.getByLabelText<HTMLInputElement>(label).value).toBe('')
    })
    expect(plane.to(tasks.list).map(({ query }) => query)).toContainEqual(
      expect.objectContaining({ start_timestamp: '0', end_timestamp: '0' }),
    )
  })

  it('starts with today 00:00, in seconds, and finds a task by its id whenever it was', async () => {
    await open('/task')
    await screen.findByText('task_song')
    const midnight = new Date()
    midnight.setHours(0, 0, 0, 0)
    expect(plane.to(tasks.list)[0]?.query['start_timestamp']).toBe(String(midnight.getTime() / 1_000))

    await open('/task?task_id=task_song')
    await waitFor(() => expect(plane.to(tasks.list).at(-1)?.query).toMatchObject({ task_id: 'task_song', start_timestamp: '0' }))
  })

  it('names every status; the empty one is being submitted', async () => {
    const given = ['', 'NOT_START', 'SUBMITTED', 'QUEUED', 'IN_PROGRESS', 'SUCCESS', 'FAILURE', 'UNKNOWN', 'LOST']
    plane.answer(
      tasks.list,
      given.map((one, n) => aTask({ id: n + 1, status: one })),
    )
    await open('/task')
    await screen.findByText('提交中')

    for (const name of ['未开始', '已提交', '排队中', '执行中', '成功', '失败']) expect(screen.getByText(name)).toBeTruthy()
    expect(screen.getAllByText('未知')).toHaveLength(2)
  })

  it('shows progress that is no number as it is', async () => {
    plane.answer(tasks.list, [aTask({ progress: 'mixing', action: 'LYRICS' })])
    await open('/task')

    expect(await screen.findByText('mixing')).toBeTruthy()
    expect(screen.getByText('生成歌词')).toBeTruthy()
    expect(screen.queryByRole('progressbar')).toBeNull()
  })

  it('opens the record as JSON and keeps it in the address', async () => {
    const view = await open('/task')

    await view.user.click(await screen.findByRole('button', { name: 'task_song' }))

    const dialog = await screen.findByRole('dialog', { name: '任务记录' })
    expect(within(dialog).getByText(/"platform": "suno"/)).toBeTruthy()
    expect(view.address()).toBe('/task?open=1')
  })

  it('plays what the task made, and no address that a browser must not open', async () => {
    plane.answer(tasks.list, [
      aTask(),
      aTask({ id: 2, task_id: 'task_film', action: 'VIDEO', media: [{ kind: 'video', url: 'javascript:alert(1)' }] }),
    ])
    const view = await open('/task')

    await view.user.click(await screen.findByRole('button', { name: '试听' }))

    expect((await screen.findByLabelText('Rain')).getAttribute('src')).toBe('https://vendor.example.com/a.mp3')
    expect(screen.queryByRole('button', { name: '播放' })).toBeNull()
  })

  it('asks this server for the address of a video that a page cannot load from its vendor', async () => {
    const url = '/v1/tasks/task_film/media/0?expires=1&sig=ab'
    plane.answer(tasks.media, [{ kind: 'video', url, title: 'Boat' }])
    plane.answer(tasks.list, [
      aTask({ task_id: 'task_film', action: 'VIDEO', platform: 'sora', media: [] }),
      aTask({ id: 2, task_id: 'task_open', action: 'VIDEO', platform: 'sora', media: [], status: 'IN_PROGRESS', progress: '40%' }),
    ])
    const view = await open('/task')

    await view.user.click(await screen.findByRole('button', { name: '播放' }))

    expect((await screen.findByLabelText('Boat')).getAttribute('src')).toBe(url)
    expect(plane.to(tasks.media)[0]?.query).toEqual({ task_id: 'task_film' })
  })
})

describe('the menu', () => {
  it.each([
    [true, false],
    [false, true],
  ])('has drawings %s and tasks %s as the site says', async (enable_drawing, enable_task) => {
    session.start(aStoredUser({ role: 1 }))
    plane.answer(status.get, aStatus({ enable_drawing, enable_task }))
    plane.answer(tasks.listOwn, [])
    await open('/task')
    await screen.findByText('这段时间没有任务')

    await waitFor(() => {
      const links = screen.getAllByRole('link').map((link) => link.getAttribute('href'))
      expect([links.includes('/midjourney'), links.includes('/task')]).toEqual([enable_drawing, enable_task])
    })
  })
})
