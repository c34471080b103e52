import { sleep } from 'k6'
import http from 'k6/http'
import { call, numberOf, readClock, signIn, signOut, type Session } from './console.ts'
import { compare, verifyLedger, walletOf } from './exactness.ts'
import { requireAllowedHost, requireAllowedCost, settings } from './settings.ts'
import { listTokens, makeTokens, removeTokens, RESTRICTION_NAMES, type Token, type Restriction } from './tokens.ts'
import { makeVendors, removeVendors, type Models } from './vendors.ts'

/** Returned by setup and passed to the users as JSON. */
export type Prepared = {
  readonly session: Session
  readonly isRoot: boolean
  readonly mark: string
  /** Start of the run, in seconds of the gateway's clock. */
  readonly began: number
  /** The account's quota before the run. */
  readonly quota: number
  readonly models: Models
  readonly tokens: readonly Token[]
  readonly keys: readonly string[]
  readonly restricted: Readonly<Record<Restriction, string>>
}

/** Prefix of every name that the suite creates. */
const PREFIX = 'k6-'
const ROOT = 100
const SEEN_WITHIN_S = 30

/** Signs in, creates tokens and, with VENDOR_URL, channels. A failed setup removes what it created. */
export function prepare(): Prepared {
  requireAllowedHost()
  requireAllowedCost()
  const session = signIn()
  const mark = `${PREFIX}${Date.now().toString(36)}`
  const isRoot = numberOf(call(session, 'GET', '/api/user/self'), 'role') >= ROOT
  const began = readClock()
  const quota = walletOf(session)
  if (quota <= 0) throw new Error('the account has no quota: top up its wallet first')
  try {
    const models = makeVendors(session, mark)
    const tokens = makeTokens(session, mark)
    const isRestricted = (name: string) => RESTRICTION_NAMES.some((restricted) => name === `${mark}-${restricted}`)
    const keys = tokens.filter(({ name }) => !isRestricted(name)).map(({ key }) => key)
    const keyOf = (restricted: Restriction) => tokens.find(({ name }) => name === `${mark}-${restricted}`)?.key ?? ''
    const restricted = {
      empty: keyOf('empty'),
      'other-model': keyOf('other-model'),
      disabled: keyOf('disabled'),
      dry: keyOf('dry'),
      hurried: keyOf('hurried'),
    }
    waitUntilServed(keys[0] ?? '', models)
    return { session, isRoot, mark, began, quota, models, tokens, keys, restricted }
  } catch (error) {
    remove(session, mark)
    signOut(session)
    throw error
  }
}

/** Compares the accounts and always removes what `prepare` created. */
export function tidy(prepared: Prepared): void {
  try {
    compare(prepared)
    verifyLedger(prepared)
  } finally {
    remove(prepared.session, prepared.mark)
    signOut(prepared.session)
  }
}

/** Removes what earlier runs left. */
export function removeAll(): void {
  requireAllowedHost()
  const session = signIn()
  const left = listTokens(session, PREFIX).length
  remove(session, PREFIX)
  signOut(session)
  console.log(`${left} tokens of earlier runs removed, and their channels`)
}

function remove(session: Session, mark: string): void {
  removeTokens(session, mark)
  if (settings.vendorUrl !== '') removeVendors(session, mark)
}

/** Waits until a relay serves the new channels and tokens. */
function waitUntilServed(key: string, { whole, stream }: Models): void {
  for (let waited = 0; waited < SEEN_WITHIN_S; waited += 1) {
    sleep(1)
    const answer = http.get(`${settings.url}/v1/models`, {
      headers: { Authorization: `Bearer ${key}` },
      tags: { kind: 'operator', name: '/v1/models' },
      responseCallback: http.expectedStatuses({ min: 200, max: 599 }),
    })
    const isServed = (model: string) => String(answer.body).includes(`"${model}"`)
    if (answer.status === 200 && [...whole, ...stream].every(isServed)) return sleep(2)
  }
  throw new Error(`no relay offers ${[...whole, ...stream].join(', ')} to the account`)
}
