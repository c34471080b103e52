/**
 * The first path segment specifies the simulator's response, so that every gateway can use it without extra headers:
 * `/kind=sse,hz=50,n=400/v1/chat/completions`.
 */
export type Fault = 'none' | '429' | 'reset-before' | 'reset-after' | 'stall' | 'slow-head' | 'no-usage' | 'cut-usage'

export type ResponseSpec = {
  readonly kind: 'json' | 'sse' | 'blast'
  /** json: bytes of the response's text; sse: bytes of text per chunk; blast: bytes of the whole stream. */
  readonly size: number
  /** sse: chunks per second and stream. */
  readonly hz: number
  /** sse: chunks per stream. */
  readonly n: number
  /** sse: bytes of text sent at once, in events of 512 bytes, before the paced chunks. */
  readonly burst: number
  /** Milliseconds before the head. */
  readonly delay: number
  readonly fault: Fault
}

const DEFAULTS: ResponseSpec = { kind: 'json', size: 900, hz: 50, n: 100, burst: 0, delay: 0, fault: 'none' }
/** For `stream: true` without a response spec: as many tokens as the whole answer, within four seconds. */
export const STREAM_DEFAULTS: ResponseSpec = { ...DEFAULTS, kind: 'sse', size: 5, n: 200 }
const FAULTS: readonly string[] = ['none', '429', 'reset-before', 'reset-after', 'stall', 'slow-head', 'no-usage', 'cut-usage']
const KINDS: readonly string[] = ['json', 'sse', 'blast']

const isFault = (text: string): text is Fault => FAULTS.includes(text)
const isKind = (text: string): text is ResponseSpec['kind'] => KINDS.includes(text)

export const hasResponseSpec = (path: string): boolean => (path.split('/', 2)[1] ?? '').includes('=')

/** Parses the first segment of a path; throws on unknown fields, so that a mistyped scenario is not measured. */
export function parseResponseSpec(path: string): ResponseSpec {
  const first = path.split('/', 2)[1] ?? ''
  if (!hasResponseSpec(path)) return DEFAULTS
  const fields = new Map(first.split(',').map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)] as const))
  const number = (name: 'size' | 'hz' | 'n' | 'burst' | 'delay'): number => {
    const text = fields.get(name)
    fields.delete(name)
    if (text === undefined) return DEFAULTS[name]
    if (!Number.isFinite(Number(text))) throw new Error(`${name}=${text} is not a number`)
    return Number(text)
  }
  const kind = fields.get('kind') ?? DEFAULTS.kind
  const fault = fields.get('fault') ?? DEFAULTS.fault
  fields.delete('kind')
  fields.delete('fault')
  if (!isKind(kind) || !isFault(fault)) throw new Error(`unknown kind ${kind} or fault ${fault}`)
  const delay = number('delay')
  const spec: ResponseSpec = {
    kind,
    fault,
    size: number('size'),
    hz: number('hz'),
    n: number('n'),
    burst: number('burst'),
    delay: fault === 'slow-head' && delay === 0 ? SLOW_HEAD_MS : delay,
  }
  if (fields.size > 0) throw new Error(`unknown fields: ${[...fields.keys()].join(', ')}`)
  return spec
}

const SLOW_HEAD_MS = 3000

/** The path segment for a response spec. */
export function responsePath(spec: Partial<ResponseSpec>): string {
  return `/${Object.entries(spec)
    .map(([name, value]) => `${name}=${value}`)
    .join(',')}`
}
