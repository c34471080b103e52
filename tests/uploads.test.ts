import { createHash, randomBytes } from 'node:crypto'
import OpenAI, { toFile } from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { must, setUp } from './support/api.ts'
import { seedUser, type Seeded } from './support/seed.ts'
import { startStack, type Stack } from './support/stack.ts'

// Uploads in parts, as OpenAI's SDK makes them.

const CREDITED = 50_000_000

describe('uploads', () => {
  let stack: Stack
  let owner: Seeded
  let sdk: OpenAI
  let api: Awaited<ReturnType<typeof setUp>>

  beforeAll(async () => {
    stack = await startStack()
    api = await setUp(stack.controlPlane.url)
    owner = await seedUser(stack, { credited: CREDITED, granted: CREDITED })
    sdk = clientOf(owner)
  })
  afterAll(() => stack.stop())

  const clientOf = ({ key }: Seeded) => new OpenAI({ apiKey: `sk-${key}`, baseURL: `${stack.relays[0]?.url}/v1`, maxRetries: 0 })
  const create = (bytes: number, over: Partial<OpenAI.UploadCreateParams> = {}) =>
    sdk.uploads.create({ filename: 'paper.pdf', bytes, mime_type: 'application/pdf', purpose: 'user_data', ...over })
  const addPart = async (id: string, data: Buffer) => (await sdk.uploads.parts.create(id, { data: await toFile(data, 'part') })).id
  const stored = async () => {
    const rows = await stack.database.db.selectFrom('files').select(['bytes', 'is_complete']).where('user_id', '=', owner.userId).execute()
    return rows.map(({ bytes, is_complete }) => [Number(bytes), is_complete])
  }

  it('make one file of parts that come at the same time, in the order that is said at the end', async () => {
    // Longer than one stored piece each.
    const parts = [900_000, 500_000, 7].map((length) => randomBytes(length))
    const whole = Buffer.concat(parts)
    const upload = await create(whole.length)
    expect(upload).toMatchObject({ object: 'upload', status: 'pending', bytes: whole.length, filename: 'paper.pdf', purpose: 'user_data' })
    expect(upload.expires_at - upload.created_at).toBe(3600)
    expect(await stored()).toEqual([[whole.length, false]])

    const ids = (await Promise.all(parts.toReversed().map((data) => addPart(upload.id, data)))).toReversed()
    // A part whose answer is lost is sent again; the second one is not named.
    await addPart(upload.id, parts[2] ?? Buffer.alloc(0))
    const md5 = createHash('md5').update(whole).digest('hex')
    await expect(sdk.uploads.complete(upload.id, { part_ids: ids.toReversed(), md5 })).rejects.toThrow(/md5/)
    const completed = await sdk.uploads.complete(upload.id, { part_ids: ids, md5 })

    expect(completed).toMatchObject({ status: 'completed', file: { object: 'file', bytes: whole.length, filename: 'paper.pdf' } })
    const content = await sdk.files.content(completed.file?.id ?? '')
    expect(Buffer.from(await content.arrayBuffer()).equals(whole)).toBe(true)
    await expect(sdk.uploads.complete(upload.id, { part_ids: ids })).rejects.toMatchObject({ status: 404 })
    await expect(addPart(upload.id, Buffer.from('more'))).rejects.toMatchObject({ status: 404 })
    for await (const file of sdk.files.list()) await sdk.files.delete(file.id)
    expect(await stored()).toEqual([])
  })

  it('give a batch its input', async () => {
    const body = { model: 'nothing', messages: [{ role: 'user', content: 'x' }] }
    const line = Buffer.from(JSON.stringify({ custom_id: 'a', method: 'POST', url: '/v1/chat/completions', body }))
    const upload = await create(line.length, { filename: 'in.jsonl', mime_type: 'application/jsonl', purpose: 'batch' })
    const { file } = await sdk.uploads.complete(upload.id, { part_ids: [await addPart(upload.id, line)] })
    const input_file_id = file?.id ?? ''

    expect(await sdk.batches.create({ input_file_id, endpoint: '/v1/chat/completions', completion_window: '24h' })).toMatchObject({
      input_file_id,
    })
  })

  it('are dropped when they are cancelled', async () => {
    const before = await stored()
    const upload = await create(10)
    await addPart(upload.id, Buffer.from('12345'))

    expect(await sdk.uploads.cancel(upload.id)).toMatchObject({ id: upload.id, status: 'cancelled' })
    expect(await stored()).toEqual(before)
    await expect(sdk.uploads.cancel(upload.id)).rejects.toMatchObject({ status: 404 })
  })

  it('are refused when parts are missing, another’s, named twice, too long or too short, and when a file is too large', async () => {
    const [upload, other] = [await create(10), await create(10)]
    const five = await addPart(upload.id, Buffer.from('12345'))
    const strange = await addPart(other.id, Buffer.from('12345'))
    const complete = (part_ids: string[]) => sdk.uploads.complete(upload.id, { part_ids })

    await expect(complete([five])).rejects.toThrow(/10 bytes together/)
    await expect(complete([five, five])).rejects.toThrow(/twice/)
    await expect(complete([five, strange])).rejects.toThrow(/does not have/)
    await expect(complete([])).rejects.toThrow(/part_ids/)
    await expect(addPart(upload.id, Buffer.from('12345678901'))).rejects.toThrow(/longer than the upload/)
    await addPart(upload.id, Buffer.from('1234567890'))
    await expect(addPart(upload.id, Buffer.from('123456'))).rejects.toThrow(/longer than the upload/)
    await expect(create(65 * 1024 * 1024)).rejects.toMatchObject({ status: 413 })
    await expect(create(5, { purpose: 'fine-tune' })).rejects.toThrow(/purpose/)
    await expect(create(0)).rejects.toThrow(/bytes/)
  })

  it('are read at a pace of their user, refused parts too, and those of others meanwhile', async () => {
    const upload = await create(60_000_000)
    // Half a second each.
    const form = new FormData()
    form.append('other', new File([Buffer.alloc(8 * 1024 * 1024)], 'part'))
    const ended: string[] = []
    const times: number[] = []
    const refused = async ({ key }: Seeded, who: string) => {
      const headers = { authorization: `Bearer sk-${key}` }
      const { status } = await fetch(`${stack.relays[0]?.url}/v1/uploads/${upload.id}/parts`, { method: 'POST', headers, body: form })
      expect(status).toBe(who === 'other' ? 404 : 400)
      ended.push(who)
      if (who === 'same') times.push(performance.now())
    }
    const other = await seedUser(stack, { credited: CREDITED, granted: CREDITED })

    await Promise.all([refused(owner, 'same'), refused(owner, 'same'), refused(owner, 'same'), refused(other, 'other')])

    const [first = 0, , last = 0] = times
    expect(last - first).toBeGreaterThan(500)
    expect(ended.at(-1)).toBe('same')
    await sdk.uploads.cancel(upload.id)
  })

  it('are their owner’s alone, and refused beyond his share', async () => {
    const stranger = clientOf(await seedUser(stack, { credited: CREDITED, granted: CREDITED }))
    const upload = await create(5)
    const part = await addPart(upload.id, Buffer.from('12345'))
    const data = await toFile(Buffer.from('x'), 'part')
    for (const attempt of [
      () => stranger.uploads.parts.create(upload.id, { data }),
      () => stranger.uploads.complete(upload.id, { part_ids: [part] }),
      () => stranger.uploads.cancel(upload.id),
    ])
      await expect(attempt()).rejects.toMatchObject({ status: 404 })
    must(await api.put('/api/option/', { key: 'StoredBytesPerUser', value: '1' }))
    await expect(create(2 * 1024 * 1024)).rejects.toThrow(/1 MB|storage|stored/i)
  })
})
