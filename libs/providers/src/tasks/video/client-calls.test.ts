import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findVideoVendor } from './index.ts'
import { readArkRequest } from './native-ark.ts'
import { readVideoRequest, type VideoRequest } from './video-request.ts'
import type { TaskCall } from '../task-family.ts'
import type { VideoVendor } from './video-vendor.ts'

/** Requests of the vendors’ own clients for one job, as a recorder wrote them down, against those of our channels. */

type Client = 'openai' | 'ark' | 'google'
type Recorded = { readonly name: string; readonly method: string; readonly path: string; readonly body?: Readonly<Record<string, unknown>> }

type Recording = { readonly clients: Readonly<Record<Client, { readonly calls: readonly Recorded[] }>> }

const recording = JSON.parse(readFileSync(join(import.meta.dirname, '__fixtures__/client-calls.json'), 'utf8')) as Recording // a fixture

function vendorOf(channelType: number): VideoVendor {
  const vendor = findVideoVendor(channelType)
  if (vendor === undefined) throw new Error(`no video vendor for ${channelType}`)
  return vendor
}

function recorded(client: Client, name: string): Recorded {
  const found = recording.clients[client].calls.find((call) => call.name === name)
  if (found === undefined) throw new Error(`${client} has no ${name}`)
  return found
}

/** Clients write null for what is not set. */
const withoutNulls = (body: Recorded['body'] = {}) => Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null))

const requestOf = (body: Readonly<Record<string, unknown>>): VideoRequest => {
  const read = readVideoRequest(body)
  if (read.kind === 'refused') throw new Error(read.message)
  return read.request
}

const asked = { prompt: 'a boat', seconds: 8, size: '1280x720' }
const images = ['https://a.example/1.png', 'https://a.example/2.png']

describe('Sora, as openai 7.57.0 calls it', () => {
  const sora = vendorOf(55)
  const request = requestOf({ ...asked, model: 'sora-2' })

  it.each<[string, TaskCall | undefined]>([
    ['create', sora.submit(request, 'task_1')],
    ['remix', sora.remix?.('id-1', 'a larger boat')],
  ])('%s has the same fields; ours are JSON where the client writes a form', (name, call) => {
    const { method, path, body } = recorded('openai', name)
    expect(call).toEqual({ method, path, body })
  })

  it('create with a picture has the member of the form as one of an object', () => {
    const { body = {} } = recorded('openai', 'create with a picture')
    const { 'input_reference[image_url]': image_url, ...fields } = body
    expect(sora.submit({ ...request, images: [String(image_url)] }, 'task_1').body).toEqual({ ...fields, input_reference: { image_url } })
  })

  it.each<[string, TaskCall | undefined]>([
    ['retrieve', sora.poll('id-1')],
    ['list', sora.lost?.calls[0]],
    ['delete', sora.remove?.('id-1')],
    ['content', sora.content?.('id-1', { data: {} })],
    ['thumbnail', sora.content?.('id-1', { variant: 'thumbnail', data: {} })],
  ])('%s is the same call', (name, call) => {
    const { method, path } = recorded('openai', name)
    expect(call).toEqual({ method, path })
  })
})

describe('Gemini, as @google/genai 3.3.0 calls it with an API key', () => {
  const gemini = vendorOf(24)
  const request = requestOf({ ...asked, model: 'gemini-omni-1.2-flash' })
  const uri = 'https://generativelanguage.googleapis.com/v1beta/files/abc123:download?alt=media'
  const data = { status: 'completed', steps: [{ type: 'model_output', content: [{ type: 'video', uri }] }] }

  it.each([
    ['create', []],
    ['create with a picture', ['data:image/png;base64,AAAA']],
  ])('%s has the same fields', (name, images: string[]) => {
    const { method, path, body } = recorded('google', name)
    expect(gemini.submit({ ...request, images }, 'task_1')).toEqual({ method, path, body })
  })

  it.each<[string, TaskCall | undefined]>([
    ['retrieve', gemini.poll('id-1')],
    ['delete', gemini.remove?.('id-1')],
    ['content', gemini.content?.('id-1', { data })],
  ])('%s is the same call', (name, call) => {
    const { method, path } = recorded('google', name)
    expect(call).toEqual({ method, path })
  })

  it('has no content without a file, and no thumbnail', () => {
    expect(gemini.content?.('id-1', { data: { status: 'in_progress' } })).toBeUndefined()
    expect(gemini.content?.('id-1', { data, variant: 'thumbnail' })).toBeUndefined()
  })
})

describe('Seedance, as volcengine-ark-runtime 5.0.54 calls it', () => {
  const ark = vendorOf(54)

  it('creates with the same top-level fields', () => {
    const { method, path, body } = recorded('ark', 'create')
    const request = requestOf({ ...asked, model: 'doubao-seedance-2-0-260128' })
    expect(ark.submit(request, 'task_1')).toEqual({ method, path, body: withoutNulls(body) })
  })

  it('names the roles of two pictures, and says the resolution that a size has', () => {
    const { body } = recorded('ark', 'create with two pictures')
    const request = { ...requestOf({ ...asked, model: 'doubao-seedance-2-0-260128' }), images }
    expect(ark.submit(request, 'task_1').body).toEqual({ ...withoutNulls(body), resolution: '720p' })
  })

  it.each(['create', 'create with two pictures'])('is sent what the client wrote: %s', (name) => {
    const { body = {} } = recorded('ark', name)
    const read = readArkRequest(body)
    if (read.kind === 'refused') throw new Error(read.message)
    expect(ark.submit(read.request, 'task_1').body).toEqual(withoutNulls(body))
  })

  it('asks at the same address', () => {
    const { method, path } = recorded('ark', 'retrieve')
    expect(ark.poll('id-1')).toEqual({ method, path })
  })
})
