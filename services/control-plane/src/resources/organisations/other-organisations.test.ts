import { endpoints } from '@tollgate/contracts/endpoints'
import { LogType } from '@tollgate/contracts/enums'
import { MEMBER_ROLES, type MemberRole } from '@tollgate/contracts/rights'
import { insertLogs } from '@tollgate/db/queries/ledger/posting'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setOptions } from '../../../test/options.ts'
import { createTestApp, type Caller, type TestApp } from '../../../test/test-app.ts'

const PASSWORD = 'a-long-password'
/** In each text of the other organisation. */
const MARK = 'Zebra'
const ROLE_OF = { ann: 'owner', ben: 'admin', cat: 'billing', dan: 'developer', eve: 'viewer' } as const satisfies Record<
  string,
  MemberRole
>

type Objects = Readonly<
  Record<'token' | 'project' | 'budget' | 'member' | 'invitation' | 'scim_token' | 'alert' | 'log' | 'organisation', number>
>

describe('objects of another organisation', () => {
  let test: TestApp
  let theirs: Objects
  let fox: Caller
  let owner: Caller
  const callers = new Map<MemberRole, Caller>()
  const now = Math.floor(Date.now() / 1000)

  beforeAll(async () => {
    test = await createTestApp()
    const root = await test.setUp()
    await setOptions(test.deps, { OrganisationFounders: 'all' })
    const sessions = new Map<string, Caller>()
    for (const username of [...Object.keys(ROLE_OF), 'fox']) {
      await root('POST', '/api/user/', { username, password: PASSWORD })
      sessions.set(username, await test.signIn(username, PASSWORD))
    }
    const found = async (name: string, title: string): Promise<readonly [number, Caller]> => {
      const session = sessions.get(name) ?? root
      const id = idOf((await session('POST', '/api/organisations/', { name: title })).body)
      return [id, within(session, id)]
    }
    const [own, ann] = await found('ann', 'Acme')
    owner = ann
    callers.set('owner', owner)
    for (const [name, role] of Object.entries(ROLE_OF)) {
      if (role === 'owner') continue
      const session = sessions.get(name) ?? root
      const { body } = await owner('POST', '/api/organisation/invitations', { role })
      await session('POST', '/api/organisations/join', body.data)
      callers.set(role, within(session, own))
    }
    const other = await found('fox', `${MARK} Ltd`)
    theirs = await fill(test, other, now)
    fox = other[1]
  })
  afterAll(() => test.stop())

  it('are attacked by a right body of every call that takes one', () => {
    const takers = endpoints.filter(({ right, method, path, body }) => {
      return right !== undefined && body !== undefined && !ENDS_OWN.has(`${method} ${path}`)
    })
    const wrong = takers.filter(({ method, path, body }) => {
      const bodies = BODIES[`${method} ${path}`]?.(theirs) ?? []
      return bodies.length === 0 || bodies.some((sent) => body?.safeParse(sent).success !== true)
    })

    expect(wrong.map(({ method, path }) => `${method} ${path}`)).toEqual([])
    expect(Object.keys(BODIES).filter((name) => !takers.some(({ method, path }) => `${method} ${path}` === name))).toEqual([])
  })

  it('are neither shown nor changed by any call of any role', { timeout: 120_000 }, async () => {
    const before = await digestOf(test, theirs)
    expect(Object.keys(before).length).toBeGreaterThan(7)
    const shown: string[] = []
    let done = 0
    for (const role of MEMBER_ROLES) {
      const call = callers.get(role)
      for (const { method, path, body } of attacks(theirs, now)) {
        const answer = await call?.(method, path, body)
        const text = JSON.stringify(answer?.body)
        done += 1
        // No relay runs behind the playground here.
        const isFailed = answer === undefined || (answer.status >= 500 && !text.includes('playground.unreachable'))
        if (isFailed || text.includes(MARK)) shown.push(`${role} ${method} ${path}: ${text}`)
      }
    }

    expect(shown).toEqual([])
    expect(await digestOf(test, theirs)).toEqual(before)
    expect(done).toBeGreaterThan(1000)
  })

  it('look like objects that are not there', async () => {
    const different: string[] = []
    for (const [kind, path] of BY_ID) {
      const [existing, missing] = await Promise.all([theirs[kind], 999_999].map((id) => owner('GET', `${path(id)}?created_at=${now}`)))
      if (existing?.body.message !== missing?.body.message || existing?.status !== missing?.status)
        different.push(`${path(0)}: ${JSON.stringify([existing?.body, missing?.body])}`)
    }
    expect(different).toEqual([])
  })

  it('are shown and changed by the same calls of their own organisation', { timeout: 60_000 }, async () => {
    const before = await digestOf(test, theirs)
    const shown = new Set<string>()
    for (const { method, path, body } of attacks(theirs, now)) {
      const answer = await fox(method, path, body)
      if (JSON.stringify(answer.body).includes(MARK)) shown.add(path.replace(/\?.*/, ''))
    }
    const after = await digestOf(test, theirs)

    expect(shown.size).toBeGreaterThan(10)
    expect(Object.keys(before).filter((table) => JSON.stringify(before[table]) !== JSON.stringify(after[table])).length).toBeGreaterThan(3)
  })
})

