import { sql } from 'kysely'
import type { Db } from '@tollgate/db/connect'

export type Sums = Readonly<Record<keyof typeof QUERIES, number>>

const QUERIES = {
  'log rows of requests': `select count(*) as n from logs where type in (2, 5) and state <> 'late'`,
  'logs: quota': 'select coalesce(sum(quota), 0) as n from logs where type = 2',
  'users: credited': 'select sum(credited) as n from users',
  'users: spent': 'select sum(spent) as n from users',
  'users: requests': 'select sum(request_count) as n from users',
  'wallet entries: amount': 'select sum(amount) as n from wallet_entries',
  'tokens: granted': 'select sum(granted) as n from tokens',
  'tokens: used': 'select sum(used_quota) as n from tokens',
  'usage hours: quota': 'select sum(quota) as n from usage_hours',
  'usage hours: requests': 'select sum(requests) as n from usage_hours',
  'channels: used': 'select sum(used_quota) as n from channel_usage',
} as const

export async function readSums(db: Db): Promise<Sums> {
  const entries: [string, number][] = []
  for (const [name, query] of Object.entries(QUERIES)) {
    const { rows } = await sql.raw<{ n: string | number }>(query).execute(db)
    entries.push([name, Number(rows[0]?.n)])
  }
  return Object.fromEntries(entries) as Sums // one entry per query
}

/** Sums that grow by the charge of each request, and those that grow by one. */
const CHARGED: readonly string[] = ['logs: quota', 'users: spent', 'tokens: used', 'usage hours: quota', 'channels: used']
const COUNTED: readonly string[] = ['log rows of requests', 'users: requests', 'usage hours: requests']

/** The sums that are not those before plus the load's requests and charges, each as a line. */
export function compareSums(before: Sums, after: Sums, load: { readonly requests: number; readonly charge: number }): string[] {
  return Object.entries(after).flatMap(([name, value]) => {
    const grown = CHARGED.includes(name) ? load.charge : COUNTED.includes(name) ? load.requests : 0
    const expected = (before as Readonly<Record<string, number>>)[name] ?? 0
    return value === expected + grown ? [] : [`${name}: ${value} instead of ${expected} + ${grown}`]
  })
}

/** The different charges that root's requests to each model had: one per model, unless an upgrade changed a price. */
export async function readCharges(db: Db, models: readonly string[]): Promise<ReadonlyMap<string, readonly number[]>> {
  const rows = await db
    .selectFrom('logs')
    .select(['model_name', 'quota'])
    .distinct()
    .where('type', '=', 2)
    .where('username', '=', 'root')
    .where('model_name', 'in', models)
    .execute()
  const charges = new Map<string, number[]>()
  for (const { model_name, quota } of rows) charges.set(model_name, [...(charges.get(model_name) ?? []), Number(quota)])
  return charges
}
