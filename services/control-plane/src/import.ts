import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { ControlPlaneEnv, parseEnv } from '@tollgate/config/env'
import { inheritedEnv } from '@tollgate/config/inherited-env'
import { createSealer, unsealOption } from '@tollgate/config/sealing'
import { VERSION } from '@tollgate/config/version'
import { AppError, textOf } from '@tollgate/contracts/app-error'
import { IMPORT_KINDS, type ImportKind } from '@tollgate/contracts/moving-in/records'
import type { ImportReport } from '@tollgate/contracts/moving-in/report'
import { DEFAULT_QUOTA_PER_UNIT, type Quota } from '@tollgate/contracts/units'
import { openLogStore } from '@tollgate/log-store/open'
import { connectDb } from '@tollgate/db/connect'
import { createOptionReader } from '@tollgate/db/option-reader'
import { findImport } from '@tollgate/db/queries/moving-in/imports'
import { STATEMENT_LIMITS } from '@tollgate/db/statement-limits'
import { openSource } from '@tollgate/moving-in/open-source'
import { toLine } from '@tollgate/telemetry/error-line'
import type { MergeRule } from './moving-in/carry.ts'
import { daysOf } from './moving-in/days-of.ts'
import { reportPage } from './moving-in/report-page.ts'
import { summaryOf } from './moving-in/summary.ts'
import { runImport } from './moving-in/run-import.ts'

/**
 * `npm run import -- --from ADDRESS`: carries the database of another gateway. Exit code 0: everything is carried, 2: the report lists what
 * is not, 1: the run failed, and can be repeated. docs/guides/moving-in.md
 */
const FAILED = 1
const INCOMPLETE = 2
const RULES = ['none', 'rename', 'join'] as const satisfies readonly MergeRule[]

try {
  process.exitCode = await main()
} catch (error) {
  const option = error instanceof AppError && error.code === 'import.in-use' ? ': --merge join, --merge rename' : ''
  process.stderr.write(`import: ${error instanceof AppError ? textOf(error.code, 'en', error.params) : toLine(error)}${option}\n`)
  process.exitCode = FAILED
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      from: { type: 'string' },
      'dry-run': { type: 'boolean', default: false },
      only: { type: 'string' },
      logs: { type: 'string' },
      merge: { type: 'string', default: 'none' },
      keep: { type: 'string' },
      as: { type: 'string' },
      'unlimited-as': { type: 'string', default: '0' },
      'since-last': { type: 'boolean', default: false },
      switch: { type: 'boolean', default: false },
      report: { type: 'string' },
      html: { type: 'string' },
      language: { type: 'string', default: 'en' },
    },
  })
  const { from } = values
  if (from === undefined) throw new Error('name the source: npm run import -- --from postgres://… | mysql://… | FILE')
  const merge = RULES.find((rule) => rule === values.merge)
  if (merge === undefined) throw new Error(`--merge takes ${RULES.join(', ')}`)
  const only = values.only === undefined ? undefined : kindsOf(values.only)
  const logDays = values.logs === undefined ? undefined : daysOf(values.logs)
  const unlimitedAs = quotaOf(values['unlimited-as'])
  const env = parseEnv(ControlPlaneEnv)
  const db = connectDb({ url: env.DATABASE_URL, max: 3, name: 'tollgate-import', limits: STATEMENT_LIMITS.batch })
  const logStore = await openLogStore({ url: env.LOG_STORE_URL, db, now: Date.now })
  const sealers = { channels: createSealer(env.KEY_CHANNELS), options: createSealer(env.KEY_OPTIONS) }
  const deps = { db, env, sealers, options: createOptionReader(db, unsealOption(sealers.options)), now: Date.now, version: VERSION }
  const stopping = stopBySignal()
  try {
    const source = await openSource(from, { env: inheritedEnv({}), now: Math.floor(Date.now() / 1000), unlimitedAs })
    try {
      const name = values.as ?? (source.store === 'yaml' ? `${source.family}-config` : source.family)
      if (values['since-last'] && (await findImport(db, name)) === undefined) throw new AppError('import.never', { name })
      const options = {
        name,
        isDryRun: values['dry-run'],
        merge,
        keep: namesOf(values.keep),
        only,
        logDays,
        signal: stopping,
        onProgress: showProgress(),
      }
      let report = await runImport(deps, source, options)
      // With the source read-only, a second look must find nothing new.
      if (values.switch && !values['dry-run']) report = await compareAgain(report, () => runImport(deps, source, options))
      process.stdout.write(summaryOf(report))
      await writeReports(report, values)
      return report.is_complete ? 0 : INCOMPLETE
    } finally {
      await source.close()
    }
  } finally {
    await logStore?.close()
    await db.destroy()
  }
}

type ReportFiles = { readonly report?: string | undefined; readonly html?: string | undefined; readonly language: string }

async function writeReports(report: ImportReport, { report: json, html, language }: ReportFiles): Promise<void> {
  if (json !== undefined) await writeFile(json, `${JSON.stringify(report, null, 2)}\n`, { mode: 0o600 })
  if (html !== undefined) await writeFile(html, reportPage(report, language === 'zh' ? 'zh' : 'en'), { mode: 0o600 })
}

async function compareAgain(first: ImportReport, again: () => Promise<ImportReport>): Promise<ImportReport> {
  const second = await again()
  const changed = Object.entries(second.counts).filter(([, { created, updated }]) => created + updated > 0)
  for (const [kind, { created, updated }] of changed)
    process.stdout.write(`the source still changes: ${kind}, ${created + updated} rows since the look before\n`)
  return { ...first, sums: second.sums, is_complete: first.is_complete && second.is_complete && changed.length === 0 }
}

function namesOf(text: string | undefined): string[] | undefined {
  return text?.split(',').map((name) => name.trim())
}

function kindsOf(text: string): ImportKind[] {
  return text.split(',').map((part) => {
    const kind = IMPORT_KINDS.find((known) => known === part.trim())
    if (kind === undefined) throw new Error(`--only knows ${IMPORT_KINDS.join(', ')}, and not ${part}`)
    return kind
  })
}

/** The balance of an account that has no limit in the source, in US dollars. */
function quotaOf(text: string): Quota {
  const dollars = Number(text)
  if (text.trim() === '' || !(dollars >= 0 && dollars <= 1_000_000))
    throw new Error(`--unlimited-as takes US dollars from 0 to 1000000, and not ${text}`)
  return Math.round(dollars * DEFAULT_QUOTA_PER_UNIT)
}

/** One line per kind, and one every ten seconds of a long one. */
function showProgress(): (progress: { kind: string; read: number; total: number }) => void {
  let shown = { kind: '', at: 0 }
  return ({ kind, read, total }) => {
    if (total === 0 || (kind === shown.kind && read < total && Date.now() - shown.at < 10_000)) return
    shown = { kind, at: Date.now() }
    process.stdout.write(`  ${kind}: ${read} of ${total}\n`)
  }
}

function stopBySignal(): AbortSignal {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  return stop.signal
}
