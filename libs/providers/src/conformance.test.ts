import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countLetters, everyCut, factsOf, replay } from './chat/formats/openai-chat/__fixtures__/replay.ts'
import { decodeUpstreamError } from './chat/formats/openai-chat/errors.ts'
import { decodeChatRequest, encodeChatBody } from './chat/formats/openai-chat/request.ts'
import { readEvents } from './chat/whole-answer.ts'
import { decodeChatAnswer } from './chat/formats/openai-chat/decoder.ts'
import { createChatUsageReader } from './chat/formats/openai-chat/usage-reader.ts'
import type { CallFacts } from './calls/api-format.ts'
import type { JsonObject } from './json.ts'
import { authHeaders, urlFor } from './vendors/address.ts'
import { vendors, type Vendor } from './vendors/index.ts'

/**
 * One suite for every vendor that speaks, whatever its folder holds: a new one is tested by being in the registry. Vendors without
 * fixtures of their own are tried with those of their format.
 */
const FOLDERS = join(import.meta.dirname, 'vendors')
const COMMON = join(import.meta.dirname, 'chat', 'formats', 'openai-chat', '__fixtures__')
const folderOf = await foldersByType()
const speaking = Object.values(vendors).filter((vendor) => typeof vendor.formats !== 'function' && vendor.formats.includes('openai-chat'))
const CALL: CallFacts = {
  format: 'openai-chat',
  model: 'org/upstream-model',
  is_stream: true,
  other: '',
  key: 'the-key',
  gemini_version: 'v1beta',
  query: '',
}
const RAW = `{
  "model": "asked-model", "stream": true, "top_p": 0, "seed": 12345678901234567890,
  "vendor_only": {"model": "inner", "keep": [1.0, null]},
  "messages": [{"role": "user", "content": "She said \\"hi\\" \\u4f60\\u597d 👋"}]
}`

it('knows every folder', () => {
  const folders = readdirSync(FOLDERS, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)

  expect(folders.filter((name) => ![...folderOf.values(), 'resellers'].includes(name))).toEqual([])
})

describe.each(speaking.map((vendor) => [vendor.name.en, vendor] as const))('%s', (_, vendor) => {
  it('gets the request as reviewed', async () => {
    const base = vendor.baseUrl === '' ? 'https://own.example/openai/{model}/chat' : ''
    const url = urlFor(vendor, base, CALL) ?? urlFor(vendor, base, { ...CALL, other: 'the-account' })
    const headers = authHeaders(vendor, 'the-key', 'the-organization')
    const golden = [
      'POST ' + String(url),
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      '',
      encode(vendor, RAW),
    ].join('\n')

    await expect(`${golden}\n`).toMatchFileSnapshot(goldenOf(vendor, `request-of-type-${vendor.channelType}.txt`))
  })

  it('gets back unchanged what it does not know of', () => {
    const json = fc.dictionary(
      fc.string().map((name) => `x_${name}`),
      fc.jsonValue({ maxDepth: 2 }),
      { maxKeys: 4 },
    )
    fc.assert(
      fc.property(json, (extra) => {
        const given = { ...extra, model: 'asked', messages: [{ role: 'user', content: 'x' }], stream: false }
        const sent: unknown = JSON.parse(encode(vendor, JSON.stringify(given)))

        const added = { ...vendor.quirks?.wholeDefaults, model: 'org/upstream-model' }
        expect(sent).toEqual({ ...JSON.parse(JSON.stringify(given)), ...added })
      }),
      { numRuns: 30 },
    )
  })

  it.each(streamsOf(vendor))('streams %s as reviewed, cut anywhere', { timeout: 60_000 }, async (name, bytes) => {
    const whole = replay([bytes], false)
    if (hasFixtures(vendor))
      await expect(`${JSON.stringify(factsOf(whole), undefined, 2)}\n`).toMatchFileSnapshot(goldenOf(vendor, `${name}.json`))

    // The common fixtures are cut at every byte where their format is tested.
    const cuts = hasFixtures(vendor) ? everyCut(bytes) : [Array.from(bytes, (byte) => Buffer.of(byte))]
    for (const chunks of cuts) {
      const cut = replay(chunks, false)
      expect(cut.passed).toBe(whole.passed)
      expect(factsOf(cut)).toEqual(factsOf(whole))
    }
    if (!name.startsWith('error')) expect(whole.usageReader.facts.usage).toMatchObject({ source: 'upstream' })
    else expect(whole.ending).toBe('failed')
  })

  it.each(errorsOf(vendor))('fails with %s as reviewed', async (name, body) => {
    const failure = decodeUpstreamError(400, body)
    if (hasFixtures(vendor)) await expect(`${JSON.stringify(failure, undefined, 2)}\n`).toMatchFileSnapshot(goldenOf(vendor, name))

    expect(failure.kind).toBe('refused')
    expect(failure.message).not.toMatch(/bad response status code|\*\*\*\w{2}/)
    expect(decodeUpstreamError(429, body).kind).toBe('limited')
  })

  it.each(answersOf(vendor))('answers %s with a usage', (name, body) => {
    expect(readEvents(decodeChatAnswer(JSON.parse(body), 'pass-through')), name).toMatchObject({
      kind: 'answer',
      usage: { source: 'upstream' },
    })
  })

  it('is not stopped by bytes of any kind', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 10 }), (chunks) => {
        const usageReader = createChatUsageReader({ wants_usage: false, count: countLetters })

        const passed = Buffer.concat(chunks.map((chunk) => usageReader.push(Buffer.from(chunk))))

        expect(Buffer.concat(chunks).subarray(0, passed.length).equals(passed)).toBe(true)
      }),
      { numRuns: 50 },
    )
  })
})

