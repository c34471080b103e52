import type { IncomingHttpHeaders } from 'node:http'
import { FORMAT_USAGE } from '../format-scripts/script.ts'
import { fieldAt, type Fields } from '../format-scripts/reading.ts'

/** One call to a scripted vendor. */
export type VendorCall = {
  readonly method: string
  /** Below the vendor's own base URL, with its query. */
  readonly path: string
  /** As the vendor's client signs it. */
  readonly signedPath: string
  readonly headers: IncomingHttpHeaders
  readonly body: Fields
  readonly raw: Buffer
  /** The vendor's base URL. */
  readonly base: string
}

export type VendorReply = { readonly type?: string; readonly body: object | string | Buffer }

/** Answers as a vendor's public reference says, and refuses what that reference does not allow. */
export type VendorScript = (call: VendorCall) => VendorReply

/** Text of every scripted vendor's answer. */
export const VENDOR_TEXT = 'Hello from this vendor. 你好'
export const VENDOR_KEY = 'vendor-key'
export const { input: INPUT, output: OUTPUT } = FORMAT_USAGE
export const EVENT_STREAM = 'text/event-stream'

/** The scripted vendor does not accept the call. */
export class Refusal extends Error {}

/** Refuses the call unless the claim holds. */
export function requireThat(claim: boolean, otherwise: string): void {
  if (!claim) throw new Refusal(otherwise)
}

/** Refuses a call to another path. */
export function requirePath({ method, path }: VendorCall, expected: string): void {
  requireThat(method === 'POST' && path === expected, `${method} ${path} instead of POST ${expected}`)
}

export function requireHeader({ headers }: VendorCall, name: string, expected: string): void {
  requireThat(headers[name] === expected, `header ${name} is ${String(headers[name])}`)
}

/** Refuses fields that the vendor does not have. */
export function requireWithout({ body }: VendorCall, fields: readonly string[]): void {
  const found = fields.filter((field) => field in body)
  requireThat(found.length === 0, `extra fields: ${found.join(', ')}`)
}

/** Refuses a number outside the range. */
export function requireRange({ body }: VendorCall, field: string, [min, max]: readonly [number, number]): void {
  const value = fieldAt(body, field)
  requireThat(value === undefined || (typeof value === 'number' && value >= min && value <= max), `${field} is ${String(value)}`)
}
