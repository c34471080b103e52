import fc from 'fast-check'
import { changeTree, encodeChanged, textChange, treeChange, type TextChange, type TreeChange } from '../mutations.ts'
import type { RawRequest } from '../raw-call.ts'
import { oddText } from '../values.ts'

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
const name = fc.oneof(
  { weight: 4, arbitrary: fc.nat({ max: 300 }).map((nth) => `person${nth}@example.org`) },
  { weight: 1, arbitrary: fc.constantFrom('ann', 'cat@elsewhere.example', 'Ünï@example.org', 'a'.repeat(300)) },
)

const user = fc.record({ userName: name, active: fc.constantFrom(true, false, 'True') }).map(({ userName, active }) => ({
  schemas: [USER],
  userName,
  active,
  name: { givenName: 'A', familyName: 'B' },
  emails: [{ value: userName, type: 'work', primary: true }],
  externalId: `x-${userName}`.slice(0, 100),
}))
const group = name.map((displayName) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
  displayName,
  members: [{ value: '#0' }],
}))
const patch = fc
  .array(
    fc.constantFrom<object[]>(
      { op: 'replace', path: 'active', value: false },
      { op: 'Replace', value: { active: 'True', 'name.givenName': 'C' } },
      { op: 'add', path: 'emails[type eq "work"].value', value: 'ann@example.org' },
      { op: 'add', path: 'members', value: [{ value: '#0' }, { value: '#1' }] },
      { op: 'remove', path: 'members[value eq "#0"]' },
      { op: 'remove', path: 'externalId' },
      { op: 'replace', path: 'userName', value: 'ben@example.org' },
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map((Operations) => ({ schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations }))
const search = fc.constantFrom({ filter: 'userName eq "ann"', startIndex: 1, count: 5, attributes: ['userName'] })

const filter = fc.oneof(
  fc.constantFrom(
    'userName eq "ann"',
    'not (active eq true) and emails[type eq "work" and value co "@"]',
    'meta.created gt "2026"',
    'id pr',
  ),
  oddText,
)

export type OutsideCase = {
  readonly method: string
  /** `#0` stands for the id of the first resource that was made lately. */
  readonly path: string
  readonly query: readonly (readonly [string, string])[]
  readonly body: unknown
  readonly changes: readonly TreeChange[]
  readonly text: readonly TextChange[]
  readonly headers: readonly (readonly [string, string])[]
  readonly token: number
  readonly address: number
}

const scimPath = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.constantFrom('Users', 'Groups', 'Users/#0', 'Users/#1', 'Groups/#0', 'Groups/#1', 'Users/.search', '.search'),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('ServiceProviderConfig', 'Schemas', 'ResourceTypes', `Schemas/${USER}`, 'Bulk', 'Me', '', 'Users/'),
  },
  { weight: 1, arbitrary: oddText.map((text) => `Users/${encodeURIComponent(text.toWellFormed()).slice(0, 2000)}`) },
)
const scimQuery = fc.array(
  fc.oneof(
    fc.tuple(fc.constant('filter'), filter),
    fc.tuple(fc.constantFrom('startIndex', 'count'), fc.constantFrom('1', '0', '-1', '1e999', 'x', '99999999999999999999')),
    fc.tuple(fc.constantFrom('attributes', 'excludedAttributes'), fc.constantFrom('userName', 'emails.value,members', '__proto__', ',,')),
  ),
  { maxLength: 2 },
)
const scimHeaders = fc.array(
  fc.constantFrom<(readonly [string, string])[]>(
    ['If-Match', 'W/"1"'],
    ['If-Match', '*'],
    ['If-None-Match', ',,,'],
    ['Content-Type', 'application/scim+json'],
    ['Content-Encoding', 'gzip'],
    ['X-HTTP-Method-Override', 'DELETE'],
  ),
  { maxLength: 1 },
)