const BY_ID: readonly [keyof Objects, (id: number) => string][] = [
  ['token', (id) => `/api/token/${id}`],
  ['token', (id) => `/api/token/${id}/open_work`],
  ['budget', (id) => `/api/budgets/${id}/days`],
  ['log', (id) => `/api/log/self/${id}/explanation`],
  ['log', (id) => `/api/log/self/${id}/receipt`],
]

const idOf = ({ data }: { data?: unknown }): number => (data as { id: number }).id // the declared shape

const within =
  (session: Caller, organisation: number): Caller =>
  (method, path, body, headers) =>
    session(method, path, body, { ...headers, 'New-Api-User': String(organisation) })

/** Gives the organisation an object of each kind, each with the mark in its texts. */
async function fill({ database: { db } }: TestApp, [organisation, fox]: readonly [number, Caller], now: number): Promise<Objects> {
  const made = async (path: string, body: object): Promise<number> => {
    const answer = await fox('POST', path, body)
    expect(answer.body).toMatchObject({ success: true })
    return (answer.body.data as { id?: number } | undefined)?.id ?? 0 // most answers name what was made
  }
  const project = await made('/api/organisation/projects', { name: `${MARK} project` })
  await made('/api/token/', { name: `${MARK} token`, unlimited_quota: true, expired_time: -1, project_id: project })
  const { id: token } = await db.selectFrom('tokens').select('id').where('user_id', '=', organisation).executeTakeFirstOrThrow()
  const amount = { amount: 1000, window: 'day', action: 'refuse', alert_percents: [], time_zone: 'UTC', start_day: 1 }
  const budget = await made('/api/budgets/', { ...amount, project_id: project })
  const invitation = await made('/api/organisation/invitations', { email: `${MARK.toLowerCase()}@example.org`, role: 'viewer' })
  const scim_token = await made('/api/organisation/scim/tokens', { name: `${MARK} directory`, days: 30 })
  const alerts = await fox('PUT', '/api/user/wallet/alerts', { token_id: token, period: 'day', threshold: 500 })
  expect(alerts.body).toMatchObject({ success: true })
  const alert = await db.selectFrom('spend_alerts').select('id').where('user_id', '=', organisation).executeTakeFirstOrThrow()
  await db.transaction().execute((tx) => insertLogs(tx, [aLogRow(organisation, token, now)]))
  const log = await db.selectFrom('logs').select('id').where('user_id', '=', organisation).executeTakeFirstOrThrow()
  const member = await db.selectFrom('users').select('id').where('username', '=', 'fox').executeTakeFirstOrThrow()
  return { token, project, budget, member: member.id, invitation, scim_token, alert: alert.id, log: log.id, organisation }
}

const aLogRow = (user_id: number, token_id: number, created_at: number) => ({
  created_at,
  type: LogType.consume,
  user_id,
  username: MARK,
  token_id,
  token_name: `${MARK} token`,
  channel_id: 0,
  model_name: `${MARK}-model`,
  group: 'default',
  quota: 7,
  prompt_tokens: 1,
  completion_tokens: 1,
  use_time: 1,
  is_stream: false,
  content: MARK,
  other: '',
  request_id: `${MARK}-request`,
  state: 'settled',
  usage: null,
  quote: null,
  explanation: null,
})

type Attack = { readonly method: string; readonly path: string; readonly body: unknown }

/** Every call of members, with each of the ids in its path, its query and its body. */
function attacks(theirs: Objects, now: number): Attack[] {
  const ids = [...new Set(Object.values(theirs))]
  const times = `start_timestamp=${now - 3600}&end_timestamp=${now + 3600}&created_at=${now}`
  return endpoints
    .filter(({ right, method, path }) => right !== undefined && !ENDS_OWN.has(`${method} ${path}`))
    .flatMap(({ method, path, body }) => {
      const paths = path.includes('{') ? ids.map((id) => path.replaceAll(/\{\w+\}/g, String(id))) : [path]
      const queries = method === 'GET' ? [times, ...QUERIES(theirs).map((query) => `${times}&${query}`)] : ['']
      const bodies = body === undefined ? [undefined] : (BODIES[`${method} ${path}`]?.(theirs) ?? [])
      return paths.flatMap((one) => queries.flatMap((query) => bodies.map((sent) => ({ method, path: `${one}?${query}`, body: sent }))))
    })
}

