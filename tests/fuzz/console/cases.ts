import fc from 'fast-check'
import { endpoints } from '@tollgate/contracts/endpoints'
import type { Endpoint } from '@tollgate/contracts/endpoint'
import { textChange, treeChange, type TextChange, type TreeChange } from '../mutations.ts'
import { oddText } from '../values.ts'

/** `member`: a person who calls for an organisation that is theirs. */
export const ACTORS = ['anonymous', 'user', 'member', 'admin', 'root'] as const
export type ActorName = (typeof ACTORS)[number]

export type ConsoleCase = {
  readonly endpoint: number
  readonly actor: ActorName
  /** One number for each field: which of its usual values is sent, or none. */
  readonly picks: readonly number[]
  readonly changes: readonly TreeChange[]
  readonly text: readonly TextChange[]
  readonly params: readonly string[]
  readonly query: readonly (readonly [string, string])[]
  readonly headers: readonly (readonly [string, string])[]
  readonly spelling: 'right' | 'slash' | 'no-slash' | 'double-slash' | 'encoded' | 'upper' | 'suffix'
  readonly suffix: string
  readonly method: string
  readonly sending: 'right' | 'cut' | 'chunked' | 'gzip' | 'text' | 'form' | 'no-type'
  readonly address: number
}

const LOGOUT = '/api/user/logout'
/** Calls that hash a password take 50 ms; they are drawn less often. */
const SLOW = new Set(['/api/user/login', '/api/user/register', '/api/setup'])

/** Endpoints by weight: changes more often than lists. */
const drawn: readonly number[] = endpoints.flatMap((endpoint, at) => Array<number>(weightOf(endpoint)).fill(at))

function weightOf({ method, path }: Endpoint): number {
  if (SLOW.has(path) || path === LOGOUT) return 1
  return method === 'GET' ? 3 : 5
}

const at = fc.nat({ max: 10_000 })

function mostly<T>(usual: T, weight: number, ...rest: fc.Arbitrary<T>[]): fc.Arbitrary<T> {
  return fc.oneof({ weight, arbitrary: fc.constant(usual) }, ...rest.map((arbitrary) => ({ weight: 1, arbitrary })))
}

const HEADERS: readonly (readonly [string, string])[] = [
  ['Accept-Language', 'en-GB,en;q=0.9'],
  ['Accept-Language', '*;q=zz,,,;;;'],
  ['Accept-Encoding', 'gzip, br'],
  ['New-Api-User', '0'],
  ['New-Api-User', '-1'],
  ['New-Api-User', '99999999999999999999'],
  ['New-Api-User', 'x'],
  ['Sec-Fetch-Site', 'cross-site'],
  ['Origin', 'https://evil.example'],
  ['Origin', 'null'],
  ['Cookie', 'session=; session=a; session='],
  ['Cookie', `session=${'x'.repeat(5000)}`],
  ['Cookie', 'session=%zz'],
  ['Traceparent', '00-00000000000000000000000000000000-0000000000000000-00'],
  ['X-HTTP-Method-Override', 'DELETE'],
  ['X-Forwarded-Host', 'evil.example'],
  ['X-Forwarded-For', '::ffff:1.2.3.4, , x'],
  ['Host', 'evil.example'],
  ['Content-Encoding', 'gzip'],
  ['Authorization', 'Bearer '],
  ['Authorization', `Bearer ${'a'.repeat(7000)}`],
  ['Authorization', 'Bearer sk-unknown'],
  ['Expect', '100-continue'],
]

const encodedText = oddText.map((text) => encodeURIComponent(text.toWellFormed()).slice(0, 4000))
const param = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('1', '2', '3', '4', '5', '8', '12', '30') },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '0',
      '-1',
      '1e3',
      '0x10',
      '1.5',
      '9007199254740991',
      '9007199254740992',
      '99999999999999999999',
      '%',
      '%zz',
      '%00',
      '%2f',
      '%20',
      '1%00',
      '..',
      '%c0%ae',
      'null',
    ),
  },
  { weight: 1, arbitrary: encodedText },
)

/** One call of an endpoint of the table. */
export const consoleCase: fc.Arbitrary<ConsoleCase> = fc.noBias(
  fc.record({
    endpoint: fc.constantFrom(...drawn),
    actor: fc.constantFrom<ActorName[]>('anonymous', 'user', 'user', 'member', 'member', 'admin', 'admin', 'root', 'root', 'root'),
    picks: fc.array(at, { minLength: 16, maxLength: 16 }),
    changes: mostly<readonly TreeChange[]>([], 1, fc.array(treeChange, { minLength: 1, maxLength: 3 })),
    text: mostly<readonly TextChange[]>([], 8, fc.array(textChange, { minLength: 1, maxLength: 2 })),
    params: fc.array(param, { minLength: 2, maxLength: 2 }),
    query: mostly<ConsoleCase['query']>(
      [],
      3,
      fc.array(
        fc.tuple(
          fc.oneof(
            { weight: 8, arbitrary: fc.nat({ max: 20 }).map((nth) => `#${nth}`) },
            { weight: 1, arbitrary: fc.constantFrom('__proto__', 'constructor', 'a[b]', '%zz', '', 'id', 'status_only') },
          ),
          fc.oneof(encodedText, fc.constantFrom('%', '%ff', '%00', '+', '1e999', 'NaN', '-0', '99999999999999999999', '1&p=2')),
        ),
        { minLength: 1, maxLength: 4 },
      ),
    ),
    headers: mostly<ConsoleCase['headers']>([], 5, fc.array(fc.constantFrom(...HEADERS), { minLength: 1, maxLength: 2 })),
    spelling: mostly<ConsoleCase['spelling']>(
      'right',
      12,
      fc.constantFrom('slash', 'no-slash', 'double-slash', 'encoded', 'upper', 'suffix'),
    ),
    suffix: fc.oneof(fc.constantFrom('/', '//', '/..', '/%2e%2e', ';a', '.json', '%00', '/x'), encodedText),
    method: mostly('', 20, fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS', 'TRACE')),
    sending: mostly<ConsoleCase['sending']>('right', 12, fc.constantFrom('cut', 'chunked', 'gzip', 'text', 'form', 'no-type')),
    address: fc.nat({ max: 60_000 }),
  }),
)
