import { wakeTasks } from '@tollgate/db/queries/tasks/tasks'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import OpenAI from 'openai'
import { keyIdOf } from '@tollgate/config/sealing'
import { parseChannelInfo } from '@tollgate/contracts/channels/channel-info'
import { LogType } from '@tollgate/contracts/enums'
import { promisify } from 'node:util'
import { createChannel, must, setUp, type Api } from './support/api.ts'
import { DRAWING_CASES, TASK_ID } from './support/drawing-cases.ts'
import { seedUser, type Seeded } from './support/seed.ts'
import { startStack, type Stack } from './support/stack.ts'
import { createTaskClient } from './support/task-client.ts'
import { MP4, TaskVendor, type Json, type SubmissionAnswer } from './support/task-vendor.ts'

const run = promisify(execFile)

const PRICE = 50_000
const CREDITED = 10_000_000

describe('tasks', () => {
  const vendor = new TaskVendor()
  let stack: Stack
  let api: Api
  let user: Seeded
  let relay: string

  beforeAll(async () => {
    await vendor.start()
    stack = await startStack({ relayEnv: { MEDIA_ALLOW_PRIVATE: '127.0.0.0/8' } })
    api = await setUp(stack.controlPlane.url)
    relay = stack.relays[0]?.url ?? ''
    user = await seedUser(stack, { credited: CREDITED, granted: CREDITED })
    for (const [key, value] of [
      ['ServerAddress', relay],
      ['MjNotifyEnabled', 'true'],
      ['MjModeClearEnabled', 'true'],
    ])
      must(await api.put('/api/option/', { key, value }))
    const models =
      'mj_imagine,mj_blend,mj_shorten,mj_upscale,mj_variation,mj_zoom,mj_inpaint,mj_modal,mj_upload,swap_face,mj_describe,mj_reroll,mj_edits,mj_video'
    // It gets the calls that a disabled channel would have got, and their refusals must not disable it too.
    await createChannel(api, { type: 5, base_url: vendor.url, models, name: 'drawing', key: 'mj-key', auto_ban: 0 })
    for (const [model, auto_ban] of [
      ['mj_shorten', 1],
      ['mj_blend', 0],
      ['mj_describe', 1],
      ['swap_face', 1],
    ] as const)
      await createChannel(api, { type: 2, base_url: vendor.url, models: model, name: model, key: 'mj-key', auto_ban, priority: 1 })
    await createChannel(api, {
      type: 2,
      base_url: vendor.url,
      models: 'mj_edits',
      name: 'mj_edits',
      key: 'mj-key\nmj-key-2',
      setting: '{"multi_key_mode":"polling"}',
      auto_ban: 1,
      priority: 1,
    })
    await createChannel(api, {
      type: 55,
      base_url: vendor.url,
      models: 'sora-2',
      name: 'film',
      key: 'sora-key',
      model_mapping: '{"sora-2":"sora-2-upstream"}',
    })
    await createChannel(api, { type: 50, base_url: vendor.url, models: 'kling-v1', name: 'short film', key: 'access|secret' })
    const options = must(await api.get<{ key: string; value: string }[]>('/api/option/'))
    const prices = JSON.parse(options.find(({ key }) => key === 'ModelPrice')?.value ?? '{}') as Json
    must(
      await api.put('/api/option/', {
        key: 'ModelPrice',
        value: JSON.stringify({ ...prices, 'sora-2': 0.1, 'kling-v1': 0.1, mj_inpaint: 0.1 }),
      }),
    )
    await createChannel(api, { type: 36, base_url: vendor.url, models: 'suno_music,suno_lyrics', name: 'music', key: 'suno-key' })
    await vi.waitUntil(async () => ((await call('GET', '/v1/models')).body['data'] as Json[]).some(({ id }) => id === 'suno_lyrics'), {
      timeout: 10_000,
    })
  })
  afterAll(async () => {
    await stack.stop()
    vendor.server?.closeAllConnections()
    vendor.server?.close()
  })

  const { call, submit, rowOf, fetched, report, ended, posted, money, succeed } = createTaskClient(() => ({ stack, relay, vendor, user }))

  it('draws, enlarges, varies, zooms and repaints as a client of Midjourney asks for it', async () => {
    const before = await money()

    const image = await submit('/mj-fast/mj/submit/imagine', {
      prompt: 'a cat --fast',
      accountFilter: { modes: ['FAST'] },
      notifyHook: 'https://client.example/hook',
    })
    const sent = vendor.submitted()
    expect(sent).toMatchObject({ path: '/mj/submit/imagine', headers: { 'mj-api-secret': 'mj-key' }, body: { prompt: 'a cat' } })
    expect(sent.body['accountFilter']).toBeUndefined()
    expect(String(sent.body['notifyHook'])).toContain(`${relay}/mj/notify?task=${image}&sig=`)
    expect(await fetched(image)).toMatchObject({ id: image, action: 'IMAGINE', prompt: 'a cat --fast', progress: '0%', imageUrl: '' })

    const tooEarly = await call('POST', '/mj/submit/change', { taskId: image, action: 'UPSCALE', index: 1 })
    expect([tooEarly.status, tooEarly.body]).toEqual([400, { description: 'task_status_not_success', type: 'upstream_error', code: 4 }])

    await report(image, { status: 'IN_PROGRESS', progress: '45%' })
    await vi.waitUntil(async () => (await fetched(image))['progress'] === '45%', { timeout: 10_000 })
    await succeed(image)
    expect(await fetched(image)).toMatchObject({
      status: 'SUCCESS',
      progress: '100%',
      promptEn: 'a cat',
      imageUrl: `${relay}/mj/image/${image}`,
      buttons: [{ customId: 'MJ::JOB::upsample::1::x' }],
    })

    const shown = await fetch(`${relay}/mj/image/${image}`, { headers: { 'sec-fetch-dest': 'image' } })
    expect([shown.status, shown.headers.get('content-type'), shown.headers.get('cache-control')]).toEqual([
      200,
      'image/png',
      'public, max-age=86400, immutable',
    ])
    expect((await call('GET', `/mj/task/${image}/image-seed`)).body).toEqual({ code: 1, result: '123456' })

    const source = (await rowOf(image)).vendor_task_id
    const large = await submit('/mj/submit/simple-change', { content: `${image} u2` })
    expect(vendor.submitted().body).toEqual({ content: `${source} U2`, ...hook() })
    await submit('/mj/submit/action', { taskId: image, customId: 'MJ::JOB::variation::3::x' })
    expect(vendor.submitted().body).toMatchObject({ taskId: source, customId: 'MJ::JOB::variation::3::x' })
    await submit('/mj/submit/action', { taskId: image, customId: 'MJ::Outpaint::50::1::x::SOLO' })

    vendor.submissions.push({
      body: { code: 21, description: 'Waiting for window confirm', result: '77', properties: { status: 'MODAL' } },
    })
    const window = await call('POST', '/mj/submit/action', { taskId: image, customId: 'MJ::Inpaint::1::x::SOLO' })
    expect(window.body).toMatchObject({ code: 21 })
    const repainted = await submit('/mj/submit/modal', { taskId: window.body['result'], prompt: 'a hat', maskBase64: 'x' })
    expect(vendor.submitted().body).toMatchObject({ taskId: '77', prompt: 'a hat' })
    expect(repainted).not.toBe(window.body['result'])

    await succeed(large)
    await vi.waitUntil(async () => (await rowOf(repainted)).is_posted, { timeout: 10_000 })
    const windowLogs = stack.database.db
      .selectFrom('logs')
      .select(['type', 'quota'])
      .where('request_id', '=', String(window.body['result']))
    await vi.waitFor(async () => expect(await windowLogs.execute()).toEqual([{ type: LogType.consume, quota: 0 }]), { timeout: 10_000 })
    // imagine 0.1, upscale 0.05, variation 0.1, zoom 0.1, modal 0.1; inpaint has a price, but its modal is charged instead
    const spent = 4.5 * PRICE
    expect(await money()).toEqual({ user: before.user - spent, token: before.token - spent })

    const listed = await call('POST', '/mj/task/list-by-condition', { ids: [large, image, 'unknown'] })
    expect((listed.body as unknown as Json[]).map(({ id }) => id)).toEqual([large, image])
  })

  const hook = (): Json => ({ notifyHook: vendor.submitted().body['notifyHook'] })

  it.each<[string, Json]>([
    ['failure', { status: 'FAILURE', failReason: 'banned prompt' }],
    ['failure', { status: 'FAILURE', failReason: 'twice' }],
  ])('gives back wallet and token after a %s, once', async (state, says) => {
    const before = await money()
    const task = await submit('/mj/submit/imagine', { prompt: 'a dog' })
    await vi.waitUntil(async () => (await rowOf(task)).is_posted, { timeout: 10_000 })

    await report(task, says)
    expect(await ended(task)).toMatchObject({ state, status: 'FAILURE', progress: '100%', quota: PRICE, refunded: PRICE })
    await report(task, { status: 'SUCCESS' })

    expect(await money()).toEqual(before)
    expect(await fetched(task)).toMatchObject({ status: 'FAILURE', failReason: says['failReason'] })
    const { db } = stack.database
    const entries = await db.selectFrom('wallet_entries').selectAll().where('reference', '=', `task:${task}:failure`).execute()
    expect(entries).toMatchObject([{ kind: 'refund', amount: PRICE }])
    const logs = await db
      .selectFrom('logs')
      .select(['type', 'content'])
      .where('user_id', '=', user.userId)
      .where('content', 'like', `%${task}%`)
      .execute()
    expect(logs).toEqual([{ type: 4, content: `构图失败 ${task}，补偿 ＄0.100000 额度` }])
    const changes = await db
      .selectFrom('task_changes')
      .select(['source', 'state', 'quota'])
      .where('task_id', '=', task)
      .orderBy('version')
      .execute()
    expect(changes).toContainEqual({ source: 'posting', state: expect.any(String), quota: PRICE })
    expect(changes).toContainEqual({ source: 'poll', state: 'failure', quota: -PRICE })
  })

  it('expires a task that its vendor has forgotten', async () => {
    const before = await money()
    const task = await submit('/mj/submit/imagine', { prompt: 'lost' })
    vendor.tasks.delete((await rowOf(task)).vendor_task_id)
    await vi.waitUntil(async () => (await rowOf(task)).is_posted, { timeout: 10_000 })

    await stack.database.db.updateTable('tasks').set({ deadline: 1 }).where('task_id', '=', task).execute()
    await wakeTasks(stack.database.db, [task], 0)

    expect(await ended(task)).toMatchObject({ state: 'expired', fail_reason: '上游任务超时（超过1小时）' })
    expect(await fetched(task)).toMatchObject({ failReason: 'The upstream did not finish the task within one hour' })
    expect(await money()).toEqual(before)
  })

  it('keeps asking a vendor that fails, and believes nothing that it cannot read', async () => {
    const task = await submit('/mj/submit/imagine', { prompt: 'patience' })
    vendor.questions.push({ status: 500, body: '{}' }, { status: 429, body: '{}' }, { status: 200, body: '{"broken' })
    for (let left = 3; left > 0; left -= 1) {
      await report(task, {})
      await vi.waitUntil(() => vendor.questions.length < left, { timeout: 10_000 })
    }
    expect(await rowOf(task)).toMatchObject({ state: 'submitted' })

    expect(await succeed(task)).toMatchObject({ state: 'success', refunded: 0 })
  })

  it('asks other vendors while one keeps every question open', async () => {
    const songs = [await sing('slow'), await sing('slower')]
    const drawing = await submit('/mj/submit/imagine', { prompt: 'quick' })
    await money()
    // Only the songs are due now, one after the other.
    await wakeTasks(stack.database.db, [...songs, drawing], Date.now() + 60_000)
    const { promise: until, resolve: release } = Promise.withResolvers<void>()
    for (const song of songs) {
      vendor.questions.push({ status: 500, body: '{}', until })
      await report(song, {})
      await vi.waitUntil(() => vendor.questions.length === 0, { timeout: 10_000 })
    }

    expect(await succeed(drawing)).toMatchObject({ state: 'success' })
    release()
  })
  const sing = async (prompt: string): Promise<string> => String((await call('POST', '/suno/submit/music', { prompt })).body['data'])

  it.each(DRAWING_CASES)('answers $what as the vendor does, charges its price once and lists it', async (one) => {
    const before = await money()
    vendor.submissions.push({ body: one.answer })

    const answer = await call('POST', one.path, {
      ...one.body,
      accountFilter: { modes: ['FAST'] },
      notifyHook: 'https://client.example/hook',
    })

    const id = answer.headers.get('x-request-id') ?? ''
    expect([answer.status, answer.body]).toEqual([200, one.answered['result'] === TASK_ID ? { ...one.answered, result: id } : one.answered])
    expect(vendor.submitted()).toMatchObject({ path: one.vendorPath, headers: { 'mj-api-secret': expect.stringMatching(/^mj-key/) } })
    expect(vendor.submitted().body).toEqual({ ...one.body, notifyHook: expect.stringContaining(`${relay}/mj/notify?task=${id}&sig=`) })
    expect(await money()).toEqual({ user: before.user - one.price, token: before.token - one.price })
    const logs = stack.database.db.selectFrom('logs').select(['type', 'quota']).where('request_id', '=', id)
    const isRefused = one.listed['status'] === 'FAILURE'
    expect(await logs.execute()).toEqual([{ type: isRefused ? LogType.error : LogType.consume, quota: one.price }])
    const listed = must(await api.get<Json[]>(`/api/mj/?p=0&mj_id=${id}`))
    expect(listed).toEqual([expect.objectContaining({ ...one.listed, mj_id: id, quota: one.price })])
    expect(await fetched(id)).toMatchObject({ id, action: one.listed['action'], status: one.listed['status'] })
  })

  it.each<[string, SubmissionAnswer, number, Json]>([
    [
      'a server error',
      { status: 500, body: { code: 9, description: 'oops', result: 'no disk' } },
      400,
      { description: 'oops no disk', type: 'upstream_error', code: 9 },
    ],
    [
      'an unknown error',
      { status: 400, body: { code: 5, description: 'unknown' } },
      400,
      { description: 'unknown', type: 'upstream_error', code: 5 },
    ],
    [
      'too many calls',
      { status: 429, body: {} },
      429,
      { description: '当前分组负载已饱和，请稍后再试，或升级账户以提升服务质量。', type: 'upstream_error', code: 30 },
    ],
    ['malformed JSON', { body: '{"code' }, 400, { description: 'unmarshal_response_body_failed', type: 'upstream_error', code: 4 }],
    ['an empty answer', { body: '' }, 400, { description: 'empty_response_body', type: 'upstream_error', code: 4 }],
    ['a lost connection', { body: '', isCut: true }, 400, { description: 'do_request_failed', type: 'upstream_error', code: 4 }],
  ])('charges nothing for a submission that ends in %s', async (_what, answer, status, body) => {
    const before = await money()
    vendor.submissions.push(answer)

    const got = await call('POST', '/mj/submit/imagine', { prompt: 'no' })

    expect([got.status, got.body]).toEqual([status, body])
    expect(await money()).toEqual(before)
  })

  it('disables a channel without an account (code 3), if the option and the channel allow it', async () => {
    const refuse = async (path: string): Promise<void> => {
      vendor.submissions.push({ body: { code: 3, description: '无可用的账号实例' } })
      expect((await call('POST', path, { prompt: 'x', sourceBase64: 'x', targetBase64: 'x' })).body).toMatchObject({ code: 3 })
    }
    const { db } = stack.database
    const channels = async () => {
      const rows = await db.selectFrom('channels').select(['name', 'status', 'other_info']).where('type', '=', 2).execute()
      return Object.fromEntries(rows.map(({ name, status, other_info }) => [name, { status, other_info }]))
    }
    const isDisabled = async (name: string): Promise<boolean> => (await channels())[name]?.status === 3

    await refuse('/mj/submit/shorten')
    must(await api.put('/api/option/', { key: 'AutomaticDisableChannelEnabled', value: 'true' }))
    await vi.waitUntil(
      async () => {
        await refuse('/mj/submit/describe')
        return await isDisabled('mj_describe')
      },
      { timeout: 10_000, interval: 200 },
    )
    await refuse('/mj/submit/blend')
    await refuse('/mj/submit/edits')
    const [disabled, spared] = vendor.submitted().headers['mj-api-secret'] === 'mj-key' ? ['mj-key', 'mj-key-2'] : ['mj-key-2', 'mj-key']
    // Incidents are applied in order: with the last one, the one before it has been weighed.
    await refuse('/mj/insight-face/swap')
    await vi.waitUntil(() => isDisabled('swap_face'), { timeout: 10_000 })

    const found = await channels()
    expect([found['mj_shorten']?.status, found['mj_blend']?.status]).toEqual([1, 1])
    expect(JSON.parse(found['swap_face']?.other_info ?? '')).toMatchObject({ status_reason: 'No available account instance' })
    const edits = found['mj_edits']
    expect(edits?.status).toBe(1)
    expect(Object.keys(parseChannelInfo(edits?.other_info ?? '').keys ?? {})).toEqual([keyIdOf(disabled ?? '')])
    await vi.waitFor(
      async () => {
        for (let left = 3; left > 0; left -= 1) {
          await submit('/mj/submit/edits', { prompt: 'x' })
          expect(vendor.submitted().headers['mj-api-secret']).toBe(spared)
        }
      },
      { timeout: 10_000 },
    )
    must(await api.put('/api/option/', { key: 'AutomaticDisableChannelEnabled', value: 'false' }))
  })

  it('lists the videos of a finished video task, and extends one of them at its vendor', async () => {
    const video = await submit('/mj/submit/video', { prompt: 'a bee arrives', motion: 'high', image: 'https://cdn.example/bee.png' })
    const { vendor_task_id } = await rowOf(video)
    const videoUrls = [{ url: 'https://cdn.example/0.mp4' }, { url: 'https://cdn.example/1.mp4' }]
    await report(video, { status: 'SUCCESS', videoUrl: 'https://cdn.example/0.mp4', videoUrls })

    expect(await ended(video)).toMatchObject({
      action: 'VIDEO',
      quota: 8 * PRICE,
      media: videoUrls.map(({ url }) => ({ kind: 'video', url })),
    })
    expect(await fetched(video)).toMatchObject({ status: 'SUCCESS', videoUrl: 'https://cdn.example/0.mp4', videoUrls })
    await submit('/mj/submit/video', { action: 'extend', taskId: video, index: 1 })
    expect(vendor.submitted().body).toMatchObject({ action: 'extend', taskId: vendor_task_id, index: 1 })
    await submit('/mj/submit/video', { action: 'extend', task_id: video, index: 0 })
    expect(vendor.submitted().body).toMatchObject({ action: 'extend', task_id: vendor_task_id, index: 0 })
    expect(vendor.submitted().body).not.toHaveProperty('taskId')
  })

  it.each<[string, Json, string]>([
    ['/mj/submit/imagine', {}, 'prompt_is_required'],
    ['/mj/submit/change', { action: 'UPSCALE' }, 'task_id_is_required'],
    ['/mj/submit/change', { taskId: '1' }, 'action_is_required'],
    ['/mj/submit/simple-change', { content: 'x' }, 'content_parse_failed'],
    ['/mj/submit/action', { taskId: '1', customId: 'no-colons' }, 'unknown_action:no-colons'],
    ['/mj/submit/modal', { taskId: 'nobody' }, 'task_not_found'],
    ['/mj/submit/edits', { image: 'x' }, 'prompt_is_required'],
    ['/mj/submit/video', {}, 'prompt_is_required'],
    ['/mj/submit/video', { action: 'extend', index: 1 }, 'task_id_is_required'],
    ['/mj/submit/video', { action: 'extend', taskId: '1' }, 'index_is_required'],
    ['/mj/insight-face/swap', {}, 'sour_base64_and_target_base64_is_required'],
  ])('refuses %s %j', async (path, body, description) => {
    const got = await call('POST', path, body)

    expect([got.status, got.body]).toEqual([400, { description, type: 'upstream_error', code: 4 }])
  })

  it('shows no task to another user', async () => {
    const task = await submit('/mj/submit/imagine', { prompt: 'mine' })
    const other = await seedUser(stack, { credited: CREDITED, granted: CREDITED })

    const got = await call('GET', `/mj/task/${task}/fetch`, undefined, other.key)

    expect([got.status, got.body]).toEqual([400, { description: 'task_no_found', type: 'upstream_error', code: 4 }])
    expect((await call('GET', '/mj/image/unknown')).body).toEqual({ error: 'midjourney_task_not_found' })
  })

  it('names the setting when the image of a task is at a private address', async () => {
    const task = await submit('/mj/submit/imagine', { prompt: 'inside' })
    await report(task, { status: 'SUCCESS', imageUrl: 'http://10.9.9.9/x.png' })
    await vi.waitUntil(async () => (await fetched(task))['status'] === 'SUCCESS', { timeout: 10_000 })

    const { status, body } = await call('GET', `/mj/image/${task}`)

    expect(status).toBe(500)
    expect(body).toEqual({ error: 'http_get_image_failed', description: expect.stringContaining('MEDIA_ALLOW_PRIVATE') })
    expect(JSON.stringify(body)).not.toContain('10.9.9.9')
  })

  it('asks at once when the vendor reports a change, and takes no report without its signature', async () => {
    const task = await submit('/mj/submit/imagine', { prompt: 'soon' })
    const notifyHook = String(vendor.submitted().body['notifyHook'])
    const { vendor_task_id } = await rowOf(task)
    vendor.tasks.set(vendor_task_id, { id: vendor_task_id, status: 'SUCCESS', imageUrl: `${vendor.url}/x.png` })
    await vi.waitUntil(async () => (await rowOf(task)).is_posted, { timeout: 10_000 })
    await wakeTasks(stack.database.db, [task], Date.now() + 600_000)

    const forged = await fetch(notifyHook.replace(/sig=.*/, 'sig=0'), { method: 'POST', body: '{}' })
    const known = await Promise.all([1, 2].map(() => fetch(notifyHook, { method: 'POST', body: '{"status":"FAILURE"}' })))

    expect([forged.status, ...known.map(({ status }) => status)]).toEqual([401, 200, 200])
    expect(await ended(task)).toMatchObject({ state: 'success', refunded: 0 })
  })

  it('passes the account filter and the address of the image on by option', async () => {
    const options = (value: string) =>
      Promise.all(
        [
          ['MjAccountFilterEnabled', value],
          ['MjForwardUrlEnabled', value === 'true' ? 'false' : 'true'],
          ['MjNotifyEnabled', value === 'true' ? 'false' : 'true'],
          ['MjModeClearEnabled', value === 'true' ? 'false' : 'true'],
          ['MjActionCheckSuccessEnabled', value === 'true' ? 'false' : 'true'],
        ].map(async ([key, set]) => must(await api.put('/api/option/', { key, value: set }))),
      )
    await options('true')

    const body = { prompt: 'x --relax', accountFilter: { modes: ['FAST'] }, notifyHook: 'https://client.example/hook' }
    await vi.waitFor(
      async () => {
        await submit('/mj/submit/imagine', body)
        expect(vendor.submitted().body).toEqual({ prompt: 'x --relax', accountFilter: { modes: ['FAST'] } })
      },
      { timeout: 5000 },
    )
    // Each option reaches the relay by itself.
    const task = await vi.waitFor(
      async () => {
        const drawn = await submit('/mj/submit/imagine', body)
        await submit('/mj/submit/change', { taskId: drawn, action: 'REROLL' })
        return drawn
      },
      { timeout: 5000 },
    )
    await succeed(task)
    await vi.waitFor(async () => expect(await fetched(task)).toMatchObject({ imageUrl: `${vendor.url}/${task}.png` }), { timeout: 5000 })
    await options('false')
  })

  it('composes songs and lyrics and answers as Suno does', async () => {
    const before = await money()
    const song = await call('POST', '/suno/submit/music', { prompt: 'la la', title: 'A' })
    expect(song.body).toMatchObject({ code: 'success', data: expect.any(String) })
    expect(vendor.submitted()).toMatchObject({
      path: '/suno/submit/MUSIC',
      headers: { authorization: 'Bearer suno-key' },
      body: { mv: 'chirp-v3-0' },
    })
    const lyrics = await call('POST', '/suno/submit/lyrics', { prompt: 'words' })
    const [songId, lyricsId] = [String(song.body['data']), String(lyrics.body['data'])]

    await report(songId, { status: 'SUCCESS', data: [{ id: 'clip', audio_url: 'https://cdn.example/a.mp3', title: 'A' }] })
    await report(lyricsId, { status: 'FAILURE', fail_reason: 'no words' })
    expect(await ended(songId)).toMatchObject({ media: [{ kind: 'audio', url: 'https://cdn.example/a.mp3', title: 'A' }] })
    await ended(lyricsId)

    expect((await call('GET', `/suno/fetch/${songId}`)).body).toMatchObject({
      code: 'success',
      data: { task_id: songId, status: 'SUCCESS', progress: '100%', data: [{ id: 'clip' }] },
    })
    const many = await call('POST', '/suno/fetch', { ids: [songId, lyricsId] })
    expect(new Set((many.body['data'] as Json[]).map(({ task_id }) => task_id))).toEqual(new Set([songId, lyricsId]))
    expect(await money()).toEqual({ user: before.user - PRICE, token: before.token - PRICE })

    await call('POST', '/suno/submit/music', { prompt: 'more', task_id: songId, continue_clip_id: 'clip' })
    expect(vendor.submitted().body['task_id']).toBe((await rowOf(songId)).vendor_task_id)
    expect((await call('POST', '/suno/submit/dance', {})).body).toEqual({ code: 'invalid_request', message: 'invalid_action', data: null })
    expect((await call('POST', '/suno/submit/lyrics', {})).body).toEqual({ code: 'invalid_request', message: 'prompt_empty', data: null })
  })

  it('creates, polls and downloads a video of Sora for the openai SDK, priced by the second', async () => {
    const owner = await seedUser(stack, { credited: CREDITED, granted: CREDITED })
    const { videos } = new OpenAI({ apiKey: `sk-${owner.key}`, baseURL: `${relay}/v1`, maxRetries: 0 })

    const created = await videos.create({ model: 'sora-2', prompt: 'a boat', seconds: '8', size: '1280x720' })
    const asked = { object: 'video', model: 'sora-2', prompt: 'a boat', seconds: '8', size: '1280x720' }
    expect(created).toMatchObject({ ...asked, status: 'queued', progress: 0 })
    expect(vendor.calls.findLast(({ path }) => path === '/v1/videos')).toMatchObject({
      headers: { authorization: 'Bearer sora-key' },
      body: { model: 'sora-2-upstream', prompt: 'a boat', seconds: '8', size: '1280x720' },
    })
    await expect(videos.downloadContent(created.id)).rejects.toMatchObject({ status: 400, code: 'invalid_request' })
    await report(created.id, { status: 'in_progress', progress: 40 })
    await vi.waitUntil(async () => (await videos.retrieve(created.id)).progress === 40, { timeout: 10_000 })
    await report(created.id, { status: 'completed', progress: 100 })
    await ended(created.id)

    expect(await videos.retrieve(created.id)).toMatchObject({ ...asked, status: 'completed', progress: 100, error: null })
    const content = await videos.downloadContent(created.id)
    expect([content.headers.get('content-type'), await content.text()]).toEqual(['video/mp4', MP4])
    const spent = 8 * PRICE
    expect(await money(owner)).toEqual({ user: CREDITED - spent, token: CREDITED - spent })
    expect((await call('GET', `/v1/videos/${created.id}`)).body).toMatchObject({ error: { code: 'task_not_exist' } })
  })

  it('gives back videos of Kling that fail or are forgotten, and passes one on from its public address', async () => {
    const owner = await seedUser(stack, { credited: CREDITED, granted: CREDITED })
    const create = async (prompt: string) =>
      String((await call('POST', '/v1/video/generations', { model: 'kling-v1', prompt, duration: 10 }, owner.key)).body['task_id'])
    const task = (id: string) => call('GET', `/v1/video/generations/${id}`, undefined, owner.key)
    const failed = await create('a storm')
    const sent = vendor.calls.findLast(({ path }) => path === '/v1/videos/text2video')
    expect(sent?.body).toEqual({ model_name: 'kling-v1', prompt: 'a storm', duration: '10', external_task_id: failed })
    expect(String(sent?.headers['authorization'])).toMatch(/^Bearer [\w-]+\.[\w-]+\.[\w-]+$/)
    const [made, lost] = [await create('a calm'), await create('a fog')]

    const { db } = stack.database
    await vi.waitUntil(async () => (await rowOf(lost)).is_posted, { timeout: 10_000 })
    vendor.tasks.delete((await rowOf(lost)).vendor_task_id)
    await db.updateTable('tasks').set({ deadline: 1 }).where('task_id', '=', lost).execute()
    await wakeTasks(db, [lost], 0)

    await report(failed, { data: { task_status: 'failed', task_status_msg: 'risk control' } })
    await report(made, { data: { task_status: 'succeed', task_result: { videos: [{ url: `${vendor.url}/a.mp4` }] } } })
    expect(await ended(failed)).toMatchObject({ state: 'failure', platform: 'kling', quota: 2 * PRICE, refunded: 2 * PRICE })
    expect(await ended(made)).toMatchObject({ state: 'success', refunded: 0 })
    expect(await ended(lost)).toMatchObject({ state: 'expired', refunded: 2 * PRICE })

    expect((await task(failed)).body).toMatchObject({ code: 'success', data: { status: 'FAILURE', fail_reason: 'risk control', url: '' } })
    expect((await task(made)).body).toMatchObject({ data: { status: 'SUCCESS', progress: '100%', url: `${vendor.url}/a.mp4` } })
    const content = await fetch(`${relay}/v1/videos/${made}/content`, { headers: { authorization: `Bearer sk-${owner.key}` } })
    expect([content.status, content.headers.get('content-type'), await content.text()]).toEqual([200, 'video/mp4', MP4])
    expect(await money(owner)).toEqual({ user: CREDITED - 2 * PRICE, token: CREDITED - 2 * PRICE })
  })

  it.each<[string, Json, number, Json]>([
    ['no prompt', { model: 'sora-2' }, 400, { code: 'invalid_request' }],
    ['no length', { model: 'sora-2', prompt: 'x', seconds: 0 }, 400, { code: 'invalid_seconds' }],
    ['another length than the priced one', { model: 'sora-2', prompt: 'x', metadata: { seconds: '60' } }, 400, { code: 'invalid_request' }],
    ['an unknown model', { model: 'nobody', prompt: 'x' }, 404, { param: 'model' }],
    [
      'no size that the vendor has',
      { model: 'sora-2', prompt: 'x', size: '1x1' },
      400,
      { code: 'invalid_size', message: expect.any(String) },
    ],
  ])('refuses a video with %s', async (_what, body, status, error) => {
    const before = await money()
    if (body['size'] === '1x1') vendor.submissions.push({ status: 400, body: { error: { code: 'invalid_size', message: 'no such size' } } })

    const got = await call('POST', '/v1/videos', body)

    expect([got.status, got.body]).toEqual([status, { error: expect.objectContaining(error) }])
    expect(await money()).toEqual(before)
  })

  it('refuses a wallet that does not hold the price', async () => {
    const poor = await seedUser(stack, { credited: 10, granted: CREDITED })

    const drawing = await call('POST', '/mj/submit/imagine', { prompt: 'x' }, poor.key)
    const song = await call('POST', '/suno/submit/music', { prompt: 'x' }, poor.key)

    expect([drawing.status, String(drawing.body['description']).split(' ')[0], drawing.body['code']]).toEqual([403, 'quota_not_enough', 4])
    expect([song.status, song.body]).toEqual([403, { code: 'quota_not_enough', message: 'user quota is not enough', data: null }])
  })

  it('ends every task once, and charges what was delivered, while workers and relays are killed', async () => {
    const before = await money()
    const doomed = await stack.startRelay()
    const second = await stack.startWorker()
    await vi.waitUntil(async () => (await fetch(`${doomed.url}/readyz`)).ok, { timeout: 20_000 })
    const submitTo = async (url: string, nth: number): Promise<string | undefined> => {
      const headers = { authorization: `Bearer sk-${user.key}`, 'content-type': 'application/json' }
      const body = JSON.stringify({ prompt: `task ${nth}` })
      const answer = await fetch(`${url}/mj/submit/imagine`, { method: 'POST', headers, body }).catch(() => undefined)
      return answer?.ok === true ? String(((await answer.json()) as Json)['result']) : undefined
    }
    const submitting = Array.from({ length: 80 }, (_, nth) => submitTo(nth % 2 === 0 ? relay : doomed.url, nth))
    await Promise.all(submitting.slice(0, 20))
    await Promise.all([doomed.end('SIGKILL'), second.end('SIGKILL')])
    const accepted = (await Promise.all(submitting)).filter((id) => id !== undefined)
    expect(accepted.length).toBeGreaterThan(40)

    // The vendor ends every other task well, and changes its mind about all of them afterwards.
    for (const [nth, [id, task]] of [...vendor.tasks].entries())
      vendor.tasks.set(id, { ...task, status: nth % 2 === 0 ? 'SUCCESS' : 'FAILURE' })
    const { db } = stack.database
    const open = () =>
      db
        .selectFrom('tasks')
        .select('id')
        .where('state', 'not in', ['success', 'failure', 'expired'])
        .where('prompt', 'like', 'task %')
        .execute()
    await db.updateTable('task_polls').set({ next_poll_at: 0 }).execute()
    await vi.waitUntil(async () => (await open()).length === 0, { timeout: 20_000 })
    for (const [id, task] of vendor.tasks) vendor.tasks.set(id, { ...task, status: task['status'] === 'SUCCESS' ? 'FAILURE' : 'SUCCESS' })
    await db.updateTable('task_polls').set({ next_poll_at: 0 }).execute()

    // A relay may have died before it settled a task; the worker does it a minute later.
    await posted(90_000)
    const rows = await db.selectFrom('tasks').selectAll().where('prompt', 'like', 'task %').execute()
    expect(rows.length).toBeGreaterThanOrEqual(accepted.length)
    expect(accepted.filter((id) => !rows.some(({ task_id }) => task_id === id))).toEqual([])
    const ends = await db
      .selectFrom('task_changes')
      .select(['task_id', (eb) => eb.fn.countAll<number>().as('count')])
      .where('source', '=', 'poll')
      .where('state', 'in', ['success', 'failure'])
      .where(
        'task_id',
        'in',
        rows.map(({ task_id }) => task_id),
      )
      .groupBy('task_id')
      .execute()
    expect(ends.every(({ count }) => count === 1)).toBe(true)
    expect(ends).toHaveLength(rows.length)
    const delivered = rows.filter(({ state }) => state === 'success').length * PRICE
    const after = await money()
    expect(rows.reduce((sum, { quota, refunded }) => sum + quota - refunded, 0)).toBe(delivered)
    expect(after.user - before.user).toBe(after.token - before.token)
  })

  it('leaves a ledger that the verifier finds right', async () => {
    const { stdout } = await run(process.execPath, [join(import.meta.dirname, '../services/worker/src/verify-ledger.ts')], {
      env: { ...stack.env },
    })

    expect(stdout.split('\n').filter((line) => /\d+ {2}/.test(line) && !line.endsWith('ok'))).toEqual([])
    expect(stdout).toMatch(/tasks: refunds fit their ends +\d+ {2}ok/)
  })
})
