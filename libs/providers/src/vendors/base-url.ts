import type { ApiFormat, CallFacts } from '../operations/api-format.ts'
import { findVendor } from './index.ts'
import type { Vendor } from './vendor.ts'

/** A base address as it is kept, and what was cut from its end; empty: nothing. */
export type KeptBaseUrl = { readonly url: string; readonly cut: string }

/** Whether the address has a query or a fragment, and its vendor's calls are paths below it. */
export function hasStrayParts(channelType: number, base_url: string): boolean {
  return findVendor(channelType)?.address.kind === 'path' && /[?#]/.test(base_url)
}

/**
 * Vendors' pages name addresses with a version or with a whole path (`…/v1`, `…/v1/chat/completions`), which calls add themselves: what an
 * address has of the path of a call is cut.
 */
export function keptBaseUrl(channelType: number, base_url: string): KeptBaseUrl {
  const vendor = findVendor(channelType)
  const kept = { url: base_url, cut: '' }
  if (vendor === undefined) return kept
  const cuts = formatsOf(vendor).map((format) => partOfPath(vendor, format, base_url))
  const cut = cuts.reduce((longest, one) => (one.length > longest.length ? one : longest), '')
  return cut === '' ? kept : { url: base_url.slice(0, base_url.length - cut.length), cut }
}

function formatsOf({ formats }: Vendor): readonly ApiFormat[] {
  return typeof formats === 'function' ? formats('', '') : formats
}

/** The whole path of a call, or its beginning up to a version, if the address ends in it. */
function partOfPath({ address }: Vendor, format: ApiFormat, base_url: string): string {
  if (address.kind !== 'path') return ''
  const call: CallFacts = { format, model: '', is_stream: false, other: '', key: '', gemini_version: 'v1beta', query: '' }
  const segments = (address.path(call).split('?')[0] ?? '').split('/').slice(1)
  for (let length = segments.length; length > 0; length -= 1) {
    const part = `/${segments.slice(0, length).join('/')}`
    const isWhole = length === segments.length && length > 1
    if ((isWhole || /^v\d/.test(segments[length - 1] ?? '')) && base_url.endsWith(part)) return part
  }
  return ''
}
