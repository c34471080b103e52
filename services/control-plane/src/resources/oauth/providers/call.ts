import { AppError } from '@tollgate/contracts/app-error'
import type { ErrorCode } from '@tollgate/contracts/errors'
import type { OutboundAnswer, OutboundRequest } from '@tollgate/outbound/request'
import type { ProviderDeps } from './provider.ts'

const TIMEOUT_MS = 5000
const MAX_BYTES = 512 * 1024

type ProviderCall = Pick<OutboundRequest, 'method' | 'url' | 'headers' | 'body'> & {
  /** Thrown when no answer arrives. */
  readonly unreachable: ErrorCode
}

/** Calls a provider. A failure without an answer is `unreachable`; its reason is logged, because it names addresses. */
export async function callProvider(
  deps: Pick<ProviderDeps, 'outbound' | 'log'>,
  { unreachable, ...call }: ProviderCall,
): Promise<OutboundAnswer> {
  try {
    return await deps.outbound.request({ ...call, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, poolKey: 'oauth' })
  } catch (cause) {
    deps.log.warn({ reason: unreachable, error: cause instanceof Error ? cause.message : String(cause) }, 'Sign-in provider did not answer')
    throw new AppError(unreachable, {}, { cause })
  }
}

/** The answer's JSON object; empty for any other answer. */
export function jsonOf({ body }: Pick<OutboundAnswer, 'body'>): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'))
    return isRecord(value) ? value : {}
  } catch {
    // Not JSON: the caller finds none of the fields that it needs.
    return {}
  }
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A text field of at most 500 characters, else empty. */
export function textIn(record: Readonly<Record<string, unknown>>, field: string): string {
  const value = record[field]
  return typeof value === 'string' && value.length <= 500 ? value.trim() : ''
}

/** A positive whole number as text, as numeric ids are stored; else empty. */
export function idIn(record: Readonly<Record<string, unknown>>, field: string): string {
  const value = record[field]
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? String(value) : ''
}

export const formOf = (fields: Readonly<Record<string, string>>) => ({
  headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
  body: new URLSearchParams(fields).toString(),
})

export const isOk = ({ status }: Pick<OutboundAnswer, 'status'>): boolean => status >= 200 && status < 300
