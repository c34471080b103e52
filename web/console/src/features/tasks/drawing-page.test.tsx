import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { drawingTasks } from '@tollgate/contracts/resources/drawing-tasks'
import { beforeEach, describe, expect, it } from 'vitest'
import { session } from '../../lib/session.ts'
import { storage } from '../../lib/storage.ts'
import { aDrawing } from '../../testing/task-factories.ts'
import { aStoredUser } from '../../testing/factories.ts'
import { planeForTests } from '../../testing/plane.ts'
import { open } from '../../testing/render.tsx'
import { DRAWING_ACTIONS } from './task-display.ts'

const plane = planeForTests()
const asUser = (): void => session.start(aStoredUser({ role: 1 }))
const DAY = 86_400
const many = (count: number, from = 1) => Array.from({ length: count }, (_row, n) => aDrawing({ id: from + n, mj_id: `task_${from + n}` }))

describe('the drawing log', () => {
  beforeEach(() => {
    session.start(aStoredUser())
    plane.answer(drawingTasks.list, [aDrawing()])
    plane.answer(drawingTasks.listOwn, [aDrawing({ channel_id: 0 })])
  })

  it('shows an admin every column, in the order of the specification', async () => {
    await open('/midjourney')
    await screen.findByText('task_a')

    expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
      '提交时间',
      '花费时间',
      '渠道',
      '类型',
      '任务 ID',
      '提交结果',
      '任务状态',
      '进度',
      '结果图片',
      '提示词',
      '英文提示词',
      '失败原因',
      '计费',
    ])
    expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('100')
    for (const text of ['1 m 00 s', '#7', '绘图', '已提交', '成功', '一只猫', 'a cat']) expect(screen.getByText(text)).toBeTruthy()
  })

  it('shows a user own drawings without channel, its filter and the banner', async () => {
    asUser()
    await open('/midjourney')
    await screen.findByText('task_a')

    expect(plane.to(drawingTasks.list)).toEqual([])
    for (const text of ['渠道', '#7']) expect(screen.queryByText(text)).toBeNull()
    expect(screen.queryByLabelText('渠道 ID')).toBeNull()
    expect(screen.queryByText(/未允许绘图回调/)).toBeNull()
  })

  it('plays the videos of a video task', async () => {
    plane.answer(drawingTasks.list, [aDrawing({ action: 'VIDEO', media: [{ kind: 'video', url: 'https://vendor.example.com/a.mp4' }] })])
    await open('/midjourney')
    fireEvent.click(await screen.findByRole('button', { name: '播放' }))

    const dialog = await screen.findByRole('dialog')
    expect(dialog.querySelector('video')?.getAttribute('src')).toBe('https://vendor.example.com/a.mp4')
  })

  it('starts with thirty days ago to one hour ahead, in milliseconds', async () => {
    await open('/midjourney')
    await screen.findByText('task_a')

    const { start_timestamp, end_timestamp, p } = plane.to(drawingTasks.list)[0]?.query ?? {}
    expect(p).toBe('0')
    expect(Math.abs(Number(start_timestamp) / 1_000 - (Date.now() / 1_000 - 30 * DAY))).toBeLessThan(120)
    expect(Math.abs(Number(end_timestamp) / 1_000 - (Date.now() / 1_000 + 3_600))).toBeLessThan(120)
  })

  it('takes its filters from the address', async () => {
    await open('/midjourney?task_id=task_a&channel=7&start=100&end=200')
    await screen.findByText('a cat')

    expect(plane.to(drawingTasks.list)[0]?.query).toMatchObject({
      mj_id: 'task_a',
      channel_id: '7',
      start_timestamp: '100000',
      end_timestamp: '200000',
    })
  })

  it('names the submit results, and unknown ones with their number', async () => {
    plane.answer(
      drawingTasks.list,
      [0, 1, 21, 22, 24].map((code) => aDrawing({ id: code + 1, code })),
    )
    await open('/midjourney')
    await screen.findByText('未提交')

    for (const name of ['已提交', '等待中', '重复提交', '未知（24）']) expect(screen.getByText(name)).toBeTruthy()
  })

  it('names every type and status, and other ones as unknown', async () => {
    const types = [
      '绘图',
      '放大',
      '变换',
      '强变换',
      '弱变换',
      '平移',
      '图生文',
      '图混合',
      '上传图片',
      '缩短提示词',
      '重新绘制',
      '局部重绘',
      '缩放',
      '编辑图片',
      '视频',
    ]
    const statuses = ['未开始', '排队中', '执行中', '成功', '失败', '等待弹窗']
    const given = ['NOT_START', 'SUBMITTED', 'IN_PROGRESS', 'SUCCESS', 'FAILURE', 'MODAL', 'LOST']
    storage.set('page-size', 20)
    plane.answer(
      drawingTasks.list,
      [...DRAWING_ACTIONS, 'DANCE'].map((action, n) => aDrawing({ id: n + 1, action, status: given[n] ?? 'SUCCESS', progress: '100%' })),
    )
    await open('/midjourney')
    await screen.findByText('换脸')

    for (const name of [...types, '自定义缩放', '弹窗提交', ...statuses]) expect(screen.getAllByText(name).length).toBeGreaterThan(0)
    expect(screen.getAllByText('未知')).toHaveLength(2)
  })

  it.each([
    ['IMAGINE', '绘图'],
    ['UPSCALE', '放大'],
    ['VARIATION', '变换'],
    ['HIGH_VARIATION', '强变换'],
    ['LOW_VARIATION', '弱变换'],
    ['PAN', '平移'],
    ['DESCRIBE', '图生文'],
    ['BLEND', '图混合'],
    ['UPLOAD', '上传图片'],
    ['SHORTEN', '缩短提示词'],
    ['REROLL', '重新绘制'],
    ['INPAINT', '局部重绘'],
    ['ZOOM', '缩放'],
    ['CUSTOM_ZOOM', '自定义缩放'],
    ['MODAL', '弹窗提交'],
    ['SWAP_FACE', '换脸'],
    ['DANCE', '未知'],
  ])('names a task of type %s %s', async (action, name) => {
    plane.answer(drawingTasks.list, [aDrawing({ id: 1, action, status: 'SUCCESS', progress: '100%' })])
    await open('/midjourney')

    expect(await screen.findByRole('cell', { name })).toBeTruthy()
  })

  it('tells admins that callbacks are off, as long as they are', async () => {
    const view = await open('/midjourney')
    await screen.findByText(/未允许绘图回调/)

    storage.set('mj_notify_enabled', true)

    await waitFor(() => expect(view.queryByText(/未允许绘图回调/)).toBeNull())
  })

  it('opens the picture in a viewer and the reason of a failure in a dialog', async () => {
    const reason = 'Banned prompt: …'
    plane.answer(drawingTasks.list, [aDrawing({ fail_reason: reason, status: 'FAILURE' })])
    const view = await open('/midjourney')

    await view.user.click(await screen.findByRole('button', { name: '查看图片' }))
    expect((await screen.findByRole('img', { name: '一只猫' })).getAttribute('src')).toBe('/mj/image/task_a')
    await view.user.keyboard('{Escape}')
    await view.user.click(await screen.findByRole('button', { name: `上游返回：${reason}` }))
    const dialog = await screen.findByRole('dialog', { name: '失败原因' })
    expect(within(dialog).getByText(`上游返回：${reason}`)).toBeTruthy()
  })

  it('shows a reason of our own without a vendor', async () => {
    plane.answer(drawingTasks.list, [aDrawing({ fail_reason: '上游任务超时（超过2小时）', status: 'FAILURE' })])
    await open('/midjourney')

    expect(await screen.findByRole('button', { name: '上游任务超时（超过2小时）' })).toBeTruthy()
  })

  it('leads to the log entry of the request', async () => {
    await open('/midjourney')

    const link = await screen.findByRole('link', { name: '查看计费说明' })
    expect(link.getAttribute('href')).toBe('/log?request_id=request-1')
  })

  it('collects as many server pages as a page shows, and reads none ahead', async () => {
    storage.set('page-size', 20)
    plane.answerBy(drawingTasks.list, (query) => (query['p'] === '0' ? many(10) : query['p'] === '1' ? many(10, 11) : many(3, 21)))
    const view = await open('/midjourney')
    await screen.findByText('task_20')

    expect(plane.to(drawingTasks.list).map(({ query }) => query['p'])).toEqual(['0', '1'])
    fireEvent.click(screen.getByRole('button', { name: '下一页' }))
    await screen.findByText('task_23')

    expect(plane.to(drawingTasks.list).map(({ query }) => query['p'])).toEqual(['0', '1', '2'])
    expect(view.address()).toBe('/midjourney?page=2')
    expect(screen.getByText('第 21–23 条，共 23 条')).toBeTruthy()
  })

  it('follows only the rows that are in progress, until they end', async () => {
    const running = aDrawing({ id: 2, mj_id: 'task_b', status: 'IN_PROGRESS', progress: '40%', finish_time: 0 })
    plane.answerBy(drawingTasks.list, (query) =>
      query['ids'] === '2' ? [{ ...running, status: 'SUCCESS', progress: '100%' }] : [running, aDrawing()],
    )
    await open('/midjourney')
    await screen.findByText('执行中')

    await waitFor(() => expect(screen.queryByText('执行中')).toBeNull())

    expect(plane.to(drawingTasks.list).map(({ query }) => query['ids'])).toEqual(['', '2'])
    expect(screen.getAllByText('成功')).toHaveLength(2)
  })

  it('says what belongs here when nothing was drawn', async () => {
    plane.answer(drawingTasks.list, [])
    await open('/midjourney')

    expect(await screen.findByText('这段时间没有绘图任务')).toBeTruthy()
  })

  it('says what went wrong', async () => {
    plane.refuse(drawingTasks.list, '查询超时')
    await open('/midjourney')

    expect(await screen.findByText('查询超时')).toBeTruthy()
    expect(screen.getByRole('button', { name: '重试' })).toBeTruthy()
  })
})
