import type { CredentialInput } from '../task-family.ts'

const ALGORITHM = 'HMAC-SHA256'
const TYPE = 'application/json'
const SIGNED = 'content-type;host;x-content-sha256;x-date'

/**
 * Headers of a call signed as Volcengine requires (HMAC-SHA256, in the manner of AWS version 4), for a key `AccessKey|SecretKey`; a key
 * without a bar belongs to another gateway and is sent as a bearer token. https://www.volcengine.com/docs/6369/67269
 */
export function signVolcengine(
  { key, call, host, now, digests }: CredentialInput,
  { region, service }: { readonly region: string; readonly service: string },
): Readonly<Record<string, string>> {
  const [access, secret] = key.split('|').map((part) => part.trim())
  if (access === undefined || secret === undefined) return { authorization: `Bearer ${key}` }
  const { sha256, hmacSha256 } = digests
  const date = new Date(now).toISOString().replaceAll(/[-:]|\.\d{3}/g, '')
  const day = date.slice(0, 8)
  const hash = sha256(call.body === undefined ? '' : JSON.stringify(call.body))
  const [path = '/', query = ''] = call.path.split('?')
  const headers = `content-type:${TYPE}\nhost:${host}\nx-content-sha256:${hash}\nx-date:${date}\n`
  const canonical = [call.method, path, sortedQuery(query), headers, SIGNED, hash].join('\n')
  const scope = `${day}/${region}/${service}/request`
  const keyOf = [day, region, service, 'request'].reduce<string | Uint8Array>((signing, part) => hmacSha256(signing, part), secret)
  const signature = Buffer.from(hmacSha256(keyOf, [ALGORITHM, date, scope, sha256(canonical)].join('\n'))).toString('hex')
  return {
    'content-type': TYPE,
    'x-date': date,
    'x-content-sha256': hash,
    authorization: `${ALGORITHM} Credential=${access}/${scope}, SignedHeaders=${SIGNED}, Signature=${signature}`,
  }
}

const sortedQuery = (query: string): string => query.split('&').filter(Boolean).toSorted().join('&')
