import { createHash, timingSafeEqual } from 'node:crypto'

/**
 * Signature of the epay protocol: without `sign`, `sign_type` and blank values, the fields sorted by name, as `k=v` joined with `&`, then
 * the merchant's key, as MD5 in lower case. The protocol fixes MD5.
 */
export function signFields(fields: Readonly<Record<string, string>>, key: string): string {
  const text = Object.keys(fields)
    .filter((name) => name !== 'sign' && name !== 'sign_type' && fields[name] !== '')
    .toSorted(compareBytes)
    .map((name) => `${name}=${fields[name] ?? ''}`)
    .join('&')
  return createHash('md5')
    .update(text + key)
    .digest('hex')
}

export function isSigned(fields: Readonly<Record<string, string>>, key: string): boolean {
  const expected = Buffer.from(signFields(fields, key))
  const given = Buffer.from(fields['sign'] ?? '')
  return given.length === expected.length && timingSafeEqual(given, expected)
}

const compareBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))
