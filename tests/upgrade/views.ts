import { isDeepStrictEqual } from 'node:util'
import { callConsole, type Session } from './console.ts'

type Answers = ReadonlyMap<string, unknown>
/** Seconds. */
type Range = { readonly from: number; readonly until: number }

/** Answers of the console that later requests do not change: of a range that has ended, and of accounts without requests. */
export async function readViews(url: string, session: Session, { from, until }: Range): Promise<Answers> {
  const range = `start_timestamp=${from}&end_timestamp=${until}`
  // Sums are kept by hour, and long ranges are shown by day.
  const hours = `start_timestamp=${from}&end_timestamp=${until - (until % 3600) - 1}`
  const days = `start_timestamp=${from}&end_timestamp=${until - (until % 86_400) - 1}`
  const lists = [
    `/api/log/?p=1&page_size=20&${range}&type=2`,
    `/api/log/?p=1&page_size=20&${range}&username=user-1`,
    `/api/log/?p=3&page_size=20&${range}`,
    `/api/log/?p=1&page_size=20&${range}&model_name=gpt-4o`,
    `/api/log/?p=1&page_size=20&${range}&type=5`,
    `/api/log/stat?${range}`,
    `/api/data/?${hours}`,
    `/api/data/?${hours}&username=user-1`,
    `/api/data/series?${days}&by=model`,
    `/api/data/series?${days}&by=user`,
    '/api/user/1',
    '/api/channel/1',
    '/api/pricing',
    '/api/option/',
    '/api/group/',
    '/api/user/models',
  ]
  const answers = new Map<string, unknown>()
  for (const path of lists) answers.set(path, await read(url, session, path))
  for (const list of lists.slice(0, 2))
    for (const { id, created_at } of entriesOf(answers.get(list))) {
      const path = `/api/log/${id}/explanation?created_at=${created_at}`
      answers.set(path, await read(url, session, path))
    }
  return answers
}

async function read(url: string, session: Session, path: string): Promise<unknown> {
  return await callConsole(url, `GET ${path}`, { session }).catch((error: unknown) => String(error))
}

const OPENED = 5

function entriesOf(page: unknown): readonly { id: number; created_at: number }[] {
  // The page of the log; an error instead has no entries to open.
  const { items = [] } = page as { items?: readonly { id: number; created_at: number }[] }
  return items.slice(0, OPENED)
}

/** Answers that are errors, as lines. */
export const failedViews = (answers: Answers): string[] =>
  [...answers].flatMap(([path, answer]) => (typeof answer === 'string' ? [`${path}: ${answer}`] : []))

/** Values of the old answers that the new ones do not have, as lines `path: field: old → new`. Added fields are no difference. */
export function compareViews(old: Answers, now: Answers): string[] {
  return [...old].flatMap(([path, value]) => differencesIn(value, now.get(path), '').map((line) => `${path}: ${line}`))
}

/** Lists of options and models by their names: new ones come between them. */
function byName(value: object): Readonly<Record<string, unknown>> {
  if (!Array.isArray(value)) return { ...value }
  // Entries of an answer of the console; those without a name keep their place.
  const items = value as readonly ({ key?: unknown; model_name?: unknown } | null)[]
  const nameOf = (item: (typeof items)[number], at: number): string => {
    const name = typeof item === 'object' ? (item?.key ?? item?.model_name) : undefined
    return typeof name === 'string' ? name : String(at)
  }
  const named = new Map(items.map((item, at) => [nameOf(item, at), item]))
  return named.size === items.length ? Object.fromEntries(named) : { ...items }
}

/** Rates of the last minute, a default that the changelog of 1.0.0-rc.2 changes, and the price that guides/upgrading.md names. */
const CHANGING: ReadonlySet<string> = new Set(['rpm', 'tpm', 'QuotaErrorStatus.value', 'ModelRatio.value.omni-moderation-latest'])

function differencesIn(old: unknown, now: unknown, at: string): string[] {
  if (CHANGING.has(at) || Object.is(old, now)) return []
  const [texts, nextTexts] = [mapOf(old), mapOf(now)]
  if (texts !== undefined && nextTexts !== undefined) return differencesOfMaps(texts, nextTexts, at)
  if (typeof old !== 'object' || old === null) return [`${at}: ${JSON.stringify(old)} → ${JSON.stringify(now) ?? 'absent'}`]
  if (typeof now !== 'object' || now === null) return [`${at}: ${JSON.stringify(old).slice(0, 100)} → ${JSON.stringify(now) ?? 'absent'}`]
  const next = byName(now)
  return Object.entries(byName(old)).flatMap(([field, value]) => differencesIn(value, next[field], at === '' ? field : `${at}.${field}`))
}

type JsonMap = Readonly<Record<string, unknown>>

/** The object that a text of JSON contains, as the options of prices and groups do. */
function mapOf(value: unknown): JsonMap | undefined {
  return typeof value === 'string' && value.startsWith('{') ? (JSON.parse(value) as JsonMap) : undefined // the text begins with a brace
}

/** A price that only one side has is a difference. */
function differencesOfMaps(old: JsonMap, now: JsonMap, at: string): string[] {
  return [...new Set([...Object.keys(old), ...Object.keys(now)])]
    .filter((name) => !CHANGING.has(`${at}.${name}`) && !isDeepStrictEqual(old[name], now[name]))
    .map((name) => `${at}.${name}: ${JSON.stringify(old[name]) ?? 'absent'} → ${JSON.stringify(now[name]) ?? 'absent'}`)
}
