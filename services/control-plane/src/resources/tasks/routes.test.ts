import type { InsertObject } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TASK_FAILURES } from '@tollgate/contracts/failures/task-failures'
import type { DrawingTask } from '@tollgate/contracts/resources/drawing-tasks'
import type { Task } from '@tollgate/contracts/resources/tasks'
import { toJsonb } from '@tollgate/db/jsonb'
import type { Database } from '@tollgate/db/schema'
import { createTestApp, type Caller, type TestApp } from '../../../test/test-app.ts'
import { hashPassword } from '../../authentication/passwords.ts'

const AT = 1_800_000_000_000
const MINUTE = 60_000

describe('tasks', () => {
  let test: TestApp
  let root: Caller
  let lin: Caller
  let linId: number
  beforeAll(async () => {
    test = await createTestApp()
    root = await test.setUp()
    const { db } = test.database
    const lins = { username: 'lin', password_hash: await hashPassword('a-long-password'), shard: 0, created_at: 1 }
    linId = (await db.insertInto('users').values(lins).returning('id').executeTakeFirstOrThrow()).id
    lin = await test.signIn('lin', 'a-long-password')
    await db
      .insertInto('tasks')
      .values([
        ...Array.from({ length: 12 }, (_row, n) =>
          aTask(`mj-${n}`, 'midjourney', { user_id: 1, channel_id: 7, submit_time: AT + n * MINUTE }),
        ),
        aTask('mj-lin', 'midjourney', {
          user_id: linId,
          channel_id: 8,
          submit_time: AT + 20 * MINUTE,
          finish_time: AT + 21 * MINUTE,
          action: 'IMAGINE',
          code: 1,
          status: 'SUCCESS',
          state: 'success',
          progress: '100%',
          image_url: 'https://vendor.example.com/a.png',
          prompt: '一只猫',
          prompt_en: 'a cat',
          quota: 50_000,
          properties: toJsonb({ state: 'mine', buttons: [{ label: 'U1' }] }),
        }),
        aTask('song', 'suno', {
          user_id: linId,
          channel_id: 9,
          submit_time: AT + 1_500,
          action: 'MUSIC',
          status: 'IN_PROGRESS',
          progress: '40%',
        }),
        aTask('film', 'video', {
          user_id: 1,
          channel_id: 10,
          submit_time: AT + 9_000,
          platform: 'kling',
          action: 'VIDEO',
          media: toJsonb([{ kind: 'video', url: 'https://vendor.example.com/a.mp4' }]),
          data: toJsonb({ seconds: 5 }),
        }),
      ])
      .execute()
  })
  afterAll(() => test.stop())

  const drawings = async (caller: Caller, path: string) => (await caller('GET', path)).body.data as DrawingTask[] // the declared shape
  const others = async (caller: Caller, path: string) => (await caller('GET', path)).body.data as Task[] // the declared shape
  const idsOf = async (path: string) => (await drawings(root, path)).map(({ mj_id }) => mj_id)

  it('lists drawings of everyone to an admin, newest first, ten a page from page 0', async () => {
    expect(await idsOf('/api/mj/?p=0')).toEqual(['mj-lin', 'mj-11', 'mj-10', 'mj-9', 'mj-8', 'mj-7', 'mj-6', 'mj-5', 'mj-4', 'mj-3'])
    expect(await idsOf('/api/mj/?p=1')).toEqual(['mj-2', 'mj-1', 'mj-0'])
    expect(await idsOf('/api/mj/?p=2')).toEqual([])
  })

  it('takes channel, task id and a range in milliseconds, both ends included', async () => {
    expect(await idsOf('/api/mj/?channel_id=8')).toEqual(['mj-lin'])
    expect(await idsOf('/api/mj/?mj_id=mj-4')).toEqual(['mj-4'])
    expect(await idsOf(`/api/mj/?start_timestamp=${AT + MINUTE}&end_timestamp=${AT + 2 * MINUTE}`)).toEqual(['mj-2', 'mj-1'])
    expect(await idsOf(`/api/mj/?start_timestamp=x&mj_id=film`)).toEqual([])
  })

  it('shows every field of a drawing, and its picture through this server', async () => {
    const [task] = await drawings(root, '/api/mj/?mj_id=mj-lin')

    expect(task).toMatchObject({
      code: 1,
      user_id: linId,
      action: 'IMAGINE',
      prompt: '一只猫',
      prompt_en: 'a cat',
      state: 'mine',
      submit_time: AT + 20 * MINUTE,
      created_at: AT + 20 * MINUTE,
      finish_time: AT + 21 * MINUTE,
      image_url: '/mj/image/mj-lin',
      status: 'SUCCESS',
      progress: '100%',
      fail_reason: '',
      channel_id: 8,
      quota: 50_000,
      buttons: '[{"label":"U1"}]',
      request_id: 'request-mj-lin',
    })
  })

  it('shows a picture where the vendor has it once forwarding is off', async () => {
    await root('PUT', '/api/option/', { key: 'MjForwardUrlEnabled', value: 'false' })

    expect((await drawings(root, '/api/mj/?mj_id=mj-lin'))[0]?.image_url).toBe('https://vendor.example.com/a.png')
  })

  it.each(['/api/mj/self', '/api/mj/self/', '/api/mj/self?channel_id=7'])(
    'shows a user only own drawings without the channel: %s',
    async (path) => {
      expect((await drawings(lin, path)).map(({ mj_id, channel_id }) => [mj_id, channel_id])).toEqual([['mj-lin', 0]])
    },
  )

  it('takes page, task id and range for own drawings and tasks too', async () => {
    const drawn = async (query: string) => (await drawings(root, `/api/mj/self?${query}`)).map(({ mj_id }) => mj_id)
    const made = async (query: string) => (await others(lin, `/api/task/self?${query}`)).map(({ task_id }) => task_id)

    expect(await drawn('p=1')).toEqual(['mj-1', 'mj-0'])
    expect(await drawn('mj_id=mj-4')).toEqual(['mj-4'])
    expect(await drawn(`start_timestamp=${AT + MINUTE}&end_timestamp=${AT + 2 * MINUTE}`)).toEqual(['mj-2', 'mj-1'])
    expect(await made('p=0&task_id=song')).toEqual(['song'])
    expect(await made('p=1')).toEqual([])
    expect(await made(`start_timestamp=${AT / 1000 + 1}&end_timestamp=${AT / 1000 + 1}`)).toEqual(['song'])
    expect(await made(`start_timestamp=${AT / 1000 + 2}`)).toEqual([])
  })

  it('lists music and video tasks with a range in whole seconds', async () => {
    const ids = async (path: string) => (await others(root, path)).map(({ task_id }) => task_id)

    expect(await ids('/api/task/')).toEqual(['film', 'song'])
    expect(await ids('/api/task/?channel_id=9')).toEqual(['song'])
    expect(await ids('/api/task/?platform=kling')).toEqual(['film'])
    expect(await ids('/api/task/?status=IN_PROGRESS&action=MUSIC')).toEqual(['song'])
    expect(await ids(`/api/task/?start_timestamp=${AT / 1000 + 1}&end_timestamp=${AT / 1000 + 1}`)).toEqual(['song'])
    expect(await ids('/api/task/?task_id=mj-1')).toEqual([])
  })

  it('shows times of tasks in seconds, what they made and what the vendor said', async () => {
    const [task] = await others(root, '/api/task/?task_id=film')

    expect(task).toMatchObject({
      submit_time: AT / 1000 + 9,
      created_at: AT / 1000 + 9,
      finish_time: 0,
      platform: 'kling',
      channel_id: 10,
      properties: { input: '' },
      data: { seconds: 5 },
      media: [{ kind: 'video', url: 'https://vendor.example.com/a.mp4' }],
    })
  })

  it('shows a user only own tasks, also when others are asked for by row', async () => {
    const all = await others(root, '/api/task/')
    const ids = all.map(({ id }) => id).join(',')

    expect((await others(lin, `/api/task/self?ids=${ids}`)).map(({ task_id, channel_id }) => [task_id, channel_id])).toEqual([['song', 0]])
    expect((await others(root, `/api/task/?ids=${ids},x,-1`)).map(({ task_id }) => task_id)).toEqual(['film', 'song'])
    expect(await others(root, '/api/task/?ids=x')).toEqual([])
  })

  it('signs addresses on this server for media that a page cannot load from the vendor, for owner and admin', async () => {
    const { db } = test.database
    const https = 'https://vendor.example.com/b.mp4'
    const success = { submit_time: AT + 10_000, channel_id: 10, state: 'success' } as const
    const media = (caller: Caller, task_id: string) => caller('GET', `/api/task/media?task_id=${task_id}`)
    const songs = toJsonb([
      { kind: 'video', url: https },
      { kind: 'audio', url: 'http://vendor.example.com/b.mp3', title: 'Rain' },
    ])
    await db
      .insertInto('tasks')
      .values([
        aTask('sora', 'video', { ...success, user_id: linId, removed_at: 0 }),
        aTask('songs', 'suno', { ...success, user_id: linId, media: songs }),
      ])
      .execute()

    for (const caller of [lin, root])
      expect((await media(caller, 'sora')).body.data).toEqual([
        { kind: 'video', url: expect.stringMatching(/^\/v1\/tasks\/sora\/media\/0\?expires=\d+&sig=[0-9a-f]{64}$/) },
      ])
    expect((await media(lin, 'songs')).body.data).toEqual([
      { kind: 'video', url: https },
      { kind: 'audio', url: expect.stringContaining('/v1/tasks/songs/media/1?'), title: 'Rain' },
    ])
    for (const task_id of ['film', 'unknown']) expect((await media(lin, task_id)).body).toMatchObject({ success: false })
    await db.deleteFrom('tasks').where('task_id', 'in', ['sora', 'songs']).execute()
  })

  it('shows users why a task failed in their language and without the channel, operators with it', async () => {
    const { db } = test.database
    const gone = {
      user_id: linId,
      submit_time: AT - 1,
      channel_id: 41,
      state: 'failure',
      fail_reason: TASK_FAILURES.channelGone(41),
    } as const
    await db
      .insertInto('tasks')
      .values([aTask('mj-gone', 'midjourney', gone), aTask('song-gone', 'suno', gone)])
      .execute()
    const reasons = async (caller: Caller, scope: '' | 'self', language: string) => {
      const headers = { 'accept-language': language }
      const paths = [`/api/mj/${scope}?mj_id=mj-gone`, `/api/task/${scope}?task_id=song-gone`]
      const answers = await Promise.all(paths.map((path) => caller('GET', path, undefined, headers)))
      return answers.map(({ body }) => (body.data as (DrawingTask | Task)[])[0]?.fail_reason) // the declared shapes
    }

    const zh = '处理该任务的渠道已不可用，请联系管理员'
    const en = 'The channel that ran the task is not available any more, contact the administrator'
    expect(await reasons(lin, 'self', 'zh-CN')).toEqual([zh, zh])
    expect(await reasons(lin, 'self', 'en')).toEqual([en, en])
    const stored = '获取渠道信息失败，请联系管理员，渠道ID：41'
    expect(await reasons(root, '', 'zh-CN')).toEqual([stored, stored])
    for (const reason of await reasons(root, '', 'en')) expect(reason).toContain('Channel 41 ')
    await db.deleteFrom('tasks').where('task_id', 'in', ['mj-gone', 'song-gone']).execute()
  })

  it('refuses the lists of everyone to a user', async () => {
    for (const path of ['/api/mj/', '/api/task/']) expect((await lin('GET', path)).body).toMatchObject({ success: false })
  })
})

type TaskValues = InsertObject<Database, 'tasks'>

function aTask(
  task_id: string,
  family: 'midjourney' | 'suno' | 'video',
  change: Partial<TaskValues> & Pick<TaskValues, 'user_id' | 'submit_time'>,
): TaskValues {
  return {
    task_id,
    family,
    platform: family,
    request_id: `request-${task_id}`,
    state: 'submitted',
    deadline: AT,
    ...change,
  }
}
