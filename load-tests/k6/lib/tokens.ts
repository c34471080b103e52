import { call, numberOf, rowsOf, type Session } from './console.ts'
import { settings } from './settings.ts'

/** Quota of a limited token, of one that is used up in the run, and of one that cannot pay for a single call. */
const AMPLE = 50_000_000
const FEW_ANSWERS = 20_000
const NOTHING = 1
const NEVER_REACHED = { rpm: 1_000_000, concurrency: 10_000 }
const AT_ONCE_REACHED = { rpm: 10 }
const DISABLED = 2
const PAGE = 100

type TokenSpec = { readonly quota?: number; readonly models?: string; readonly limits?: object; readonly isDisabled?: boolean }

/** Usual tokens: most are unlimited, some have a quota or rate limits. */
const USUAL_TOKENS: readonly TokenSpec[] = [{}, { quota: AMPLE }, {}, { limits: NEVER_REACHED }]

/** Tokens that are refused, and the statuses allowed for them. */
export const RESTRICTED = {
  empty: { spec: { quota: NOTHING }, statuses: [403] },
  'other-model': { spec: { models: 'a-model-that-does-not-exist' }, statuses: [403] },
  disabled: { spec: { isDisabled: true }, statuses: [401] },
  dry: { spec: { quota: FEW_ANSWERS }, statuses: [200, 403] },
  hurried: { spec: { limits: AT_ONCE_REACHED }, statuses: [200, 429] },
} as const satisfies Record<string, { spec: TokenSpec; statuses: readonly number[] }>
export type Restriction = keyof typeof RESTRICTED
export const RESTRICTION_NAMES = Object.keys(RESTRICTED).filter((name): name is Restriction => name in RESTRICTED)

export type Token = {
  readonly id: number
  readonly name: string
  readonly key: string
  readonly isUnlimited: boolean
  readonly remain: number
  readonly used: number
}

/** Creates the run's tokens; their names begin with `mark`. */
export function makeTokens(session: Session, mark: string): readonly Token[] {
  for (let at = 0; at < settings.tokens; at += 1) makeToken(session, `${mark}-${at}`, USUAL_TOKENS[at % USUAL_TOKENS.length] ?? {})
  for (const name of RESTRICTION_NAMES) makeToken(session, `${mark}-${name}`, RESTRICTED[name].spec)
  const made = listTokens(session, mark)
  const disabled = made.find(({ name }) => name === `${mark}-disabled`)
  call(session, 'PUT', '/api/token/?status_only=1', { id: disabled?.id, status: DISABLED })
  return made
}

export function removeTokens(session: Session, mark: string): void {
  for (const { id } of listTokens(session, mark)) call(session, 'DELETE', `/api/token/${id}`)
}

export function listTokens(session: Session, mark: string): readonly Token[] {
  const found: Token[] = []
  for (let page = 0; ; page += 1) {
    const rows = rowsOf(call(session, 'GET', `/api/token/?p=${page}&size=${PAGE}`))
    for (const row of rows) {
      const name = String(row['name'])
      if (!name.startsWith(mark)) continue
      found.push({
        id: numberOf(row, 'id'),
        name,
        key: `sk-${String(row['key'])}`,
        isUnlimited: row['unlimited_quota'] === true,
        remain: numberOf(row, 'remain_quota'),
        used: numberOf(row, 'used_quota'),
      })
    }
    if (rows.length < PAGE) return found
  }
}

function makeToken(session: Session, name: string, { quota, models, limits }: TokenSpec): void {
  call(session, 'POST', '/api/token/', {
    name,
    unlimited_quota: quota === undefined,
    remain_quota: quota ?? 0,
    model_limits_enabled: models !== undefined,
    model_limits: models ?? '',
    ...(limits === undefined ? {} : { limits }),
  })
}
