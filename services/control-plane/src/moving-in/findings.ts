import type { ImportKind, Origin } from '@tollgate/contracts/moving-in/records'
import { ImportItem } from '@tollgate/contracts/moving-in/report'
import { z } from 'zod'
import type { CarriedRow } from '@tollgate/db/queries/moving-in/imports'
import type { Collector, Listed } from './collector.ts'

const Findings = z.array(z.object({ list: z.enum(['refused', 'changed', 'decisions']), item: ImportItem }))
const MAX_NAME = 60

/** A carried row keeps what was listed about it: a later run, such as one that goes on, lists it without writing the row. */
export const withFindings = (state: Readonly<Record<string, unknown>>, findings: readonly Listed[]): Readonly<Record<string, unknown>> => {
  // A setting is replaced once.
  const kept = findings.filter(({ item }) => item.code !== 'setting-replaced')
  return kept.length === 0 ? state : { ...state, findings: kept }
}

export const findingsIn = ({ state }: CarriedRow): readonly Listed[] => Findings.safeParse(state['findings']).data ?? []

/** An update does not decide these again. */
const LASTING: ReadonlySet<string> = new Set(['renamed', 'joined'])
export const lastingIn = (row: CarriedRow): readonly Listed[] => findingsIn(row).filter(({ item }) => LASTING.has(item.code))

export function listAgain(found: Collector, findings: readonly Listed[]): void {
  for (const { list, item } of findings) found.list(list, item)
}

type AnyRecord = { readonly origin: Origin; readonly id?: number | undefined }

/** Where findings about a record may say it is: by its table, or by its kind. */
export function placesOf(kind: ImportKind, { origin, id }: AnyRecord): readonly string[] {
  const ofTable = `${origin.table} ${origin.id}`
  const ofKind = `${kind} ${id ?? origin.id}`
  return ofTable === ofKind ? [ofTable] : [ofTable, ofKind]
}

/** Fields that name a record, the first that it has counts. */
const NAMES = ['username', 'name', 'trade_no', 'plan', 'task_id'] as const

export function rowNames(kind: ImportKind, records: readonly AnyRecord[]): ReadonlyMap<string, string> {
  return new Map(records.flatMap((record) => placesOf(kind, record).map((at) => [at, nameOf(record)] as const)))
}

/** Empty: it has none. */
function nameOf(record: object): string {
  const fields: Readonly<Record<string, unknown>> = { ...record }
  const named = NAMES.find((field) => typeof fields[field] === 'string' && fields[field] !== '')
  return named === undefined ? '' : String(fields[named]).slice(0, MAX_NAME)
}
