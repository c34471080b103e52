import type { ApiFormat, CallFacts } from '../calls/api-format.ts'
import type { Vendor } from './vendor.ts'

/**
 * Paths that calls add to a base address: whole ones, and their beginnings up to a version. Vendors' pages name addresses with them
 * (`…/v1`, `…/v1/chat/completions`). Undefined: calls are no paths below the address.
 */
export function callPathsOf(vendor: Pick<Vendor, 'address' | 'formats'>): readonly string[] | undefined {
  const { address, formats } = vendor
  if (address.kind !== 'path') return undefined
  const all = typeof formats === 'function' ? formats('', '') : formats
  return [...new Set(all.flatMap((format) => partsOf(address.path(callOf(format)))))].toSorted()
}

const callOf = (format: ApiFormat): CallFacts => ({
  format,
  model: '',
  is_stream: false,
  other: '',
  key: '',
  gemini_version: 'v1beta',
  query: '',
})

function partsOf(path: string): string[] {
  const segments = (path.split('?')[0] ?? '').split('/').slice(1)
  return segments.flatMap((segment, at) => {
    const isWhole = at === segments.length - 1 && at > 0
    return isWhole || /^v\d/.test(segment) ? [`/${segments.slice(0, at + 1).join('/')}`] : []
  })
}