function encode(vendor: Vendor, raw: string): string {
  const decoded = decodeChatRequest(JSON.parse(raw))
  if (decoded.kind === 'invalid') throw new Error(decoded.detail)
  const { body, is_stream } = decoded.request
  const call = { ...CALL, is_stream }
  const patch = vendor.patch === undefined ? undefined : (changed: JsonObject) => vendor.patch?.(changed, call) ?? changed
  return encodeChatBody({
    raw: Buffer.from(raw),
    body,
    upstream_model: 'org/upstream-model',
    is_stream,
    supports_stream_options: vendor.streamOptions,
    patch,
  }).toString()
}

async function foldersByType(): Promise<ReadonlyMap<number, string>> {
  const found = new Map<number, string>()
  for (const entry of readdirSync(FOLDERS, { withFileTypes: true })) {
    if (!entry.isDirectory() || entry.name === 'resellers') continue
    const manifest: Record<string, Vendor> = await import(`./vendors/${entry.name}/manifest.ts`)
    for (const vendor of Object.values(manifest)) found.set(vendor.channelType, entry.name)
  }
  return found
}

function fixturesOf(vendor: Vendor): string {
  return join(FOLDERS, folderOf.get(vendor.channelType) ?? 'resellers', '__fixtures__')
}

function hasFixtures(vendor: Vendor): boolean {
  return existsSync(fixturesOf(vendor))
}

function goldenOf(vendor: Vendor, name: string): string {
  return join(fixturesOf(vendor), '..', '__snapshots__', name)
}

function filesOf(vendor: Vendor, matches: (name: string) => boolean): string[] {
  const own = fixturesOf(vendor)
  const names = hasFixtures(vendor) ? readdirSync(own).filter(matches) : []
  return names.length > 0
    ? names.map((name) => join(own, name))
    : readdirSync(COMMON)
        .filter(matches)
        .map((name) => join(COMMON, name))
}

const COMMON_STREAMS = ['chat-text.sse', 'chat-parallel-tools.sse', 'error-mid-stream.sse']

function streamsOf(vendor: Vendor): (readonly [string, Buffer])[] {
  const isOwn = hasFixtures(vendor)
  return filesOf(vendor, (name) => (isOwn ? name.endsWith('.sse') : COMMON_STREAMS.includes(name))).map((path) => [
    nameOf(path),
    readFileSync(path),
  ])
}

function errorsOf(vendor: Vendor): (readonly [string, string])[] {
  return filesOf(vendor, (name) => name.startsWith('error') && name.endsWith('.json')).map((path) => [
    nameOf(path),
    readFileSync(path, 'utf8'),
  ])
}

function answersOf(vendor: Vendor): (readonly [string, string])[] {
  const own = filesOf(vendor, (name) => name.startsWith('chat') && name.endsWith('.json'))
  const paths = own.length > 0 ? own : [join(FOLDERS, 'openai', '__fixtures__', 'chat-answer.json')]
  return paths.map((path) => [nameOf(path), readFileSync(path, 'utf8')])
}

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1)
