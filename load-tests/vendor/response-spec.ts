/**
 * What the simulator answers is said by the first part of the path, so that every gateway can be pointed at it without headers of its
 * own: `/kind=sse,hz=50,n=400/v1/chat/completions`.
 */
export type Fault = 'none' | '429' | 'reset-before' | 'reset-after' | 'stall' | 'slow-head' | 'no-usage' | 'cut-usage'

export type ResponseSpec = {
  readonly kind: 'json' | 'sse' | 'blast'
  /** json: bytes of the answer's text; sse: bytes of text per chunk; blast: bytes of the whole stream. */
  readonly size: number
  /** sse: chunks per second and stream. */
  readonly hz: number
  /** sse: chunks per stream. */
  readonly n: number
  /** sse: bytes of text sent at once, in events of half a kilobyte, before the pace begins. */
  readonly burst: number
  /** Milliseconds before the head. */
  readonly delay: number
  readonly fault: Fault
}

const PLAIN: ResponseSpec = { kind: 'json', size: 900, hz: 50, n: 100, burst: 0, delay: 0, fault: 'none' }
const FAULTS: readonly string[] = ['none', '429', 'reset-before', 'reset-after', 'stall', 'slow-head', 'no-usage', 'cut-usage']
const KINDS: readonly string[] = ['json', 'sse', 'blast']

const isFault = (text: string): text is Fault => FAULTS.includes(text)
const isKind = (text: string): text is ResponseSpec['kind'] => KINDS.includes(text)

/** Reads the plan of a path; throws on words that it does not know, so that a mistyped scenario is not measured. */
export function parseResponseSpec(path: string): ResponseSpec {
  const first = path.split('/', 2)[1] ?? ''
  if (!first.includes('=')) return PLAIN
  const words = new Map(first.split(',').map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)] as const))
  const number = (name: 'size' | 'hz' | 'n' | 'burst' | 'delay'): number => {
    const text = words.get(name)
    words.delete(name)
    if (text === undefined) return PLAIN[name]
    if (!Number.isFinite(Number(text))) throw new Error(`${name}=${text} is no number`)
    return Number(text)
  }
  const kind = words.get('kind') ?? PLAIN.kind
  const fault = words.get('fault') ?? PLAIN.fault
  words.delete('kind')
  words.delete('fault')
  if (!isKind(kind) || !isFault(fault)) throw new Error(`the simulator knows no ${kind} with ${fault}`)
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
  if (words.size > 0) throw new Error(`the simulator knows no ${[...words.keys()].join(', ')}`)
  return spec
}

const SLOW_HEAD_MS = 3000

/** The plan as the first part of a path. */
export function responsePath(spec: Partial<ResponseSpec>): string {
  return `/${Object.entries(spec)
    .map(([name, value]) => `${name}=${value}`)
    .join(',')}`
}