/** They would end the attacking organisation itself, or its members. */
const ENDS_OWN = new Set(['DELETE /api/organisation/', 'POST /api/organisation/leave', 'PUT /api/organisation/sign-in'])

const QUERIES = ({ token, project, member, organisation }: Objects): string[] => [
  `token_id=${token}`,
  `project_id=${project}`,
  `member_id=${member}`,
  `user_id=${organisation}`,
  `token_name=${MARK}%20token&names=${MARK}%20token`,
  `request_id=${MARK}-request&keyword=${MARK}`,
]

const BUDGET = { amount: 1, window: 'day', action: 'refuse', alert_percents: [], time_zone: 'UTC', start_day: 1 }
const TOKEN = { name: 'mine now', unlimited_quota: true, expired_time: -1 }

/** Bodies that would be taken if the ids in them were the caller's own, for each call that has one. */
const BODIES: Readonly<Record<string, (theirs: Objects) => object[]>> = {
  'POST /api/budgets/': ({ token, project, member, organisation }) =>
    [{ token_id: token }, { project_id: project }, { member_id: member }, { user_id: organisation }].map((of) => ({ ...BUDGET, ...of })),
  'PUT /api/budgets/{id}': () => [{ amount: 1, action: 'warn', alert_percents: [], seen_at: 0 }],
  'PUT /api/organisation/': () => [{ name: 'Acme again' }],
  'POST /api/organisation/invitations': () => [{ email: 'gil@example.org', role: 'viewer' }, { role: 'viewer' }],
  'POST /api/organisation/projects': () => [{ name: 'Own project' }],
  'PUT /api/organisation/scim/role': () => [{ role: 'viewer' }],
  'POST /api/organisation/scim/tokens': () => [{ name: 'Own directory', days: 1 }],
  'PUT /api/organisation/claims': () => [{ claims: [{ claim: 'groups', value: 'all', role: 'viewer' }] }],
  'POST /api/user/topup': () => [{ key: 'no-such-code' }],
  'POST /api/user/amount': () => [{ amount: 10 }],
  'POST /api/user/pay': () => [{ amount: 10, payment_method: 'alipay' }],
  'POST /pg/chat/completions': () => [{ model: 'm', messages: [{ role: 'user', content: 'hello' }] }],
  'POST /pg/images/generations': () => [{ model: 'm', prompt: 'a cat' }],
  'POST /pg/audio/speech': () => [{ model: 'm', input: 'hello' }],
  'POST /api/organisation/owner': ({ member }) => [{ user_id: member }],
  'PUT /api/organisation/members/{id}': () => [{ role: 'viewer' }],
  'PUT /api/organisation/projects/{id}': () => [{ name: 'Taken' }],
  'POST /api/organisation/projects/{id}/tokens': ({ token }) => [{ ids: [token] }],
  'PUT /api/organisation/scim/group': ({ scim_token }) => [{ id: String(scim_token), role: 'owner' }],
  'POST /api/token/': ({ project }) => [{ ...TOKEN, project_id: project }],
  'PUT /api/token/': ({ token, project }) => [
    { ...TOKEN, id: token },
    { id: token, status: 2 },
    { ...TOKEN, id: token, project_id: project },
  ],
  'PUT /api/user/wallet/alerts': ({ token }) => [{ token_id: token, period: 'day', threshold: 1 }],
  'POST /api/log/self/archives/search': () => [{ request_id: `${MARK}-request` }],
}

/** All rows of the organisation and of its member, table by table. */
async function digestOf({ database: { db } }: TestApp, { organisation, member }: Objects): Promise<Record<string, unknown>> {
  const { rows: columns } = await sql<{ table_name: string; column_name: string }>`
    select c.table_name, c.column_name from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.column_name in ('user_id', 'organisation_id', 'member_id')
    order by 1, 2`.execute(db)
  const digests: Record<string, unknown> = {}
  for (const { table_name, column_name } of columns.filter((column) => !OF_SESSIONS.has(column.table_name))) {
    const { rows } = await sql<{ of: string }>`
      select row_to_json(t)::text as of from ${sql.table(table_name)} t
      where ${sql.ref(`t.${column_name}`)} in (${organisation}, ${member}) order by 1`.execute(db)
    if (rows.length > 0) digests[`${table_name}.${column_name}`] = rows.map(({ of }) => of)
  }
  const own = await db.selectFrom('users').selectAll().where('id', 'in', [organisation, member]).orderBy('id').execute()
  return { ...digests, users: JSON.stringify(own) }
}

const OF_SESSIONS = new Set(['sessions', 'known_devices'])
