import { generateKeyPairSync } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { wakeTasks } from '@tollgate/db/queries/tasks/tasks'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createChannel, must, setUp } from './support/api.ts'
import { seedUser, type Seeded } from './support/seed.ts'
import { startStack, type Stack } from './support/stack.ts'

// Videos of Google's models with a Gemini API key and of Veo on Vertex AI, as @google/genai 3.3.0 and openai-node 7.57.0 ask for them.

type Json = Record<string, unknown>
type Call = { readonly method: string; readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: Json }

const MODEL = 'gemini-omni-1.2-flash'
const CREDITED = 50_000_000
const PER_SECOND = 5000
const MP4 = 'a video of sixteen bytes or more'
const VIDEO = {
  type: 'video',
  mime_type: 'video/mp4',
  uri: 'https://generativelanguage.googleapis.com/v1beta/files/abc123:download?alt=media',
}

const VEO = 'veo-3.1-generate-001'
const OPERATION = `projects/project-1/locations/us-central1/publishers/google/models/${VEO}/operations/op-1`

describe('videos of Google', () => {
  const calls: Call[] = []
  /** The answer to the next questions about an interaction. */
  let says: Json = { status: 'in_progress' }
  let refusal: Json | undefined
  /** The same for operations of Vertex AI. */
  let operation: Json = { name: OPERATION }
  let vendor: Server
  let stack: Stack
  let user: Seeded
  let google: GoogleGenAI
  let openai: OpenAI

  beforeAll(async () => {
    let next = 0
    vendor = createServer((incoming, reply) => {
      let text = ''
      incoming.setEncoding('utf8').on('data', (piece: string) => (text += piece))
      incoming.on('end', () => {
        const { method = '', url = '', headers } = incoming
        const isForm = headers['content-type'] === 'application/x-www-form-urlencoded'
        calls.push({ method, path: url, headers, body: text === '' || isForm ? {} : (JSON.parse(text) as Json) })
        const send = (status: number, body: Json) =>
          reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
        if (url === '/token') return void send(200, { access_token: 'google-token', expires_in: 3600 })
        if (url.includes('/publishers/google/models/') && headers.authorization !== 'Bearer google-token') return void send(401, {})
        if (url.includes('/publishers/google/models/')) return void send(200, operation)
        if (url.startsWith('/v1beta/files/moved')) return void reply.writeHead(302, { location: `http://${headers.host}/signed` }).end()
        if (url === '/signed' || url.startsWith('/v1beta/files/'))
          return void reply.writeHead(200, { 'content-type': 'video/mp4' }).end(MP4)
        if (method === 'DELETE') return void send(200, {})
        if (method === 'POST' && refusal !== undefined) return void send(400, refusal)
        send(200, method === 'POST' ? { id: `v1_${next++}`, status: 'in_progress' } : { id: url.split('/').at(-1), ...says })
      })
    })
    await new Promise<void>((resolve) => void vendor.listen(0, '127.0.0.1', resolve))
    stack = await startStack({ relayEnv: { MEDIA_ALLOW_PRIVATE: '127.0.0.0/8' } })
    const api = await setUp(stack.controlPlane.url)
    must(await api.put('/api/option/', { key: 'ModelPrice', value: JSON.stringify({ [MODEL]: 0.01, [VEO]: 0.01, 'kling-v3': 0.01 }) }))
    must(
      await api.put('/api/option/', {
        key: 'video_price_setting.units',
        value: JSON.stringify({ [MODEL]: { per_seconds: 1, seconds: 8 }, [VEO]: { per_seconds: 1, seconds: 8 } }),
      }),
    )
    const base_url = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}`
    await createChannel(api, { type: 24, base_url, models: `${MODEL},gemini-2.5-flash`, key: 'google-key' })
    const { privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    })
    const account = { client_email: 'a@example.com', private_key: privateKey, project_id: 'project-1', token_uri: `${base_url}/token` }
    await createChannel(api, { type: 41, base_url, models: VEO, key: JSON.stringify(account), other: 'us-central1' })
    await createChannel(api, { type: 50, base_url, models: 'kling-v3', key: 'k' })
    user = await seedUser(stack, { credited: CREDITED, granted: CREDITED })
    const relay = stack.relays[0]?.url ?? ''
    google = new GoogleGenAI({ apiKey: `sk-${user.key}`, httpOptions: { baseUrl: relay } })
    openai = new OpenAI({ apiKey: `sk-${user.key}`, baseURL: `${relay}/v1`, maxRetries: 0 })
    await vi.waitUntil(async () => (await openai.models.list()).data.some(({ id }) => id === 'kling-v3'), { timeout: 10_000 })
  })
  afterAll(async () => {
    await stack.stop()
    vendor.closeAllConnections()
    vendor.close()
  })

  const lastTo = (end: string): Call | undefined => calls.findLast(({ path }) => path.endsWith(end))
  const left = async (): Promise<number> => {
    const { credited, spent } = await stack.database.db
      .selectFrom('users')
      .select(['credited', 'spent'])
      .where('id', '=', user.userId)
      .executeTakeFirstOrThrow()
    return credited - spent
  }
  /** The vendor ends a video so; the worker asks at once. */
  async function end(task_id: string, said: Json, ended: Json = operation): Promise<void> {
    const row = () =>
      stack.database.db.selectFrom('tasks').select(['state', 'is_posted']).where('task_id', '=', task_id).executeTakeFirstOrThrow()
    await vi.waitUntil(async () => (await row()).is_posted, { timeout: 10_000 })
    says = said
    operation = ended
    await vi.waitUntil(
      async () => {
        await wakeTasks(stack.database.db, [task_id], 0)
        return ['success', 'failure'].includes((await row()).state)
      },
      { timeout: 10_000, interval: 100 },
    )
    says = { status: 'in_progress' }
    operation = { name: OPERATION }
  }
  const taskOf = (id: string): string => id.replace('int_', '')
  const download = async (uri: string, key = user.key): Promise<string> => {
    const answer = await fetch(uri, { headers: { 'x-goog-api-key': `sk-${key}` } })
    return `${answer.status} ${await answer.text()}`
  }

  it('are made for Google’s client by a background interaction, charged by their length, and downloaded', async () => {
    const before = await left()
    const made = await google.interactions.create({
      model: MODEL,
      input: [
        { type: 'text', text: 'a boat' },
        { type: 'image', mime_type: 'image/png', data: 'AAAA' },
      ],
      background: true,
      response_modalities: ['video'],
      response_format: [{ type: 'video', aspect_ratio: '9:16', resolution: '720p', duration: '6s' }],
    })
    expect([made.status, made.id]).toEqual(['in_progress', expect.stringMatching(/^int_/)])
    const sent = calls.findLast(({ method }) => method === 'POST')
    expect([sent?.path, sent?.headers['x-goog-api-key']]).toEqual(['/v1beta/interactions', 'google-key'])
    expect(sent?.body).toEqual({
      model: MODEL,
      input: [
        { type: 'text', text: 'a boat' },
        { type: 'image', mime_type: 'image/png', data: 'AAAA' },
      ],
      background: true,
      response_modalities: ['video'],
      response_format: { type: 'video', delivery: 'uri', aspect_ratio: '9:16', resolution: '720p', duration: '6s' },
    })

    expect((await google.interactions.get(made.id)).status).toBe('in_progress')
    await expect(google.interactions.cancel(made.id)).rejects.toMatchObject({ status: 400 })
    await end(taskOf(made.id), { status: 'completed', steps: [{ type: 'model_output', content: [VIDEO] }] })

    const ended = await google.interactions.get(made.id)
    expect([ended.status, ended.output_video?.mime_type]).toEqual(['completed', 'video/mp4'])
    const uri = ended.output_video?.uri ?? ''
    expect(await download(uri)).toBe(`200 ${MP4}`)
    expect(calls.at(-1)).toMatchObject({ path: '/v1beta/files/abc123:download?alt=media', headers: { 'x-goog-api-key': 'google-key' } })
    const other = await seedUser(stack, { credited: CREDITED, granted: CREDITED })
    expect(await download(uri, other.key)).toContain('404')
    expect(before - (await left())).toBe(6 * PER_SECOND)

    await google.interactions.delete(made.id)
    expect(calls.at(-1)).toMatchObject({ method: 'DELETE', path: '/v1beta/interactions/v1_0' })
    await expect(google.interactions.get(made.id)).rejects.toMatchObject({ status: 404 })
  })

  it('are made for OpenAI’s client, whose fields reach nothing else of the account', async () => {
    const { id } = await openai.videos.create({
      model: MODEL as OpenAI.VideoModel,
      prompt: 'a boat',
      seconds: '4',
      size: '1792x1024',
      metadata: { previous_interaction_id: 'v1_0', tools: [{ type: 'google_search' }], system_instruction: 'Blue.' },
    } as OpenAI.VideoCreateParams)
    expect(calls.findLast(({ method }) => method === 'POST')?.body).toEqual({
      model: MODEL,
      input: 'a boat',
      background: true,
      response_modalities: ['video'],
      response_format: { type: 'video', delivery: 'uri', aspect_ratio: '16:9', resolution: '1080p', duration: '4s' },
      system_instruction: 'Blue.',
    })

    await end(id, { status: 'completed', steps: [], output_video: { ...VIDEO, uri: VIDEO.uri.replace('abc123', 'moved1') } })

    expect((await openai.videos.retrieve(id)).status).toBe('completed')
    expect(await (await openai.videos.downloadContent(id)).text()).toBe(MP4)
    expect([calls.at(-1)?.path, calls.at(-1)?.headers['x-goog-api-key']]).toEqual(['/signed', undefined])
  })

  it.each<[string, Json, string]>([
    ['the vendor refused', { status: 'failed', errors: [{ code: 'SAFETY', message: 'blocked' }] }, 'SAFETY: blocked'],
    [
      'ended with words only',
      { status: 'completed', steps: [{ content: [{ type: 'text', text: 'I cannot film that.' }] }] },
      'cannot film',
    ],
    [
      'were delivered without an address',
      { status: 'completed', steps: [{ content: [{ type: 'video', data: 'AAAA' }] }] },
      'without a video',
    ],
  ])('are given back when %s', async (_what, said, reason) => {
    const before = await left()
    const { id } = await google.interactions.create({ model: MODEL, input: 'a boat', background: true, response_modalities: ['video'] })
    await end(taskOf(id), said)

    const ended = await google.interactions.get(id)
    expect([ended.status, ended.errors?.[0]?.message]).toEqual(['failed', expect.stringContaining(reason)])
    await vi.waitFor(async () => expect(await left()).toBe(before))
  })

  it('are made by other vendors for Google’s client too', async () => {
    await google.interactions
      .create({ model: 'kling-v3', input: 'a boat', background: true, response_format: { type: 'video', duration: '5s' } })
      .catch(() => undefined)

    expect(calls.findLast(({ method }) => method === 'POST')).toMatchObject({
      path: '/v1/videos/text2video',
      body: { model_name: 'kling-v3', prompt: 'a boat', duration: '5' },
    })
  })

  it('are made by Veo as its own client asks for them, and their bytes come out of the operation', async () => {
    const { port } = vendor.address() as AddressInfo
    const own = new GoogleGenAI({ vertexai: true, apiKey: 'k', httpOptions: { baseUrl: `http://127.0.0.1:${port}` } })
    const image = { imageBytes: 'AAAA', mimeType: 'image/png' }
    const config = { durationSeconds: 6, aspectRatio: '9:16', resolution: '720p', numberOfVideos: 1, seed: 7 }
    await own.models.generateVideos({ model: VEO, prompt: 'a boat', image, config }).catch(() => undefined)
    const wanted = lastTo(':predictLongRunning')
    expect(wanted?.path).toBe(`/v1beta1/publishers/google/models/${VEO}:predictLongRunning`)

    const before = await left()
    const { id } = await openai.videos.create({
      model: VEO as OpenAI.VideoModel,
      prompt: 'a boat',
      seconds: '6' as OpenAI.VideoSeconds,
      size: '720x1280',
      input_reference: { image_url: 'data:image/png;base64,AAAA' },
      metadata: { seed: 7, storageUri: 'gs://bucket/of/the/operator' },
    } as OpenAI.VideoCreateParams)
    const sent = lastTo(':predictLongRunning')
    expect([sent?.path, sent?.headers.authorization]).toEqual([
      `/v1/projects/project-1/locations/us-central1/publishers/google/models/${VEO}:predictLongRunning`,
      'Bearer google-token',
    ])
    expect(sent?.body).toEqual(wanted?.body)

    const video = { bytesBase64Encoded: Buffer.from(MP4).toString('base64'), mimeType: 'video/mp4' }
    const done = { name: OPERATION, done: true, response: { videos: [video] } }
    await end(id, {}, done)
    operation = done
    expect(lastTo(':fetchPredictOperation')?.body).toEqual({ operationName: OPERATION })

    expect((await openai.videos.retrieve(id)).status).toBe('completed')
    expect(await (await openai.videos.downloadContent(id)).text()).toBe(MP4)
    expect(before - (await left())).toBe(6 * PER_SECOND)
    const { data } = await stack.database.db.selectFrom('tasks').select('data').where('task_id', '=', id).executeTakeFirstOrThrow()
    expect(JSON.stringify(data)).not.toMatch(/project-1|bytesBase64Encoded/)
  })

  it.each<[string, Json, string]>([
    ['Veo failed', { done: true, error: { code: 3, message: 'unsupported' } }, 'unsupported'],
    [
      'Veo filtered them',
      { done: true, response: { raiMediaFilteredCount: 1, raiMediaFilteredReasons: ['Blocked words.'] } },
      'Blocked words.',
    ],
  ])('are given back when %s', async (_what, said, reason) => {
    const before = await left()
    const { id } = await openai.videos.create({ model: VEO as OpenAI.VideoModel, prompt: 'a boat' })
    await end(id, {}, { name: OPERATION, ...said })

    expect((await openai.videos.retrieve(id)).error?.message).toContain(reason)
    await vi.waitFor(async () => expect(await left()).toBe(before))
  })

  it('are refused by Veo with an image that only has an address, and cost nothing', async () => {
    const before = await left()
    await expect(
      openai.videos.create({
        model: VEO as OpenAI.VideoModel,
        prompt: 'a boat',
        input_reference: { image_url: 'https://example.com/a.png' },
      } as OpenAI.VideoCreateParams),
    ).rejects.toMatchObject({ status: 400, message: expect.stringContaining('not by address') as string })
    expect(await left()).toBe(before)
  })

  it('are made for Google’s client in its mode for Vertex AI, with the bytes in the operation', async () => {
    const [relay = '', before] = [stack.relays[0]?.url, await left()]
    const vertex = new GoogleGenAI({ vertexai: true, apiKey: `sk-${user.key}`, httpOptions: { baseUrl: relay } })
    let operation = await vertex.models.generateVideos({
      model: MODEL,
      prompt: 'a boat',
      image: { imageBytes: 'AAAA', mimeType: 'image/png' },
      config: { durationSeconds: 4, aspectRatio: '16:9', resolution: '720p', numberOfVideos: 1 },
    })
    expect([operation.done, operation.name]).toEqual([undefined, expect.stringMatching(/^publishers\/google\/models\/.*\/operations\//)])
    expect(calls.findLast(({ method }) => method === 'POST')?.body).toMatchObject({
      model: MODEL,
      input: [
        { type: 'text', text: 'a boat' },
        { type: 'image', mime_type: 'image/png', data: 'AAAA' },
      ],
      response_format: { aspect_ratio: '16:9', resolution: '720p', duration: '4s' },
    })
    expect((await vertex.operations.getVideosOperation({ operation })).done).toBeUndefined()
    const id = operation.name?.split('/').at(-1) ?? ''
    await end(id, { status: 'completed', steps: [{ type: 'model_output', content: [VIDEO] }] })

    operation = await vertex.operations.getVideosOperation({ operation })
    const video = operation.response?.generatedVideos?.[0]?.video
    expect([operation.done, video?.mimeType, Buffer.from(video?.videoBytes ?? '', 'base64').toString()]).toEqual([true, 'video/mp4', MP4])
    const headers = { 'x-goog-api-key': `sk-${user.key}` }
    const read = (await (await fetch(`${relay}/v1beta/${operation.name}`, { headers })).json()) as { done: boolean } // Google's form
    expect(read.done).toBe(true)
    await vi.waitFor(async () => expect(before - (await left())).toBe(4 * PER_SECOND))

    const failing = await vertex.models.generateVideos({ model: MODEL, prompt: 'a boat' })
    await end(failing.name?.split('/').at(-1) ?? '', { status: 'failed', errors: [{ code: 'SAFETY', message: 'blocked' }] })
    expect((await vertex.operations.getVideosOperation({ operation: failing })).error).toMatchObject({ message: 'SAFETY: blocked' })
    for (const [config, name] of [
      [{ numberOfVideos: 2 }, 'sampleCount'],
      [{ outputGcsUri: 'gs://b' }, 'storageUri'],
      [{ durationSeconds: 1.5 }, 'durationSeconds'],
    ] as const)
      await expect(vertex.models.generateVideos({ model: MODEL, prompt: 'a boat', config })).rejects.toThrow(name)
    await vi.waitFor(async () => expect(before - (await left())).toBe(4 * PER_SECOND))
  })

  it('are refused by name, without a call and a charge', async () => {
    const [sent, before] = [calls.length, await left()]
    const ask = (more: object) =>
      google.interactions.create({ model: MODEL, input: 'a boat', background: true, response_modalities: ['video'], ...more })
    for (const [more, name] of [
      [{ background: false }, 'background'],
      [{ store: false }, 'store'],
      [{ previous_interaction_id: 'int_1' }, 'previous_interaction_id'],
      [{ tools: [{ type: 'google_search' }] }, 'tools'],
      [{ input: [{ type: 'audio', data: 'AAAA', mime_type: 'audio/wav' }] }, 'audio'],
      [{ response_format: { type: 'video', duration: '1.5s' } }, 'duration'],
      [{ response_format: { type: 'video', delivery: 'inline' } }, 'uri'],
      [{ model: 'gemini-2.5-flash' }, 'gemini-2.5-flash'],
    ] as const)
      await expect(ask(more)).rejects.toThrow(name)

    expect([calls.length, await left()]).toEqual([sent, before])
    refusal = { error: { code: 400, message: 'a prompt was refused', status: 'INVALID_ARGUMENT' } }
    await expect(ask({})).rejects.toMatchObject({ status: 400, message: expect.stringContaining('a prompt was refused') })
    refusal = undefined
    await vi.waitFor(async () => expect(await left()).toBe(before))
  })
})
