/**
 * Rules for names of headers and fields that carry credentials. They go by the words of a name, so that a header that no list knows
 * (`x-acme-access-token`) is recognised too.
 */
const CREDENTIAL_WORDS = new Set([
  'auth',
  'authentication',
  'authorization',
  'cookie',
  'cookie2',
  'credential',
  'credentials',
  'csrf',
  'jwt',
  'passphrase',
  'passwd',
  'password',
  'pwd',
  'secret',
  'session',
  'sid',
  'signature',
  'token',
  'xsrf',
])
const KEY = /^(?:api|access|secret|private|subscription|auth)?keys?$/
/** Headers that a proxy adds, and those of calls between services: their values are internal addresses, certificates and signatures. */
const HOP =
  /^(?:x-)?(?:forwarded|internal|real-ip|client-ip|true-client-ip|client-cert|ssl|original|envoy|tollgate|oneapi|new-api|proxy|sec|cf|via)(?:-|$)/
/** Ends with `key`, but only names a request. */
const HARMLESS = new Set(['idempotency-key', 'x-idempotency-key'])

/** True if the value of a field or header with this name is a credential. */
export function isCredentialName(name: string): boolean {
  const words = splitName(name)
  return !HARMLESS.has(words.join('-')) && (words.some((word) => CREDENTIAL_WORDS.has(word)) || KEY.test(words.at(-1) ?? ''))
}

/** True if a channel's header override may copy this client header to a vendor. */
export function mayCopyClientHeader(name: string): boolean {
  const header = name.trim().toLowerCase()
  return !isCredentialName(header) && !HOP.test(header)
}

const CLIENT_HEADER = /^\s*\{\s*client_header\s*:(.*)\}\s*$/is

/** The header that an override's value `{client_header:NAME}` copies, in lower case; undefined: the value copies none. */
export function copiedHeader(value: string): string | undefined {
  return CLIENT_HEADER.exec(value)?.[1]?.trim().toLowerCase()
}

/** `apiKey`, `api_key` and `Api-Key` are the words `api` and `key`. */
function splitName(name: string): string[] {
  return name
    .trim()
    .replaceAll(/([a-z\d])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '')
}
