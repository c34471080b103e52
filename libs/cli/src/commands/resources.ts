import type { Command } from 'commander'
import type { CliEnv } from '@tollgate/config/cli-env'
import { CliError, EXIT } from '../failure.ts'
import { print, withoutSecrets } from '../output/print.ts'
import { dollarsOf, renderPairs, renderTable, timeOf } from '../output/text.ts'
import { readSite, type Session } from '../session/session.ts'
import { contextOf, describe, readCount } from './command.ts'

type Row = Readonly<Record<string, unknown>>
type Page = { readonly page: number; readonly limit: number }
type Column = { readonly head: string; readonly value: (row: Row, quotaPerUnit: number) => string }

type Resource = {
  readonly name: string
  readonly about: string
  /** The name of what `get` takes, and an example of it. */
  readonly key: string
  readonly sample: string
  readonly columns: readonly Column[]
  readonly list: (session: Session, page: Page) => Promise<readonly Row[]>
  readonly get: (session: Session, key: string) => Promise<Row | undefined>
}

/** Lists are shown with commas, other structures as JSON. */
function shown(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(shown).join(',')
  return value === undefined ? '' : JSON.stringify(value)
}

const text = (name: string, head = name): Column => ({ head: head.toUpperCase(), value: (row) => shown(row[name]) })
const time = (name: string, head = name): Column => ({ head: head.toUpperCase(), value: (row) => timeOf(Number(row[name] ?? 0)) })
const money = (name: string, head = name): Column => ({
  head: head.toUpperCase(),
  value: (row, perUnit) => dollarsOf(Number(row[name] ?? 0), perUnit),
})
const STATES: Readonly<Record<number, string>> = { 1: 'enabled', 2: 'disabled', 3: 'auto-disabled', 4: 'exhausted' }
const state: Column = { head: 'STATUS', value: (row) => STATES[Number(row['status'])] ?? String(row['status']) }

const readId = (key: string): number => {
  if (!/^\d{1,15}$/.test(key)) throw new CliError(`not an id: ${key}`, EXIT.usage)
  return Number(key)
}

/** Lists that the server gives whole are cut here. */
const cut = (rows: readonly Row[], { page, limit }: Page): readonly Row[] => rows.slice((page - 1) * limit, page * limit)

const pricesOf = async (session: Session): Promise<readonly Row[]> => {
  const { data, unpriced_models: unpriced } = await session.data(session.client.GET('/api/pricing'))
  return [...data, ...unpriced.map((row) => ({ ...row, is_unpriced: true }))]
}
const findModel = async (session: Session, name: string) => (await pricesOf(session)).find((row) => row['model_name'] === name)

/** Dollars per million tokens, or per call. */
const price = (head: string, factor: (row: Row) => number): Column => ({
  head,
  value: (row, perUnit) => {
    if (row['is_unpriced'] === true) return 'none'
    if (row['quota_type'] === 1) return `$${Number(row['model_price'])} a call`
    return `$${Number(((factor(row) * 1e6) / perUnit).toPrecision(6))}`
  },
})

