import fc from 'fast-check'

/** A number as it is written in the JSON text, which `JSON.stringify` could not produce: `1e400`, `-0`, `007`. */
const NUMBER_MARK = '@@number:'
const numberText = (text: string): string => `${NUMBER_MARK}${text}@@`

const MARKED_NUMBER = /"@@number:([^"@]*)@@"/g

/** JSON text in which marked numbers are written as they are. */
export function toJsonText(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null'
  return text.includes(NUMBER_MARK) ? text.replaceAll(MARKED_NUMBER, '$1') : text
}

const NUMBERS = [
  0,
  1,
  -1,
  2,
  0.5,
  -0.5,
  1.5,
  128,
  129,
  1e6,
  2 ** 31,
  2 ** 32,
  2 ** 53 - 1,
  2 ** 53,
  -(2 ** 53),
  1e15,
  1e18,
  1e21,
  1e308,
  -1e308,
]
const NUMBER_TEXTS = [
  '1e400',
  '-1e400',
  '-0',
  '1E+2',
  '0.1e1',
  '12345678901234567890123',
  '0.00000000000000000000000001',
  '9007199254740993',
  '007',
  '0x1f',
  '+1',
  '.5',
  '1.',
  'NaN',
  'Infinity',
]

const TEXTS = [
  '',
  ' ',
  'a',
  '0',
  '-1',
  '1e308',
  'true',
  'null',
  'NaN',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\u202eabc',
  '\ufeff',
  '👩‍👩‍👧‍👦',
  '你好',
  '%',
  '_',
  '\\',
  "'; drop table users; --",
  '${7*7}',
  '../../../../etc/passwd',
  'http://169.254.169.254/latest/meta-data/',
  'file:///etc/passwd',
  'data:image/png;base64,AAAA',
  'data:;base64,',
  '__proto__',
  'constructor',
  'toString',
  '{client_header:authorization}',
  '{api_key}',
  'auto',
  'default',
  'vip',
  '[]',
  '{}',
  '{"a":',
  '1,2,3',
  ',,,',
  'test_sensitive',
  '9007199254740993',
  '2024-01-01T00:00:00Z',
  '(((((((((((a+)+)+)+)+)+)+)+)+)+)+)b',
  '\r\nX-Injected: 1',
]

/** Fields that have a meaning somewhere; added to bodies that do not expect them. */
export const KEYS = [
  '__proto__',
  'constructor',
  'toString',
  '',
  'id',
  'Model',
  'model ',
  'model',
  'n',
  'stream',
  'stream_options',
  'max_tokens',
  'max_completion_tokens',
  'messages',
  'tools',
  'tool_choice',
  'response_format',
  'service_tier',
  'speed',
  'inference_geo',
  'background',
  'store',
  'previous_response_id',
  'prompt',
  'input',
  'system',
  'thinking',
  'reasoning',
  'modalities',
  'audio',
  'web_search_options',
  'usage',
  'error',
  'group',
  'key',
  'role',
  'status',
  'quota',
  'remain_quota',
  'password',
  'limits',
  'cachedContent',
  'generationConfig',
]

const text = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: 30 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }) },
  { weight: 2, arbitrary: fc.constantFrom(200, 300, 1000, 5000, 70_000).map((length) => 'a'.repeat(length)) },
  { weight: 1, arbitrary: fc.constantFrom(100, 5000).map((length) => '\u{1f600}'.repeat(length)) },
)

const number = fc.oneof(
  fc.constantFrom(...NUMBERS),
  fc.constantFrom(...NUMBER_TEXTS).map(numberText),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
)

function nested(depth: number, isList: boolean): unknown {
  let value: unknown = isList ? [] : {}
  for (let at = 0; at < depth; at += 1) value = isList ? [value] : { a: value }
  return value
}

/** A value that is unlikely to be right where it is put. */
export const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(null, true, false, [], {}, [[]], [null], [{}], { a: 1 }) },
  { weight: 5, arbitrary: number },
  { weight: 5, arbitrary: text },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom(20, 100, 400, 1200), fc.boolean()).map(([depth, isList]) => nested(depth, isList)) },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom(50, 300, 3000), oddScalar()).map(([length, one]) => Array<unknown>(length).fill(one)) },
)

function oddScalar(): fc.Arbitrary<unknown> {
  return fc.constantFrom<unknown>(null, 0, '', 'a', {}, [], { type: 'text', text: 'x' })
}

/** A text for paths, queries and headers. */
export const oddText: fc.Arbitrary<string> = text
