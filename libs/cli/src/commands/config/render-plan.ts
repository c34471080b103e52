import type { components } from '@tollgate/admin-client/schema.gen'
import { bold, clean, dollarsOf, renderTable } from '../../output/text.ts'

export type Plan = components['schemas']['ConfigPlan']
export type Effect = components['schemas']['ReplayResult']
type Change = components['schemas']['ConfigChange']
type Field = Change['fields'][number]
type Line = components['schemas']['ReplayLine']

const SIGNS = { create: '+', update: '~', remove: '-' } as const

/** The changes of a plan for people. */
export function renderPlan({ changes, left, named }: Plan): string {
  const count = (action: Change['action']): number => changes.filter((change) => change.action === action).length
  const summary =
    changes.length === 0
      ? `No changes: ${named} records are as the files have them.`
      : `Plan: ${count('create')} to create, ${count('update')} to change, ${count('remove')} to remove.`
  const kept = left.map(({ kind, name }) => `${kind} ${name}`).join(', ')
  return [
    ...changes.map(renderChange),
    bold(summary),
    ...(kept === '' ? [] : [clean(`No longer in the files, removed with --prune: ${kept}`)]),
  ].join('\n')
}

function renderChange({ action, kind, name, fields, dollars = [] }: Change): string {
  const shown = fields.filter(
    (field) => action === 'update' || field.is_secret || !isEmpty(action === 'create' ? field.after : field.before),
  )
  return [
    `${SIGNS[action]} ${kind} ${bold(clean(name))}`,
    ...shown.map((field) => `    ${clean(renderField(field, action))}`),
    ...dollars.map((line) => `    ${renderLine(line)}`),
  ].join('\n')
}

/** A line of a price in dollars, beside the ratios that make it. */
function renderLine({ line, before, after }: NonNullable<Change['dollars']>[number]): string {
  const unit = line === 'call' ? 'per call' : 'per million tokens'
  const [old, now] = [before, after].map((value) => (value === undefined ? '(none)' : `$${value}`))
  return `${line}: ${before === undefined ? `${now}` : `${old} → ${now}`} ${unit}`
}

function renderField({ field, before, after, is_secret: isSecret, is_drift: isDrift }: Field, action: Change['action']): string {
  const drift = isDrift ? '  (changed outside the files)' : ''
  if (isSecret) return `${field}: ${action === 'create' ? '(secret)' : 'another secret'}${drift}`
  if (action === 'create') return `${field}: ${textOf(after)}`
  if (action === 'remove') return `${field}: ${textOf(before)}${drift}`
  const lists = listDifference(before, after)
  return `${field}: ${lists ?? `${textOf(before)} → ${textOf(after)}`}${drift}`
}

/** Entries that are added and removed; undefined when one of the values is no list of texts, or only their order differs. */
function listDifference(before: unknown, after: unknown): string | undefined {
  if (!isTexts(before) || !isTexts(after)) return undefined
  const added = after.filter((entry) => !before.includes(entry)).map((entry) => `+${entry}`)
  const removed = before.filter((entry) => !after.includes(entry)).map((entry) => `-${entry}`)
  return added.length + removed.length === 0 ? undefined : [...removed, ...added].join(' ')
}

const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every((entry) => typeof entry === 'string')

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || value === 0 || (typeof value === 'object' && Object.keys(value).length === 0)

const MAX_SHOWN = 160

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '(none)'
  const text = typeof value === 'string' && value !== '' ? value : JSON.stringify(value)
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
}

const MAX_LINES = 10

/** The cost that the requests of the last days would have had with the planned prices, and the customers and models whose cost changes most. */
export function renderEffect({ requests, before, after, unpriced, users, models }: Effect, days: number, perUnit: number): string {
  const money = (quota: number): string => dollarsOf(quota, perUnit)
  const change = (line: Pick<Line, 'before' | 'after'>): string =>
    `${line.after >= line.before ? '+' : ''}${money(line.after - line.before)}${percentOf(line)}`
  const table = (head: string, lines: readonly Line[]): string[] => {
    const changed = lines.filter((line) => line.before !== line.after).slice(0, MAX_LINES)
    const rows = changed.map((line) => [line.name, String(line.requests), money(line.before), money(line.after), change(line)])
    return rows.length === 0 ? [] : ['', renderTable([head, 'REQUESTS', 'BEFORE', 'AFTER', 'CHANGE'], rows)]
  }
  return [
    bold(
      `Effect on the ${requests === 1 ? 'one request' : `${requests} requests`} of the last ${days} days: ${money(before)} → ${money(after)} (${change({ before, after })})`,
    ),
    ...(unpriced.requests === 0 ? [] : [`${unpriced.requests} of them (${money(unpriced.before)}) would be refused: no price.`]),
    ...table('CUSTOMER', users),
    ...table('MODEL', models),
  ].join('\n')
}

const percentOf = ({ before, after }: Pick<Line, 'before' | 'after'>): string =>
  before === 0 ? '' : `, ${after >= before ? '+' : ''}${(((after - before) / before) * 100).toFixed(1)}%`