const RESOURCES: readonly Resource[] = [
  {
    name: 'channels',
    about: 'accounts at vendors, by priority',
    key: 'id',
    sample: '3',
    columns: [text('id'), text('name'), text('type'), state, text('group'), text('priority'), text('weight'), money('used_quota', 'used')],
    list: (session, { page, limit }) =>
      session.data(session.client.GET('/api/channel', { params: { query: { p: page - 1, page_size: limit } } })),
    get: (session, key) => session.data(session.client.GET('/api/channel/{id}', { params: { path: { id: readId(key) } } })),
  },
  {
    name: 'models',
    about: 'models that the account can call',
    key: 'model',
    sample: 'gpt-4o-mini',
    columns: [text('model_name', 'model'), text('vendor'), text('enable_groups', 'groups'), text('supported_endpoint_types', 'formats')],
    list: async (session, page) => cut(await pricesOf(session), page),
    get: findModel,
  },
  {
    name: 'prices',
    about: 'prices of models in dollars per million tokens, without the ratio of a group',
    key: 'model',
    sample: 'gpt-4o-mini',
    columns: [
      text('model_name', 'model'),
      price('INPUT', (row) => Number(row['model_ratio'])),
      price('OUTPUT', (row) => Number(row['model_ratio']) * Number(row['completion_ratio'])),
    ],
    list: async (session, page) => cut(await pricesOf(session), page),
    get: findModel,
  },
  {
    name: 'tokens',
    about: "the account's own API keys, newest first",
    key: 'id',
    sample: '12',
    columns: [
      text('id'),
      text('name'),
      state,
      text('group'),
      money('remain_quota', 'left'),
      money('used_quota', 'used'),
      time('accessed_time', 'last use'),
    ],
    list: (session, { page, limit }) => session.data(session.client.GET('/api/token', { params: { query: { p: page - 1, size: limit } } })),
    get: (session, key) => session.data(session.client.GET('/api/token/{id}', { params: { path: { id: readId(key) } } })),
  },
  {
    name: 'users',
    about: 'accounts, newest first',
    key: 'id',
    sample: '2',
    columns: [text('id'), text('username'), text('role'), state, text('group'), money('quota', 'balance'), money('used_quota', 'used')],
    list: async (session, { page, limit }) =>
      (await session.data(session.client.GET('/api/user', { params: { query: { p: page, page_size: limit } } }))).items,
    get: (session, key) => session.data(session.client.GET('/api/user/{id}', { params: { path: { id: readId(key) } } })),
  },
  {
    name: 'orgs',
    about: 'organisations, newest first',
    key: 'id',
    sample: '7',
    columns: [text('id'), text('name'), text('owners'), text('members'), money('quota', 'balance'), money('used_quota', 'used')],
    list: async (session, { page, limit }) =>
      (await session.data(session.client.GET('/api/organisations/all', { params: { query: { p: page, page_size: limit } } }))).items,
    get: async (session, key) => {
      const query = { p: 1, page_size: 100, keyword: key }
      const { items } = await session.data(session.client.GET('/api/organisations/all', { params: { query } }))
      return items.find(({ id }) => id === readId(key))
    },
  },
  {
    name: 'options',
    about: 'settings of the installation, without secrets',
    key: 'name',
    sample: 'ServerAddress',
    columns: [text('key', 'name'), text('value')],
    list: async (session, page) => cut(await optionsOf(session), page),
    get: async (session, key) => (await optionsOf(session)).find((row) => row['key'] === key),
  },
]

function optionsOf(session: Session): Promise<readonly Row[]> {
  return session.data(session.client.GET('/api/option'))
}

export function addResources(program: Command, env: CliEnv): void {
  for (const resource of RESOURCES) {
    const { name, about, key, sample } = resource
    const group = program.command(name).description(`Shows ${about}`)
    describe(group, { usage: 'list', about: `Lists ${about}`, example: `tollgate ${name} list --output json` })
      .option('--page <n>', 'the page, from 1', readCount, 1)
      .option('--limit <n>', 'rows of a page', readCount, 100)
      .action(async (_, command: Command) => await showList(resource, command, env))
    describe(group, { usage: `get <${key}>`, about: `Shows one of the ${name} whole`, example: `tollgate ${name} get ${sample}` }).action(
      async (value: string, _, command: Command) => await showOne(resource, value, command, env),
    )
  }
}

async function showList({ columns, list }: Resource, command: Command, env: CliEnv): Promise<void> {
  const { session, options } = contextOf<Page>(command, env)
  const { quota_per_unit: perUnit } = await readSite(session)
  const rows = await list(session, options)
  print(options.output, rows, () =>
    renderTable(
      columns.map(({ head }) => head),
      rows.map((row) => columns.map(({ value }) => value(row, perUnit))),
    ),
  )
}

async function showOne({ name, get }: Resource, key: string, command: Command, env: CliEnv): Promise<void> {
  const { session, options } = contextOf(command, env)
  await readSite(session)
  const row = await get(session, key)
  if (row === undefined) throw new CliError(`there is no ${key} among the ${name}`, EXIT.refused)
  print(
    options.output,
    row,
    () => renderPairs(Object.entries(withoutSecrets(row) as Row).map(([field, value]) => [field, valueOf(field, value)])), // an object stays one
  )
}

const valueOf = (field: string, value: unknown): string =>
  typeof value === 'number' && /(_time|_at)$/.test(field) ? timeOf(value) : shown(value)