const PAGES = [
  '/status',
  '/status.json',
  '/status.rss',
  '/status.atom',
  '/status/badge.svg',
  '/.well-known/jwks.json',
  '/.well-known/',
  '/receipt',
]
const page = fc.record({
  method: fc.constantFrom('GET', 'GET', 'GET', 'HEAD', 'POST', 'OPTIONS'),
  path: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...PAGES) },
    fc.constantFrom('/status//', '/status.rss/x', '/status%2ejson', '/.well-known/..%2f'),
  ),
  query: fc.array(fc.tuple(fc.constantFrom('lang', 'group', 'x', '__proto__'), fc.oneof(oddText, fc.constantFrom('zh', 'en'))), {
    maxLength: 2,
  }),
  body: fc.constant(undefined),
  headers: fc.array(
    fc.oneof(
      fc.tuple(fc.constant('If-None-Match'), fc.constantFrom('*', 'W/"', `W/"${'a'.repeat(5000)}"`, '"a", W/"b"')),
      fc.tuple(fc.constant('Accept-Language'), fc.constantFrom('zh-CN;q=0.1,en', '*;q=zz,,,', 'x'.repeat(3000))),
      fc.tuple(fc.constant('Accept-Encoding'), fc.constantFrom('gzip', 'br;q=1, gzip;q=0', '*')),
    ),
    { maxLength: 2 },
  ),
})
/** Calls as identity providers make them, and each method on each path. */
const scimCall = fc.oneof(
  { weight: 3, arbitrary: fc.record({ method: fc.constant('POST'), path: fc.constant('Users'), body: user }) },
  { weight: 1, arbitrary: fc.record({ method: fc.constant('POST'), path: fc.constant('Groups'), body: group }) },
  { weight: 1, arbitrary: fc.record({ method: fc.constant('PUT'), path: fc.constantFrom('Users/#0', 'Users/#1'), body: user }) },
  { weight: 1, arbitrary: fc.record({ method: fc.constant('PUT'), path: fc.constantFrom('Groups/#0', 'Groups/#1'), body: group }) },
  {
    weight: 3,
    arbitrary: fc.record({ method: fc.constant('PATCH'), path: fc.constantFrom('Users/#0', 'Groups/#0', 'Users/#3'), body: patch }),
  },
  { weight: 2, arbitrary: fc.record({ method: fc.constant('GET'), path: scimPath, body: fc.constant(undefined) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      method: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE'),
      path: scimPath,
      body: fc.oneof(user, group, patch, search),
    }),
  },
)
const scim = fc
  .tuple(scimCall, scimQuery, scimHeaders)
  .map(([{ method, path, body }, query, headers]) => ({ method, path: `/scim/v2/${path}`, body: body as unknown, query, headers }))

const mostly = <T>(arbitrary: fc.Arbitrary<T[]>): fc.Arbitrary<T[]> =>
  fc.oneof({ weight: 2, arbitrary: fc.constant<T[]>([]) }, { weight: 1, arbitrary })

/** A call of an identity provider, or of a reader of the public pages. */
export const outsideCase: fc.Arbitrary<OutsideCase> = fc.noBias(
  fc
    .tuple(
      fc.oneof({ weight: 3, arbitrary: scim }, { weight: 1, arbitrary: page }),
      fc.record({
        changes: mostly(fc.array(treeChange, { minLength: 1, maxLength: 3 })),
        text: mostly(fc.array(textChange, { minLength: 1, maxLength: 1 })),
        token: fc.nat({ max: 16 }),
        address: fc.nat({ max: 60_000 }),
      }),
    )
    .map(([call, rest]) => ({ ...call, ...rest })),
)

/** A token beyond the last is of no organisation. */
export function encodeOutside(
  one: OutsideCase,
  { tokens, made }: { readonly tokens: readonly string[]; readonly made: readonly string[] },
): RawRequest {
  const withIds = (text: string): string => text.replaceAll(/#(\d)/g, (_, nth: string) => made.at(-1 - Number(nth)) ?? 'missing')
  const isScim = one.path.startsWith('/scim/')
  const hasBody = isScim && one.method !== 'GET' && one.method !== 'DELETE'
  const body = hasBody
    ? encodeChanged(changeTree(JSON.parse(withIds(JSON.stringify(one.body ?? null))), one.changes), one.text)
    : Buffer.alloc(0)
  const query = one.query.map(([key, value]) => `${key}=${encodeURIComponent(value.toWellFormed()).slice(0, 4000)}`).join('&')
  return {
    method: one.method,
    target: `${withIds(one.path)}${query === '' ? '' : `?${query}`}`,
    headers: [
      ['Host', '127.0.0.1'],
      ['X-Forwarded-For', `10.${one.address >> 8}.${one.address & 255}.9`],
      ...(isScim ? [['Authorization', `Bearer ${tokens[one.token] ?? 'a-token-of-no-organisation'}`] as const] : []),
      ...one.headers,
    ],
    body,
  }
}
