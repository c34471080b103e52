import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { IMPORT_KINDS } from '../moving-in/records.ts'
import { ImportItem, ImportReport } from '../moving-in/report.ts'
import { UnixSeconds } from '../units.ts'

/** Bytes of the largest file that the console takes; the command reads a larger one where it is. */
export const MAX_IMPORT_FILE = 1024 * 1024 * 1024
/** Rows of each reason that the page shows; the files have more. */
export const SHOWN_ITEMS = 20
/** How long an address or an uploaded file is kept for a further run. */
export const IMPORT_SOURCE_HOURS = 24

const Id = z.uuid().max(36)

/** Names of settings. */
const Kept = z.array(z.string().min(1).max(100)).max(500)

const ImportWishes = z.object({
  /** Tells several sources apart; empty: the name of the program. */
  name: z.string().trim().max(64).default(''),
  /** Empty: all kinds. */
  only: z.array(z.enum(IMPORT_KINDS)).max(IMPORT_KINDS.length).default([]),
  /** Days of the log; 0: none. */
  log_days: z.int().min(0).max(36_500).default(0),
  /** The rule for names that an installation in use has already. */
  merge: z.enum(['none', 'rename', 'join']).default('none'),
  /** US dollars of an account that has no limit in the source. */
  unlimited_as: z.number().min(0).max(1_000_000).default(0),
  /** Settings of the source that are left out; those here stay. */
  keep: Kept.default([]),
})
export type ImportWishes = z.infer<typeof ImportWishes>

/** `interrupted`: its process ended. It goes on with a further run. */
export const IMPORT_STATES = ['running', 'finished', 'failed', 'cancelled', 'interrupted'] as const

const KindProgress = z.object({ kind: z.enum(IMPORT_KINDS), read: z.int(), total: z.int() })

export const ImportRun = z.object({
  id: Id,
  state: z.enum(IMPORT_STATES),
  is_dry_run: z.boolean(),
  wishes: ImportWishes,
  /** Where the source is, without account and password. */
  source: z.string(),
  /** True if the address or file is still kept, for a further run. */
  has_source: z.boolean(),
  /** Kinds in the order in which they were begun. */
  progress: z.array(KindProgress),
  started_by: z.string(),
  started_at: UnixSeconds,
  /** 0: it has not ended. */
  finished_at: UnixSeconds,
  /** Why it failed; empty: it did not. */
  failure: z.string(),
})
export type ImportRun = z.infer<typeof ImportRun>

/** Some rows of each reason, and how many there are. */
const ImportReason = z.object({ code: z.string(), count: z.int(), items: z.array(ImportItem) })
export type ImportReason = z.infer<typeof ImportReason>

export const ShownReport = ImportReport.omit({ refused: true, changed: true, decisions: true, more: true, samples: true }).extend({
  refused: z.array(ImportReason),
  changed: z.array(ImportReason),
  decisions: z.array(ImportReason),
  /** Requests of the old log, and how many of them cost the same here. */
  samples: z.object({ compared: z.int(), equal: z.int(), different: ImportReport.shape.samples }),
})
export type ShownReport = z.infer<typeof ShownReport>

const Carried = z.object({ name: z.string(), family: z.string(), updated_at: UnixSeconds })

export const imports = {
  get: endpoint({
    method: 'GET',
    path: '/api/import/',
    access: 'root',
    summary: 'The latest import from another gateway with its report, and what was imported (ours)',
    data: z.object({
      run: ImportRun.nullable(),
      report: ShownReport.nullable(),
      carried: z.array(Carried),
      /** The installation has accounts or channels that no import made. */
      is_in_use: z.boolean(),
    }),
  }),
  upload: endpoint({
    method: 'POST',
    path: '/api/import/file',
    access: 'root',
    summary: 'Takes a database or configuration file for an import, as application/octet-stream (ours)',
    needsProof: true,
    query: z.object({ name: z.string().min(1).max(255) }),
    data: z.object({ source: Id, name: z.string(), bytes: z.int() }),
  }),
  start: endpoint({
    method: 'POST',
    path: '/api/import/',
    access: 'root',
    summary: 'Starts a dry run of an import from an address or an uploaded file (ours)',
    needsProof: true,
    body: ImportWishes.extend({
      /** `postgres://…`, `mysql://…` or `mariadb://…`; empty: `source` names an uploaded file. */
      address: z.string().trim().max(4096).default(''),
      source: z.union([z.literal(''), Id]).default(''),
    }),
    data: ImportRun,
  }),
  runAgain: endpoint({
    method: 'POST',
    path: '/api/import/{id}/run',
    access: 'root',
    summary: 'Starts a run with the source and choices of an earlier one: carries what a dry run showed, goes on, or looks again (ours)',
    needsProof: true,
    params: z.object({ id: Id }),
    body: z.object({
      is_dry_run: z.boolean().default(false),
      /** Settings that are left out; absent: those of the earlier run. */
      keep: Kept.optional(),
    }),
    data: ImportRun,
  }),
  cancel: endpoint({
    method: 'POST',
    path: '/api/import/{id}/cancel',
    access: 'root',
    summary: 'Stops an import between two batches (ours)',
    params: z.object({ id: Id }),
  }),
  forget: endpoint({
    method: 'DELETE',
    path: '/api/import/{id}',
    access: 'root',
    summary: 'Forgets an import that has ended, with its address or file; what was carried stays (ours)',
    params: z.object({ id: Id }),
  }),
  report: endpoint({
    method: 'GET',
    path: '/api/import/{id}/report',
    access: 'root',
    summary: 'The whole report of an import as JSON or as a page (ours)',
    params: z.object({ id: Id }),
    query: z.object({ format: z.enum(['json', 'html']).default('json'), language: z.enum(['zh', 'en']).default('en') }),
    answer: z.string(),
    load: 'heavy',
  }),
}
