import { wakeTasks } from '@tollgate/db/queries/tasks/tasks'
import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import OpenAI from 'openai'
import { defaultVideoUnits } from '@tollgate/contracts/pricing/video-units'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createChannel, must, setUp, type Api } from './support/api.ts'
import { seedUser, type Seeded } from './support/seed.ts'
import { startStack, type Stack } from './support/stack.ts'

type Json = Record<string, unknown>
type Call = { readonly method: string; readonly path: string; readonly headers: IncomingMessage['headers']; readonly text: string }

const MP4 = Buffer.from('a video of sixteen bytes or more')
const MEGABYTE = 1024 * 1024

/** Scripted vendors of videos on one port. Sora's and Kling's paths begin alike and are distinguished by what follows. */
class VideoVendors {
  readonly calls: Call[] = []
  /** Answer to a question about a task, by the vendor's id. */
  readonly tasks = new Map<string, Json>()
  /** Bytes of the endless file that were taken. */
  taken = 0
  /** Status of the next deletions. */
  deletions: number[] = []
  /** Submissions are taken and answered with this status, as a vendor does that fails after it has begun. */
  failing: number | undefined
  /** The length that submissions are said to have; undefined: none is stated. */
  seconds: string | undefined
  #server: Server | undefined
  #next = 1
  url = ''

  async start(): Promise<void> {
    const server = createServer((incoming, reply) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.on('end', () => {
        const { method = '', url = '', headers } = incoming
        const call = { method, path: url, headers, text: Buffer.concat(chunks).toString() }
        this.calls.push(call)
        this.#answer(call, reply)
      })
    })
    this.#server = server
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  stop(): void {
    this.#server?.closeAllConnections()
    this.#server?.close()
  }

  last(path: string | RegExp): Call {
    const found = this.calls.findLast((call) => (typeof path === 'string' ? call.path === path : path.test(call.path)))
    if (found === undefined) throw new Error(`no call of ${String(path)}`)
    return found
  }

  #answer(call: Call, reply: ServerResponse): void {
    const { method, path, headers } = call
    if (path === '/endless.mp4') return this.#sendEndless(reply)
    if (path === '/moved.mp4') return void reply.writeHead(302, { location: '/file.mp4' }).end()
    if (path === '/broken.mp4') {
      reply.writeHead(200, { 'content-type': 'video/mp4', 'content-length': '100' }).write(MP4)
      setImmediate(() => reply.destroy())
      return
    }
    if (path === '/page.mp4') return void reply.writeHead(200, { 'content-type': 'text/html' }).end('<script>')
    if (/^\/proxy\/?$/.test(path)) return this.#proxy(call, reply)
    if (path === '/file.mp4' || path.endsWith('/content')) return sendFile(headers.range, reply)
    if (path.endsWith('/content?variant=thumbnail')) return void reply.writeHead(200, { 'content-type': 'image/webp' }).end('picture')
    if (method === 'POST' && this.failing !== undefined)
      return void reply.writeHead(this.failing, { 'content-type': 'application/json' }).end('{}')
    const status = method === 'DELETE' ? (this.deletions.shift() ?? 200) : 200
    reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(this.#answerJson(call)))
  }

  #sendEndless(reply: ServerResponse): void {
    const { taken } = this
    let sent = taken
    const body = Readable.from(
      (function* (vendors: VideoVendors) {
        for (let nth = 0; nth < 512; nth += 1) {
          sent += MEGABYTE
          vendors.taken = sent
          yield Buffer.alloc(MEGABYTE)
        }
      })(this),
    )
    reply.writeHead(200, { 'content-type': 'application/octet-stream' })
    body.pipe(reply)
    reply.on('close', () => body.destroy())
  }

  /** The operator's proxy of option WorkerUrl: a file, or a delivery. */
  #proxy({ text }: Call, reply: ServerResponse): void {
    const asked = JSON.parse(text) as { url: string; headers: { range?: string } }
    if (asked.url.endsWith('/file.mp4')) sendFile(asked.headers.range, reply)
    else reply.writeHead(200).end()
  }

  #answerJson({ method, path, text }: Call): Json {
    const body = text === '' ? {} : (JSON.parse(text) as Json)
    if (method === 'DELETE') return { deleted: true }
    const question = path.startsWith('/?Action=CVSync2AsyncGetResult')
      ? String(body['task_id'])
      : (/\/([\w-]+)(?:\/creations)?$/.exec(path)?.[1] ?? '')
    const known = this.tasks.get(question)
    if (known !== undefined) return known
    const id = `v-${this.#next++}`
    const stated = this.seconds === undefined ? {} : { seconds: this.seconds }
    if (path === '/v1/videos' || path.endsWith('/remix'))
      return this.#keep(id, { id, object: 'video', status: 'queued', progress: 0, ...stated })
    if (path.startsWith('/v1/videos/')) return this.#keep(id, { code: 0, data: { task_id: id, task_status: 'submitted' } })
    if (path.startsWith('/?Action=')) return this.#keep(id, { code: 10_000, message: 'Success', data: { task_id: id, status: 'in_queue' } })
    if (path.startsWith('/ent/v2/')) return this.#keep(id, { task_id: id, state: 'created' })
    return this.#keep(id, { id, status: 'queued' })
  }

  #keep(id: string, task: Json): Json {
    this.tasks.set(id, task)
    return task
  }
}

