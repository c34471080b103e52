import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createOutbound, type Outbound } from '@tollgate/outbound/outbound'
import { ChannelType } from '@tollgate/providers/vendors/channel-types'
import { findVendor } from '@tollgate/providers/vendors/index'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { differencesOf, unexplained } from './compare.ts'
import { ourRequest } from './our-request.ts'
import { readExplained, readRecording, typesFile } from './recording.ts'
import type { Schemas } from './arbitrary.ts'
import { CONVERSATIONS, VENDOR_SDKS, type Conversation, type VendorSdk } from './sdks.ts'

/**
 * The gateway sends each vendor what the vendor's own client sends for the same conversation. `npm run check:vendor-sdks -- --write` makes
 * the recordings; a difference is a fault, or it is explained in the file `….differences.json` beside the recording.
 */
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
let server: Server
let outbound: Outbound

beforeAll(async () => {
  server = createServer((_incoming, outgoing) => void outgoing.end('{"access_token":"the-key","expires_in":3600}'))
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  outbound = createOutbound()
})
afterAll(async () => {
  await outbound.close()
  await new Promise((resolve) => void server.close(resolve))
})

/** The sign-in server of a service account is one of our own. */
function keyFor({ type, key = 'the-key' }: VendorSdk): string {
  if (type !== ChannelType.VertexAI) return key
  const { port } = server.address() as AddressInfo // a listening TCP server has one
  return JSON.stringify({
    project_id: 'the-project',
    client_email: 'gateway@the-project.example',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    token_uri: `http://127.0.0.1:${port}/token`,
  })
}

describe.each(VENDOR_SDKS.map((sdk) => [`${sdk.package} ${sdk.version}`, sdk] as const))('%s', (_, sdk) => {
  const recording = readRecording(sdk)
  const recorded = CONVERSATIONS.flatMap((name) => (recording.conversations[name] === undefined ? [] : [name]))
  const compared = recorded.filter((name) => sdk.otherApi?.conversations.includes(name) !== true)
  const first = (name: Conversation) => {
    const request = recording.conversations[name]?.[0]
    if (request === undefined) throw new Error(`no request in ${name}`)
    return request
  }
  const ours = (name: Conversation) => ourRequest(sdk, name, { key: keyFor(sdk), outbound })

  it('was recorded with the version that the list names, in every conversation of the list', () => {
    expect(recording).toMatchObject({ sdk: sdk.package, version: sdk.version })
    expect(Object.keys(recording.conversations).filter((name) => !recorded.includes(name as Conversation))).toEqual([])
    expect(recorded.length).toBeGreaterThan(0)
  })

  it('sends what the gateway sends, but for what is explained', async () => {
    const differences = await Promise.all(compared.map(async (name) => differencesOf(first(name), await ours(name))))
    expect(unexplained(differences.flat(), readExplained(sdk))).toEqual({ unexplained: [], stale: [] })
  })

  it.each(requestFields(sdk))('declares no field that the gateway leaves out, but for what is explained', (fields) => {
    const dropped = findVendor(sdk.type)?.quirks?.drop ?? []
    expect(dropped.filter((name) => fields.includes(name)).toSorted()).toEqual(Object.keys(sdk.types?.leftOut ?? {}).toSorted())
  })

  it.each(sdk.otherApi?.conversations ?? [])('uses another API in "%s", as the list says', async (name) => {
    expect(new URL(first(name).url).pathname).not.toBe(new URL((await ours(name)).url).pathname)
  })
})

/** The fields of a chat request, in a list of one if the SDK's types were read for them. */
function requestFields(sdk: VendorSdk): readonly (readonly [readonly string[]])[] {
  if (sdk.types?.names.request === undefined) return []
  const { request = [] } = JSON.parse(readFileSync(typesFile(sdk), 'utf8')) as Schemas // written by check:vendor-sdks
  return [[request]]
}
