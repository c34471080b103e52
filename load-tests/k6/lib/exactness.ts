import { check, sleep } from 'k6'
import { call, isObject, numberOf, type Session } from './console.ts'
import type { Prepared } from './deployment.ts'
import { charged, exact, rowsWithoutRequest, answersWithoutRow } from './metrics.ts'
import { listTokens, type Token } from './tokens.ts'

const CONSUMED = 2
const POSTED_WITHIN_S = 120
const CALM_S = 5

/**
 * Compares the gateway's accounts after posting: each token's used quota with the sum of its log rows, its remaining quota with what was
 * granted, the wallet with all tokens, and the number of rows with the responses.
 */
export function compare(prepared: Prepared): void {
  const { session, tokens, quota } = prepared
  const total = waitUntilPosted(prepared)
  charged.add(total.quota)
  answersWithoutRow.add(-total.rows)
  rowsWithoutRequest.add(total.rows)
  for (const before of tokens) {
    const after = total.tokens.find(({ id }) => id === before.id)
    assertExact('each token: used = sum of its log rows', after !== undefined && after.used === total.sums.get(before.name))
    if (!before.isUnlimited) {
      assertExact('each limited token: given − used = what remains', after !== undefined && before.remain - after.used === after.remain)
      assertExact('each limited token: nothing overspent', after !== undefined && after.remain >= 0)
    }
  }
  assertExact('the wallet: before − after = sum of its tokens', quota - walletOf(session) === total.quota)
}

/** Runs the ledger verifier; only root may. */
export function verifyLedger({ session, isRoot }: Prepared): void {
  if (!isRoot) return
  const last = call(session, 'GET', '/api/ledger/report')
  const before = isObject(last) ? numberOf(last, 'id') : 0
  call(session, 'POST', '/api/ledger/verify')
  for (let waited = 0; waited < POSTED_WITHIN_S; waited += 3) {
    sleep(3)
    const report = call(session, 'GET', '/api/ledger/report')
    if (isObject(report) && numberOf(report, 'id') > before) {
      if (report['is_sound'] !== true) console.error(`ledger: ${JSON.stringify(report)}`)
      return assertExact('the ledger verifier: no difference', report['is_sound'] === true)
    }
  }
  assertExact('the ledger verifier: no difference', false)
}

export function walletOf(session: Session): number {
  return numberOf(call(session, 'GET', '/api/user/self'), 'quota')
}

type Total = {
  readonly tokens: readonly Token[]
  readonly sums: ReadonlyMap<string, number>
  readonly rows: number
  readonly quota: number
}

/** Waits until posting has caught up: no token's used quota changes for CALM_S. */
function waitUntilPosted({ session, mark, began }: Prepared): Total {
  const used = (tokens: readonly Token[]) => tokens.reduce((sum, token) => sum + token.used, 0)
  let tokens = listTokens(session, mark)
  for (let waited = 0; waited < POSTED_WITHIN_S; waited += CALM_S) {
    sleep(CALM_S)
    const now = listTokens(session, mark)
    const isCalm = used(now) === used(tokens)
    tokens = now
    if (isCalm) break
  }
  const sums = new Map<string, number>()
  for (const { name } of tokens) sums.set(name, numberOf(call(session, 'GET', `/api/log/self/stat?token_name=${name}`), 'quota'))
  const rows = numberOf(call(session, 'GET', `/api/log/self?p=1&page_size=1&type=${CONSUMED}&start_timestamp=${began}`), 'total')
  return { tokens, sums, rows, quota: used(tokens) }
}

function assertExact(what: string, holds: boolean): void {
  exact.add(holds)
  check(holds, { [what]: (is) => is }, { kind: 'exact' })
}
