import { createHash, createHmac } from 'node:crypto'
import type { PreparedCall } from './call.ts'

const ALGORITHM = 'TC3-HMAC-SHA256'
const SERVICE = 'hunyuan'
/** Signed for every host that is not Tencent's, because a reverse proxy passes the call on to this one. */
const HOST = 'hunyuan.tencentcloudapi.com'
const SIGNED = 'content-type;host'

type Signed = { readonly authorization: string; readonly 'x-tc-timestamp': string }

/**
 * Headers of a call signed by Tencent Cloud's method v3, for the secrets of a key `AppId|SecretId|SecretKey`.
 * https://cloud.tencent.com/document/product/1729/101837 (2026-11-24)
 */
export function signTencent(call: PreparedCall, secrets: { readonly id: string; readonly key: string }, now_ms: number): Signed {
  const timestamp = String(Math.floor(now_ms / 1000))
  const day = new Date(now_ms).toISOString().slice(0, 10)
  const { hostname, host } = new URL(call.origin)
  const signedHost = hostname.endsWith('.tencentcloudapi.com') ? host : HOST
  const type = call.headers[call.headers.indexOf('content-type') + 1] ?? ''
  const canonical = ['POST', '/', '', `content-type:${type}\nhost:${signedHost}\n`, SIGNED, sha256(call.body ?? '')].join('\n')
  const scope = `${day}/${SERVICE}/tc3_request`
  const signingKey = [day, SERVICE, 'tc3_request'].reduce<string | Buffer>(hmac, `TC3${secrets.key}`)
  const signature = hmac(signingKey, [ALGORITHM, timestamp, scope, sha256(canonical)].join('\n')).toString('hex')
  return {
    authorization: `${ALGORITHM} Credential=${secrets.id}/${scope}, SignedHeaders=${SIGNED}, Signature=${signature}`,
    'x-tc-timestamp': timestamp,
  }
}

const sha256 = (value: string | Buffer): string => createHash('sha256').update(value).digest('hex')
const hmac = (key: string | Buffer, value: string): Buffer => createHmac('sha256', key).update(value).digest()
