import fc from 'fast-check'
import { textChange, treeChange, type TextChange, type TreeChange } from '../mutations.ts'
import { oddText } from '../values.ts'
import { baseCalls } from './routes.ts'

/** How the scripted vendor answers the calls of one case. */
export type VendorScript = {
  /** Which right answer it starts from. */
  readonly answer: number
  /** Changes of the answer, or of one event of a stream. */
  readonly changes: readonly TreeChange[]
  /** Values written over numbers in the reported usage. */
  readonly usage: readonly { readonly at: number; readonly value: unknown }[]
  readonly event: number
  readonly text: readonly TextChange[]
  readonly stream: 'right' | 'drop' | 'double' | 'reverse' | 'huge-line' | 'no-blank-lines' | 'crlf' | 'comments' | 'endless-spaces'
  readonly status: number
  readonly type: 'right' | 'text/html' | 'text/event-stream' | 'application/json' | '' | 'application/octet-stream; charset=x'
  readonly transport:
    | 'right'
    | 'reset'
    | 'cut'
    | 'early-end'
    | 'wrong-length'
    | 'false-gzip'
    | 'single-bytes'
    | 'silent'
    | 'stall'
    | 'no-http'
    | 'error-with-key'
    | 'set-cookie'
    | 'retry-after'
}

/** How the client sends the request. */
export type SendingChange =
  | 'right'
  | 'cut'
  | 'leave'
  | 'chunked'
  | 'short-length'
  | 'long-length'
  | 'bad-length'
  | 'gzip'
  | 'false-gzip'
  | 'both-framings'

export type ModelCase = {
  readonly call: number
  readonly model: number
  readonly account: number
  readonly changes: readonly TreeChange[]
  readonly text: readonly TextChange[]
  readonly form: readonly FormChange[]
  readonly sending: SendingChange
  /** Share of the body or answer after which the client leaves. */
  readonly share: number
  readonly headers: readonly (readonly [string, string])[]
  readonly contentType: string
  readonly query: readonly (readonly [string, string])[]
  readonly path: { readonly kind: 'right' | 'model' | 'suffix' | 'raw'; readonly text: string }
  readonly vendor: VendorScript
}

export type FormChange =
  | { readonly kind: 'remove' | 'double' | 'no-end'; readonly at: number }
  | { readonly kind: 'value' | 'name' | 'file-name'; readonly at: number; readonly text: string }
  | { readonly kind: 'boundary'; readonly at: number }

const at = fc.nat({ max: 10_000 })

/** Mostly the first: one value is likely, so that each case changes few things. */
function mostly<T>(usual: T, weight: number, ...rest: fc.Arbitrary<T>[]): fc.Arbitrary<T> {
  return fc.oneof({ weight, arbitrary: fc.constant(usual) }, ...rest.map((arbitrary) => ({ weight: 1, arbitrary })))
}

const usageValue = fc.constantFrom<unknown>(
  -1,
  -1e15,
  0,
  0.5,
  1.5,
  -0.5,
  1e6,
  1e15,
  9_007_199_254_740_991,
  9_007_199_254_740_992,
  1e308,
  '@@number:1e400@@',
  '@@number:-1e400@@',
  '7',
  '',
  'many',
  null,
  true,
  [],
  {},
  [3],
  { a: 1 },
)

const HEADERS: readonly (readonly [string, string])[] = [
  ['anthropic-version', '2023-06-01'],
  ['anthropic-beta', 'context-1m-2025-08-07,fast-mode'],
  ['OpenAI-Beta', 'realtime=v1'],
  ['Content-Encoding', 'br'],
  ['Content-Encoding', 'gzip, gzip'],
  ['Expect', '100-continue'],
  ['Expect', '200-ok'],
  ['X-Forwarded-For', '1.2.3.4, 5.6.7.8'],
  ['X-Forwarded-For', 'unknown, ::1'],
  ['Forwarded', 'for="[::1]"'],
  ['Accept', 'text/html'],
  ['Accept-Encoding', 'br;q=1.0, *;q=0'],
  ['Traceparent', '00-zz-zz-01'],
  ['Idempotency-Key', 'a'],
  ['Cookie', 'session=abc; other="'],
  ['Origin', 'https://evil.example'],
  ['Sec-Fetch-Mode', 'navigate'],
  ['Sec-Fetch-Dest', 'document'],
  ['Range', 'bytes=0-1'],
  ['Transfer-Encoding', 'identity'],
  ['TE', 'trailers'],
  ['Upgrade', 'h2c'],
  ['X-HTTP-Method-Override', 'DELETE'],
  ['x-api-key', ''],
  ['x-goog-api-key', 'sk-other'],
  ['mj-api-secret', 'sk-other'],
  ['Authorization', 'Basic cm9vdDpyb290'],
  ['Content-Type', 'application/json'],
  ['x-stainless-retry-count', '-1'],
]

