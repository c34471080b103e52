import { generateKeyPairSync } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createOutbound, type Outbound } from '@tollgate/outbound/outbound'
import { jwtVerify } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { PreparedCall } from './call.ts'
import { createSigner } from './signer.ts'

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const CALL: PreparedCall = {
  method: 'POST',
  origin: 'https://bedrock-runtime.us-east-1.amazonaws.com',
  path: '/model/anthropic.claude-v2%3A1/invoke',
  headers: ['content-type', 'application/json'],
  body: Buffer.from('{}'),
  proxy: undefined,
  poolKey: 'channel-1',
  upstream_model: 'claude-2.1',
}
let server: Server
let outbound: Outbound
let asked: URLSearchParams[]
let answer: { readonly status: number; readonly body: object }
let now: number

beforeAll(async () => {
  server = createServer((incoming, outgoing) => {
    let text = ''
    incoming.on('data', (chunk: Buffer) => (text += chunk.toString()))
    incoming.on('end', () => {
      asked.push(new URLSearchParams(text))
      outgoing.writeHead(answer.status).end(JSON.stringify(answer.body))
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  outbound = createOutbound()
})
afterAll(async () => {
  await outbound.close()
  await new Promise((resolve) => void server.close(resolve))
})
beforeEach(() => {
  asked = []
  answer = { status: 200, body: { access_token: 'ya29.first', expires_in: 3600 } }
  now = Date.now()
})

const tokenUrl = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/token` // a listening TCP server has one
const account = () =>
  JSON.stringify({
    client_email: 'robot@project.example',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    project_id: 'project',
    token_uri: tokenUrl(),
  })
const signerAt = () => createSigner({ outbound, now: () => now })
const bearerOf = (signed: Awaited<ReturnType<ReturnType<typeof signerAt>['sign']>>) =>
  signed.kind === 'ok' ? signed.call.headers[signed.call.headers.indexOf('authorization') + 1] : signed.failure

describe('a Google service account', () => {
  it('is exchanged for an access token by an assertion that Google can verify', async () => {
    expect(bearerOf(await signerAt().sign('google', CALL, account()))).toBe('Bearer ya29.first')

    const assertion = asked[0]?.get('assertion') ?? ''
    const { payload } = await jwtVerify(assertion, publicKey, { audience: tokenUrl(), issuer: 'robot@project.example' })
    expect(payload['scope']).toBe('https://www.googleapis.com/auth/cloud-platform')
  })

  it('is exchanged once for concurrent calls, and again before the token expires', async () => {
    const signer = signerAt()
    await Promise.all([signer.sign('google', CALL, account()), signer.sign('google', CALL, account())])
    expect(asked).toHaveLength(1)

    now += 3_400_000
    answer = { status: 200, body: { access_token: 'ya29.second', expires_in: 3600 } }
    expect(bearerOf(await signer.sign('google', CALL, account()))).toBe('Bearer ya29.second')
  })

  it('that Google rejects is reported as a refusal, and is tried again', async () => {
    const signer = signerAt()
    answer = { status: 400, body: { error: 'invalid_grant' } }
    expect(await signer.sign('google', CALL, account())).toMatchObject({
      failure: { kind: 'refused', code: 'invalid_api_key', status: 400 },
    })

    answer = { status: 200, body: { access_token: 'ya29.third' } }
    expect(bearerOf(await signer.sign('google', CALL, account()))).toBe('Bearer ya29.third')
  })

  it.each(['no json', '{}', '{"client_email":"a","private_key":"SECRET"}'])(
    'that is malformed is refused without being quoted: %s',
    async (key) => {
      const signed = await signerAt().sign('google', CALL, key)

      expect(signed).toMatchObject({ kind: 'failed', failure: { status: 401 } })
      expect(JSON.stringify(signed)).not.toContain('SECRET')
    },
  )
})

describe('a Tencent key', () => {
  const call = { ...CALL, origin: 'https://hunyuan.tencentcloudapi.com', path: '/' }

  it.each(['app|id', 'app||secret', 'app|id|SECRET|more'])(
    'that is not AppId|SecretId|SecretKey is refused without being quoted: %s',
    async (key) => {
      const signed = await signerAt().sign('tencent', call, key)

      expect(signed).toMatchObject({ kind: 'failed', failure: { kind: 'refused', code: 'invalid_api_key', status: 401 } })
      expect(JSON.stringify(signed)).not.toContain('SECRET')
    },
  )

  it('signs the host of Tencent for a reverse proxy, and a host of Tencent as it is', async () => {
    const at = async (origin: string) => bearerOf(await signerAt().sign('tencent', { ...call, origin }, 'app|id|secret'))

    expect(await at('https://proxy.example')).toBe(await at('https://hunyuan.tencentcloudapi.com'))
    expect(await at('https://hunyuan.ap-guangzhou.tencentcloudapi.com')).not.toBe(await at('https://proxy.example'))
  })
})

describe('a Baidu key', () => {
  const call = () => ({ ...CALL, origin: new URL(tokenUrl()).origin, path: '/rpc/chat/completions' })
  const pathOf = (signed: Awaited<ReturnType<ReturnType<typeof signerAt>['sign']>>) =>
    signed.kind === 'ok' ? signed.call.path : signed.failure

  it('is exchanged once for an access token, which is renewed before it expires', async () => {
    const signer = signerAt()
    answer = { status: 200, body: { access_token: '24.first', expires_in: 2_592_000 } }
    const signed = await Promise.all([signer.sign('baidu', call(), 'name|secret'), signer.sign('baidu', call(), 'name|secret')])

    expect(signed.map(pathOf)).toEqual(Array.from({ length: 2 }, () => '/rpc/chat/completions?access_token=24.first'))
    expect(asked).toHaveLength(1)
    now += 2_592_000_000
    answer = { status: 200, body: { access_token: '24.second', expires_in: 2_592_000 } }
    expect(pathOf(await signer.sign('baidu', call(), 'name|secret'))).toBe('/rpc/chat/completions?access_token=24.second')
  })

  it('that Baidu rejects is refused without being quoted', async () => {
    answer = { status: 401, body: { error: 'invalid_client', error_description: 'unknown client id' } }
    const signed = await signerAt().sign('baidu', call(), 'name|SECRET')

    expect(signed).toMatchObject({ failure: { kind: 'refused', code: 'invalid_api_key', status: 401 } })
    expect(JSON.stringify(signed)).not.toContain('SECRET')
  })
})

describe('an AWS key', () => {
  it('signs the call', async () => {
    const signed = await signerAt().sign('aws', CALL, 'AKIDEXAMPLE|wJalrXUtnFEMI|us-east-1')

    expect(bearerOf(signed)).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/us-east-1\/bedrock\/aws4_request, SignedHeaders=content-type;host;x-amz-content-sha256;x-amz-date, Signature=[0-9a-f]{64}$/,
    )
    expect(JSON.stringify(signed)).not.toContain('wJalrXUtnFEMI')
  })

  it('with two parts is an API key', async () => {
    expect(bearerOf(await signerAt().sign('aws', CALL, 'bedrock-api-key|eu-west-1'))).toBe('Bearer bedrock-api-key')
  })

  it('with one part is refused', async () => {
    expect(await signerAt().sign('aws', CALL, 'lonely')).toMatchObject({
      kind: 'failed',
      failure: { message: 'the key must be Ak|Sk|Region' },
    })
  })
})