function sendFile(range: string | undefined, reply: ServerResponse): void {
  const found = /^bytes=(\d+)-(\d+)$/.exec(range ?? '')
  if (found === null)
    return void reply.writeHead(200, { 'content-type': 'video/mp4', 'content-length': MP4.length, 'accept-ranges': 'bytes' }).end(MP4)
  const [from, to] = [Number(found[1]), Number(found[2])]
  if (from >= MP4.length) return void reply.writeHead(416).end()
  const part = MP4.subarray(from, to + 1)
  reply.writeHead(206, { 'content-type': 'video/mp4', 'content-length': part.length, 'content-range': `bytes ${from}-${to}/${MP4.length}` })
  reply.end(part)
}

const PRICE = 50_000
const CREDITED = 50_000_000
const MODELS = { 'sora-2': 55, 'kling-v1': 50, 'jimeng-t2v': 51, viduq1: 52, 'doubao-seedance': 54 } as const
const KEYS: Readonly<Record<string, string>> = { 'kling-v1': 'access|secret', 'jimeng-t2v': 'AK1|SK1' }

describe('videos', () => {
  const vendor = new VideoVendors()
  let stack: Stack
  let api: Api
  let user: Seeded
  let relay: string
  let sdk: OpenAI

  beforeAll(async () => {
    await vendor.start()
    stack = await startStack({ relayEnv: { MEDIA_ALLOW_PRIVATE: '127.0.0.0/8' } })
    api = await setUp(stack.controlPlane.url)
    relay = stack.relays[0]?.url ?? ''
    user = await seedUser(stack, { credited: CREDITED, granted: CREDITED })
    sdk = sdkOf(user)
    const options = must(await api.get<{ key: string; value: string }[]>('/api/option/'))
    const prices = JSON.parse(options.find(({ key }) => key === 'ModelPrice')?.value ?? '{}') as Json
    const priced = { ...prices, ...Object.fromEntries(Object.keys(MODELS).map((model) => [model, 0.1])) }
    must(await api.put('/api/option/', { key: 'ModelPrice', value: JSON.stringify(priced) }))
    for (const [models, type] of Object.entries(MODELS))
      await createChannel(api, { type, base_url: vendor.url, models, name: models, key: KEYS[models] ?? `${models}-key` })
    await vi.waitUntil(async () => (await sdk.models.list()).data.some(({ id }) => id === 'doubao-seedance'), { timeout: 10_000 })
  })
  afterAll(async () => {
    await stack.stop()
    vendor.stop()
  })

  const sdkOf = ({ key }: Seeded): OpenAI => new OpenAI({ apiKey: `sk-${key}`, baseURL: `${relay}/v1`, maxRetries: 0 })
  const send = (path: string, init: RequestInit = {}, { key } = user): Promise<Response> =>
    fetch(relay + path, { ...init, headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json', ...init.headers } })
  const post = async (path: string, body: Json): Promise<{ status: number; body: Json }> => {
    const answer = await send(path, { method: 'POST', body: JSON.stringify(body) })
    return { status: answer.status, body: (await answer.json()) as Json }
  }
  const rowOf = (task_id: string) =>
    stack.database.db.selectFrom('tasks').selectAll().where('task_id', '=', task_id).executeTakeFirstOrThrow()
  /** The vendor's state from now on; the worker asks at once. */
  async function end(task_id: string, says: Json) {
    const { vendor_task_id } = await rowOf(task_id)
    vendor.tasks.set(vendor_task_id.slice(vendor_task_id.lastIndexOf('/') + 1), says)
    await wakeTasks(stack.database.db, [task_id], 0)
    return await vi.waitUntil(
      async () => {
        const row = await rowOf(task_id)
        return row.is_posted && (row.state === 'success' || row.state === 'failure') ? row : undefined
      },
      { timeout: 10_000, interval: 50 },
    )
  }
  const film = async (says: Json = { status: 'completed', progress: 100 }, owner = sdk): Promise<string> => {
    const { id } = await owner.videos.create({ model: 'sora-2', prompt: 'a boat', seconds: '8', size: '1280x720' })
    await end(id, says)
    return id
  }
  /** A finished video whose vendor names this address. */
  const at = async (file: string): Promise<string> => {
    const { body } = await post('/v1/videos', { model: 'viduq1', prompt: 'a boat' })
    await end(String(body['id']), { state: 'success', creations: [{ url: vendor.url + file }] })
    return String(body['id'])
  }
  const left = async ({ userId } = user): Promise<number> => {
    const account = await stack.database.db
      .selectFrom('users')
      .select(['credited', 'spent'])
      .where('id', '=', userId)
      .executeTakeFirstOrThrow()
    return account.credited - account.spent
  }

  it('lists, deletes and remixes videos for the openai SDK, and shows each user only own ones', async () => {
    const owner = await seedUser(stack, { credited: CREDITED, granted: CREDITED })
    const own = sdkOf(owner)
    const [first, second] = [await film(undefined, own), await film(undefined, own)]
    const { vendor_task_id } = await rowOf(first)

    const remix = await own.videos.remix(first, { prompt: 'a larger boat' })
    expect(vendor.last(`/v1/videos/${vendor_task_id}/remix`)).toMatchObject({
      headers: { authorization: 'Bearer sora-2-key' },
      text: '{"prompt":"a larger boat"}',
    })
    expect(remix).toMatchObject({ model: 'sora-2', seconds: '8', size: '1280x720', remixed_from_video_id: first, status: 'queued' })
    await end(remix.id, { status: 'completed' })
    expect(await left(owner)).toBe(CREDITED - 3 * 8 * PRICE)

    const newest = await own.videos.list({ limit: 2 })
    expect([newest.data.map(({ id }) => id), newest.has_more]).toEqual([[remix.id, second], true])
    const all: string[] = []
    for await (const video of own.videos.list({ limit: 1, order: 'asc' })) all.push(video.id)
    expect(all).toEqual([first, second, remix.id])

    expect(await own.videos.delete(second)).toEqual({ id: second, object: 'video.deleted', deleted: true })
    expect(vendor.calls.findLast(({ method }) => method === 'DELETE')?.path).toBe(`/v1/videos/${(await rowOf(second)).vendor_task_id}`)
    await expect(own.videos.retrieve(second)).rejects.toMatchObject({ status: 404, code: 'task_not_exist' })
    await expect(own.videos.delete(second)).rejects.toMatchObject({ status: 404 })
    expect(await rowOf(second)).toMatchObject({ prompt: '', media: [], data: null, quota: 8 * PRICE, refunded: 0 })
    expect((await own.videos.list()).data.map(({ id }) => id)).toEqual([remix.id, first])

    await expect(sdk.videos.delete(first)).rejects.toMatchObject({ status: 404 })
    await expect(sdk.videos.remix(first, { prompt: 'x' })).rejects.toMatchObject({ status: 404 })
    expect((await sdk.videos.list()).data.map(({ id }) => id)).not.toContain(first)
  })

  it('sends the length that it charges where the client names none, and charges the length that the vendor states', async () => {
    const owner = await seedUser(stack, { credited: CREDITED, granted: CREDITED })
    const own = sdkOf(owner)

    const unnamed = await own.videos.create({ model: 'sora-2', prompt: 'a boat' })
    expect(JSON.parse(vendor.last('/v1/videos').text)).toMatchObject({ seconds: '4' })
    vendor.seconds = '12'
    const corrected = await own.videos.create({ model: 'sora-2', prompt: 'a boat', seconds: '8' })
    vendor.seconds = undefined
    const { body } = await post('/v1/videos', { model: 'kling-v1', prompt: 'a boat', mode: 'pro' })

    expect([unnamed.seconds, corrected.seconds, body['seconds']]).toEqual(['4', '12', '5'])
    expect(JSON.parse(vendor.last('/v1/videos/text2video').text)).toMatchObject({ duration: '5' })
    for (const { id } of [unnamed, corrected]) await end(id, { status: 'completed' })
    await end(String(body['id']), { code: 0, data: { task_status: 'succeed' } })
    expect(await Promise.all([unnamed.id, corrected.id, String(body['id'])].map(async (id) => (await rowOf(id)).quota))).toEqual([
      4 * PRICE,
      12 * PRICE,
      PRICE,
    ])
    expect(await left(owner)).toBe(CREDITED - 16 * PRICE)
  })

  it('charges a video by the unit that the option gives its model', async () => {
    const owner = await seedUser(stack, { credited: CREDITED, granted: CREDITED })
    const units = { viduq1: { per_seconds: 5, seconds: 5, modes: { pro: 3 } } }
    must(await api.put('/api/option/', { key: 'video_price_setting.units', value: JSON.stringify(units) }))
    const make = async (seconds: number) => {
      const body = JSON.stringify({ model: 'viduq1', prompt: 'a boat', seconds, mode: 'pro' })
      const answer = (await (await send('/v1/videos', { method: 'POST', body }, owner)).json()) as Json
      return (await end(String(answer['id']), { state: 'success', creations: [{ url: `${vendor.url}/file.mp4` }] })).quota
    }

    await vi.waitFor(async () => expect(await make(10)).toBe(6 * PRICE), { timeout: 10_000 })
    must(await api.put('/api/option/', { key: 'video_price_setting.units', value: '{}' }))
    await vi.waitFor(async () => expect(await make(10)).toBe(PRICE), { timeout: 10_000 })
    must(await api.put('/api/option/', { key: 'video_price_setting.units', value: JSON.stringify(defaultVideoUnits) }))
  })

  it('says which types of channels make videos, if none of the model’s does', async () => {
    await createChannel(api, { type: 1, base_url: vendor.url, models: 'dall-e-3', name: 'no films' })
    await vi.waitUntil(async () => (await sdk.models.list()).data.some(({ id }) => id === 'dall-e-3'), { timeout: 10_000 })

    const refused = await post('/v1/videos', { model: 'dall-e-3', prompt: 'a boat' })

    expect([refused.status, JSON.stringify(refused.body)]).toEqual([
      404,
      expect.stringMatching(/channels of these types do: .*Kling.*Sora/),
    ])
  })

  it('sends the image that a client names by its address, from a form and from JSON', async () => {
    const image_url = 'https://example.com/a.png'
    const sent = () => JSON.parse(vendor.last('/v1/videos').text) as Json

    await sdk.videos.create({ model: 'sora-2', prompt: 'a boat', input_reference: { image_url } })
    expect(sent()).toMatchObject({ input_reference: { image_url } })
    await post('/v1/videos', { model: 'sora-2', prompt: 'a boat', input_reference: { image_url: { url: image_url } } })
    expect(sent()).toMatchObject({ input_reference: { image_url } })
    expect(await post('/v1/videos', { model: 'sora-2', prompt: 'a boat', input_reference: { file_id: 'file-1' } })).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining('input_reference.file_id') } },
    })
  })

  it('takes OpenAI’s model where the client names none', async () => {
    await sdk.videos.create({ prompt: 'a boat' })
    expect(JSON.parse(vendor.last('/v1/videos').text)).toMatchObject({ model: 'sora-2' })
  })

  it('sends the thumbnail of a vendor that has one, and never the video in its place', async () => {
    const [made, direct] = [await film(), await at('/file.mp4')]

    const picture = await sdk.videos.downloadContent(made, { variant: 'thumbnail' })
    expect([picture.headers.get('content-type'), await picture.text()]).toEqual(['image/webp', 'picture'])
    await expect(sdk.videos.downloadContent(direct, { variant: 'thumbnail' })).rejects.toMatchObject({ status: 400 })
    await expect(send(`/v1/videos/${made}/content?variant=poster`).then(({ status }) => status)).resolves.toBe(400)
  })

  it.each([500, 504])('orders once from a vendor that took the job and answered %i, though the client repeats failures', async (status) => {
    const eager = new OpenAI({ apiKey: `sk-${user.key}`, baseURL: `${relay}/v1`, maxRetries: 2 })
    const before = vendor.calls.length
    vendor.failing = status
    expect(await eager.videos.create({ model: 'sora-2', prompt: 'once' })).toMatchObject({ status: 'queued' })
    await expect(eager.videos.create({ model: 'viduq1', prompt: 'once' })).rejects.toThrow()
    vendor.failing = undefined

    expect(
      vendor.calls
        .slice(before)
        .filter(({ method }) => method === 'POST')
        .map(({ path }) => path),
    ).toEqual(['/v1/videos', '/ent/v2/text2video'])
  })

  it('keeps a video that its vendor did not delete, and one that is not finished', async () => {
    const made = await film()
    vendor.deletions = [500]
    await expect(sdk.videos.delete(made)).rejects.toMatchObject({ status: 502, code: 'video_not_deleted' })
    expect((await sdk.videos.retrieve(made)).status).toBe('completed')
    vendor.deletions = [404]
    expect(await sdk.videos.delete(made)).toMatchObject({ deleted: true })

    const open = await sdk.videos.create({ model: 'sora-2', prompt: 'later' })
    await expect(sdk.videos.delete(open.id)).rejects.toMatchObject({ status: 400, code: 'invalid_request' })
    await expect(sdk.videos.remix(open.id, { prompt: 'x' })).rejects.toMatchObject({ status: 400, code: 'invalid_request' })
    const other = await at('/file.mp4')
    await expect(sdk.videos.remix(other, { prompt: 'x' })).rejects.toThrow('the vendor of this video cannot remix')
  })

  it.each(['?limit=0', '?limit=101', '?order=up', `?after=${'x'.repeat(81)}`])('refuses a list %s', async (query) => {
    const answer = await send(`/v1/videos${query}`)
    expect([answer.status, await answer.json()]).toEqual([400, { error: expect.objectContaining({ type: 'invalid_request_error' }) }])
  })

  it('sends a part of a video when one is asked for, and says so when there is none', async () => {
    const [direct, withKey] = [await at('/moved.mp4'), await film()]
    for (const id of [direct, withKey]) {
      const part = await send(`/v1/videos/${id}/content`, { headers: { range: 'bytes=2-6' } })
      expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([206, `bytes 2-6/${MP4.length}`, 'video'])
    }
    const beyond = await send(`/v1/videos/${direct}/content`, { headers: { range: 'bytes=99-100' } })
    expect([beyond.status, ((await beyond.json()) as { error: Json }).error['code']]).toEqual([416, 'invalid_range'])
    const whole = await send(`/v1/videos/${direct}/content`, { headers: { range: 'bytes=0-1,3-4' } })
    expect([whole.status, whole.headers.get('content-length'), await whole.text()]).toEqual([200, String(MP4.length), MP4.toString()])
  })

  it('plays a video in a browser at the address that the console gets, and at no other', async () => {
    const id = await film()
    const [medium] = must(await api.get<{ kind: string; url: string }[]>(`/api/task/media?task_id=${id}`))
    const { url = '', kind } = medium ?? {}
    const play = (path: string) => fetch(relay + path, { headers: { range: 'bytes=2-6', 'sec-fetch-dest': 'video' } })

    const part = await play(url)
    expect([kind, part.status, part.headers.get('content-type'), await part.text()]).toEqual(['video', 206, 'video/mp4', 'video'])
    const other = await play(url.replace('/media/0', '/media/1'))
    expect([other.status, ((await other.json()) as { error: Json }).error['code']]).toEqual([403, 'address_expired'])
  })

  it('reads a video no faster than its client does', async () => {
    const endless = await at('/endless.mp4')

    const answer = await send(`/v1/videos/${endless}/content`)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'video/mp4'])
    const reader = answer.body?.getReader()
    await reader?.read()
    let before = -1
    await vi.waitUntil(
      () => {
        const isStill = before === vendor.taken
        before = vendor.taken
        return isStill
      },
      { timeout: 10_000, interval: 300 },
    )

    expect(vendor.taken).toBeLessThan(64 * MEGABYTE)
    await reader?.cancel()
  })

  it('breaks off when the vendor does, and passes on videos only', async () => {
    const broken = await send(`/v1/videos/${await at('/broken.mp4')}/content`)
    expect(broken.status).toBe(200)
    await expect(broken.arrayBuffer()).rejects.toThrow()

    const page = await send(`/v1/videos/${await at('/page.mp4')}/content`)
    expect([page.status, ((await page.json()) as { error: Json }).error['code']]).toEqual([502, 'video_unavailable'])
  })

  it('serves clients of Kling in its own format', async () => {
    const submitted = await post('/kling/v1/videos/image2video', {
      model_name: 'kling-v1',
      prompt: 'wave',
      image: 'https://a.example/1.png',
      duration: '5',
      cfg_scale: 0.5,
      callback_url: 'https://client.example/hook',
    })
    expect(submitted.body).toMatchObject({ code: 0, data: { task_id: expect.any(String), task_status: 'submitted' } })
    const sent = vendor.last('/v1/videos/image2video')
    expect(JSON.parse(sent.text)).toEqual({
      model_name: 'kling-v1',
      prompt: 'wave',
      image: 'https://a.example/1.png',
      duration: '5',
      cfg_scale: 0.5,
      external_task_id: (submitted.body['data'] as Json)['task_id'],
    })
    const [head, claims, signature] = String(sent.headers.authorization).replace('Bearer ', '').split('.')
    expect(signature).toBe(createHmac('sha256', 'secret').update(`${head}.${claims}`).digest('base64url'))
    const id = String((submitted.body['data'] as Json)['task_id'])
    expect((await rowOf(id)).callback_url).toBe('https://client.example/hook')

    await end(id, { code: 0, data: { task_status: 'succeed', task_result: { videos: [{ url: `${vendor.url}/file.mp4` }] } } })
    const found = (await (await send(`/kling/v1/videos/image2video/${id}`)).json()) as Json
    expect(found).toMatchObject({
      code: 0,
      data: { task_id: id, task_status: 'succeed', task_result: { videos: [{ url: `${vendor.url}/file.mp4`, duration: '5' }] } },
    })
    const listed = (await (await send('/kling/v1/videos/image2video?pageNum=1&pageSize=1')).json()) as Json
    expect(listed).toMatchObject({ code: 0, data: [{ task_id: id, task_status: 'succeed' }] })
    expect(listed['data']).toHaveLength(1)
    const beyond = await send('/kling/v1/videos/image2video?pageNum=1001')
    expect([beyond.status, await beyond.json()]).toMatchObject([400, { code: 1201 }])
    expect(await post('/kling/v1/videos/text2video', { model_name: 'kling-v1' })).toMatchObject({ status: 400, body: { code: 1201 } })
    const missing = await send('/kling/v1/videos/text2video/unknown')
    expect([missing.status, await missing.json()]).toMatchObject([404, { code: 1203 }])
  })

  it('serves clients of Ark in its own format', async () => {
    const path = '/api/v3/contents/generations/tasks'
    // As volcengine-ark-runtime 5.0.54 writes it.
    const unset = { callback_url: null, return_last_frame: null, seed: null, frames: null, priority: null }
    const content = [{ type: 'text', text: 'wave' }]
    const given = { model: 'doubao-seedance', content, resolution: '720p', ratio: '9:16', duration: 5 }
    const submitted = await post(path, { ...unset, ...given })
    const id = String(submitted.body['id'])
    expect([submitted.status, Object.keys(submitted.body)]).toEqual([200, ['id']])
    expect(JSON.parse(vendor.last(path).text)).toEqual(given)
    const read = async (): Promise<unknown> => (await send(`${path}/${id}`)).json()
    expect(await read()).toMatchObject({ id, model: 'doubao-seedance', status: 'queued', error: null, content: null })

    const usage = { completion_tokens: 108_900, total_tokens: 108_900 }
    await end(id, { status: 'succeeded', content: { video_url: 'https://cdn.example/v.mp4' }, usage, duration: 5, ratio: '9:16' })
    expect(await read()).toMatchObject({
      id,
      status: 'succeeded',
      content: { video_url: 'https://cdn.example/v.mp4' },
      usage,
      ratio: '9:16',
    })
    const refused = await post(path, { ...given, content: [{ type: 'audio_url' }] })
    expect(refused).toMatchObject({ status: 400, body: { error: { message: expect.stringContaining('audio_url') } } })

    const second = String((await post(path, given)).body['id'])
    const list = async (query: string) => (await (await send(`${path}?${query}`)).json()) as { items: Json[]; total: number }
    const { items } = await list('page_num=1&page_size=2')
    expect(items.map((item) => [item['id'], item['status']])).toEqual([
      [second, 'queued'],
      [id, 'succeeded'],
    ])
    expect(await list(`page_num=1&page_size=10&filter.status=queued&filter.task_ids=${id}&filter.task_ids=${second}`)).toMatchObject({
      total: 1,
      items: [{ id: second }],
    })
    expect(await list('filter.model=nothing')).toEqual({ total: 0, items: [] })
    expect((await send(`${path}?page_num=0`)).status).toBe(400)
    const removed = await send(`${path}/${id}`, { method: 'DELETE' })
    expect([removed.status, await removed.json()]).toEqual([200, {}])
    expect((await send(`${path}/${id}`)).status).toBe(404)
    const early = await send(`${path}/${second}`, { method: 'DELETE' })
    expect([early.status, await early.json()]).toMatchObject([400, { error: { message: expect.stringContaining('not finished') } }])
  })

  it('refuses in Kling’s format what it does not have', async () => {
    const answer = await send('/kling/v1/videos/omni-video', { method: 'POST', body: '{}' })
    expect([answer.status, await answer.json()]).toMatchObject([404, { code: 1203, message: expect.any(String) }])
  })

  it('serves clients of Jimeng in its own format, with calls signed as Volcengine requires', async () => {
    const body = { req_key: 'jimeng-t2v', prompt: 'wave', frames: 241, seed: 7 }
    const submitted = await post('/jimeng/?Action=CVSync2AsyncSubmitTask&Version=2022-08-31', body)
    expect(submitted.body).toMatchObject({ code: 10_000, data: { task_id: expect.any(String) } })
    const sent = vendor.last(/CVSync2AsyncSubmitTask/)
    expect(JSON.parse(sent.text)).toEqual(body)
    expect(sent.headers['x-content-sha256']).toBe(createHash('sha256').update(sent.text).digest('hex'))
    expect(sent.headers.authorization).toBe(volcengineAuthorization(sent))

    const id = String((submitted.body['data'] as Json)['task_id'])
    await end(id, { code: 10_000, message: 'Success', data: { status: 'done', video_url: `${vendor.url}/file.mp4` } })
    const question = vendor.last(/CVSync2AsyncGetResult/)
    expect(question.headers.authorization).toBe(volcengineAuthorization(question))
    const result = await post('/jimeng/?Action=CVSync2AsyncGetResult&Version=2022-08-31', { req_key: 'jimeng-t2v', task_id: id })
    expect(result.body).toMatchObject({ code: 10_000, data: { status: 'done', video_url: `${vendor.url}/file.mp4` } })
    const drawn = await post('/jimeng/?Action=CVSync2AsyncSubmitTask&Version=2022-08-31', { ...body, prompt: 'a picture' })
    const picture = String((drawn.body['data'] as Json)['task_id'])
    const image_urls = ['https://cdn.example/1.png', 'https://cdn.example/2.png']
    await end(picture, { code: 10_000, message: 'Success', data: { status: 'done', image_urls } })
    const pictures = await post('/jimeng/?Action=CVSync2AsyncGetResult&Version=2022-08-31', { req_key: 'jimeng-t2v', task_id: picture })
    expect(pictures.body).toMatchObject({ code: 10_000, data: { status: 'done', image_urls } })
    const refused = await post('/jimeng/?Action=Nothing&Version=2022-08-31', {})
    expect(refused).toMatchObject({ status: 400, body: { code: 50_400 } })
  })

  it.each<[string, Json, RegExp, Json, string, Json, Json]>([
    [
      'Vidu',
      { model: 'viduq1', prompt: 'a boat', input_reference: 'https://a.example/1.png', seconds: 5, size: '1280x720' },
      /^\/ent\/v2\/img2video$/,
      { model: 'viduq1', prompt: 'a boat', images: ['https://a.example/1.png'], duration: 5, resolution: '720p' },
      'Token viduq1-key',
      { state: 'success', creations: [{ url: 'https://cdn.example/v.mp4' }] },
      { state: 'failed', err_code: 'CreditInsufficient' },
    ],
    [
      'Doubao',
      { model: 'doubao-seedance', prompt: 'a boat', seconds: 5, size: '1280x720' },
      /^\/api\/v3\/contents\/generations\/tasks$/,
      { model: 'doubao-seedance', content: [{ type: 'text', text: 'a boat' }], duration: 5, ratio: '16:9', resolution: '720p' },
      'Bearer doubao-seedance-key',
      { status: 'succeeded', content: { video_url: 'https://cdn.example/v.mp4' } },
      { status: 'failed', error: { code: 'SensitiveContent', message: 'no' } },
    ],
  ])('makes videos with %s, and gives back what failed', async (_vendor, body, path, sent, authorization, success, failure) => {
    const before = await left()
    const [made, failed] = [await post('/v1/videos', body), await post('/v1/videos', body)]
    const call = vendor.last(path)
    expect([JSON.parse(call.text), call.headers.authorization]).toEqual([sent, authorization])

    await end(String(made.body['id']), success)
    await end(String(failed.body['id']), failure)

    expect(await sdk.videos.retrieve(String(made.body['id']))).toMatchObject({
      status: 'completed',
      progress: 100,
      seconds: '5',
      size: '1280x720',
      metadata: { url: 'https://cdn.example/v.mp4' },
    })
    expect(await sdk.videos.retrieve(String(failed.body['id']))).toMatchObject({ status: 'failed', error: { code: 'generation_failed' } })
    expect(await left()).toBe(before - PRICE)
  })

  it('reports the end of a video to its callback address, and takes https addresses only', async () => {
    expect(await post('/v1/videos', { model: 'viduq1', prompt: 'x', callback_url: 'http://a.example/' })).toMatchObject({ status: 400 })
    // Deliveries and files go through the operator's proxy from here on.
    must(await api.put('/api/option/', { key: 'WorkerUrl', value: `${vendor.url}/proxy` }))
    must(await api.put('/api/option/', { key: 'WorkerAllowHttpImageRequestEnabled', value: 'true' }))
    const { body } = await post('/v1/videos', { model: 'viduq1', prompt: 'x', callback_url: 'https://client.example/done' })
    const id = String(body['id'])
    await end(id, { state: 'success', creations: [{ url: `${vendor.url}/file.mp4` }] })

    const delivered = await vi.waitUntil(
      () => vendor.calls.find(({ path, text }) => path === '/proxy/' && text.includes('client.example')),
      { timeout: 15_000 },
    )
    const told = JSON.parse(delivered.text) as { url: string; body: string }
    expect(told.url).toBe('https://client.example/done')
    expect(JSON.parse(told.body)).toMatchObject({ id, object: 'video', status: 'completed' })
    const part = await send(`/v1/videos/${id}/content`, { headers: { range: 'bytes=2-6' } })
    expect([part.status, await part.text()]).toEqual([206, 'video'])
    expect(vendor.last('/proxy').text).toContain('file.mp4')
  })
})

/** Computed here from what arrived, by the rules of https://www.volcengine.com/docs/6369/67269. */
function volcengineAuthorization({ path, headers, text }: Call): string {
  const sha256 = (given: string) => createHash('sha256').update(given).digest('hex')
  const hmac = (key: string | Buffer, given: string) => createHmac('sha256', key).update(given).digest()
  const date = String(headers['x-date'])
  const day = date.slice(0, 8)
  const query = (path.split('?')[1] ?? '').split('&').toSorted().join('&')
  const signed = 'content-type;host;x-content-sha256;x-date'
  const lines = [`content-type:${headers['content-type']}`, `host:${headers.host}`, `x-content-sha256:${sha256(text)}`, `x-date:${date}`]
  const canonical = ['POST', '/', query, ...lines, '', signed, sha256(text)].join('\n')
  const scope = `${day}/cn-north-1/cv/request`
  const key = hmac(hmac(hmac(hmac('SK1', day), 'cn-north-1'), 'cv'), 'request')
  const signature = hmac(key, ['HMAC-SHA256', date, scope, sha256(canonical)].join('\n')).toString('hex')
  return `HMAC-SHA256 Credential=AK1/${scope}, SignedHeaders=${signed}, Signature=${signature}`
}