const headerValue = oddText.map((text) => text.replaceAll(/[\r\n\0]/g, ' ').slice(0, 9000))
const header = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...HEADERS) },
  { weight: 1, arbitrary: headerValue.map((text): readonly [string, string] => ['User-Agent', text]) },
  { weight: 1, arbitrary: headerValue.map((text): readonly [string, string] => ['anthropic-beta', text]) },
)

const query = fc.tuple(
  fc.constantFrom(
    'key',
    'alt',
    '$alt',
    'fields',
    'prettyPrint',
    'api-version',
    'beta',
    'model',
    'stream',
    '$fields',
    'callback',
    '__proto__',
    'access_token',
    '',
  ),
  fc.oneof(
    fc.constantFrom('sse', 'json', 'media', 'candidates', 'true', '%', '%zz', '%00', '&', 'a b'),
    oddText.map((text) => encodeURIComponent(text.toWellFormed()).slice(0, 3000)),
  ),
)

const formChange: fc.Arbitrary<FormChange> = fc.oneof(
  fc.record({ kind: fc.constantFrom('remove' as const, 'double' as const, 'no-end' as const), at }),
  fc.record({ kind: fc.constantFrom('value' as const, 'name' as const, 'file-name' as const), at, text: oddText }),
  fc.record({ kind: fc.constant('boundary' as const), at }),
)

const vendorScript: fc.Arbitrary<VendorScript> = fc.record({
  answer: at,
  changes: mostly<readonly TreeChange[]>([], 8, fc.array(treeChange, { minLength: 1, maxLength: 3 })),
  usage: mostly<VendorScript['usage']>([], 4, fc.array(fc.record({ at, value: usageValue }), { minLength: 1, maxLength: 4 })),
  event: at,
  text: mostly<readonly TextChange[]>([], 12, fc.array(textChange, { minLength: 1, maxLength: 2 })),
  stream: mostly<VendorScript['stream']>(
    'right',
    8,
    fc.constantFrom('drop', 'double', 'reverse', 'huge-line', 'no-blank-lines', 'crlf', 'comments', 'endless-spaces'),
  ),
  status: mostly(
    200,
    12,
    fc.constantFrom(201, 204, 206, 299, 301, 304, 307, 400, 403, 404, 413, 418, 422, 429, 499, 500, 502, 503, 504, 529, 599),
  ),
  type: mostly<VendorScript['type']>(
    'right',
    12,
    fc.constantFrom('text/html', 'text/event-stream', 'application/json', '', 'application/octet-stream; charset=x'),
  ),
  transport: mostly<VendorScript['transport']>(
    'right',
    12,
    fc.oneof(
      {
        weight: 30,
        arbitrary: fc.constantFrom<VendorScript['transport'][]>(
          'reset',
          'cut',
          'early-end',
          'wrong-length',
          'false-gzip',
          'single-bytes',
          'no-http',
          'error-with-key',
          'set-cookie',
          'retry-after',
        ),
      },
      { weight: 1, arbitrary: fc.constantFrom<VendorScript['transport'][]>('silent', 'stall') },
    ),
  ),
})

/** One call of a model route and its vendor's answer. `noBias`: the same seed gives the same case to `fc.sample` and `fc.check`. */
export const modelCase: fc.Arbitrary<ModelCase> = fc.noBias(
  fc.record({
    call: fc.nat({ max: baseCalls.length - 1 }),
    model: at,
    account: at,
    changes: mostly<readonly TreeChange[]>([], 1, fc.array(treeChange, { minLength: 1, maxLength: 4 })),
    text: mostly<readonly TextChange[]>([], 6, fc.array(textChange, { minLength: 1, maxLength: 2 })),
    form: mostly<readonly FormChange[]>([], 1, fc.array(formChange, { minLength: 1, maxLength: 3 })),
    sending: mostly<SendingChange>(
      'right',
      12,
      fc.constantFrom('cut', 'leave', 'chunked', 'short-length', 'long-length', 'bad-length', 'gzip', 'false-gzip', 'both-framings'),
    ),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
    headers: mostly<ModelCase['headers']>([], 4, fc.array(header, { minLength: 1, maxLength: 3 })),
    contentType: mostly(
      '',
      15,
      fc.constantFrom(
        'text/plain',
        'application/json; charset=utf-16',
        'multipart/form-data',
        'multipart/form-data; boundary=',
        'multipart/form-data; boundary="x',
        'application/x-www-form-urlencoded',
        'none',
        '\u00ff',
      ),
    ),
    query: mostly<ModelCase['query']>([], 8, fc.array(query, { minLength: 1, maxLength: 3 })),
    path: mostly<ModelCase['path']>(
      { kind: 'right', text: '' },
      20,
      fc.record({
        kind: fc.constantFrom('model' as const, 'suffix' as const, 'raw' as const),
        text: fc.oneof(fc.constantFrom('%', '%00', '%ff', '..%2f..', '//', '/./', ':', '?', '%3f', '#', ';a=1', '%25'), oddText),
      }),
    ),
    vendor: vendorScript,
  }),
)
