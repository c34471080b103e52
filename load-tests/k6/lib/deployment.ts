import { sleep } from 'k6'
import http from 'k6/http'
import { call, numberOf, readClock, signIn, signOut, type Session } from './console.ts'
import { compare, verifyLedger, walletOf } from './exactness.ts'
import { requireAllowedHost, requireAllowedCost, settings } from './settings.ts'
import { listTokens, makeTokens, removeTokens, RESTRICTION_NAMES, type Token, type Restriction } from './tokens.ts'
import { makeVendors, removeVendors, type Models } from './vendors.ts'

/** What setup hands to the users; k6 carries it over as JSON. */
export type Prepared = {
  readonly session: Session
  readonly isRoot: boolean
  readonly mark: string
  /** When the course began, in seconds of the gateway's clock. */
  readonly began: number
  /** The account's quota before the course. */
  readonly quota: number
  readonly models: Models
  readonly tokens: readonly Token[]
  readonly keys: readonly string[]
  readonly restricted: Readonly<Record<Restriction, string>>
}

/** Everything that the suite makes has a name that begins so. */
const PREFIX = 'k6-'
const ROOT = 100
const SEEN_WITHIN_S = 30

/** Before a course: signs in, makes tokens and, with VENDOR_URL, channels. What a failed setup made is removed. */
export function prepare(): Prepared {
  requireAllowedHost()
  requireAllowedCost()
  const session = signIn()
  const mark = `${PREFIX}${Date.now().toString(36)}`
  const isRoot = numberOf(call(session, 'GET', '/api/user/self'), 'role') >= ROOT
  const began = readClock()
  const quota = walletOf(session)
  if (quota <= 0) throw new Error('the account has no quota: top its wallet up first')
  try {
    const models = makeVendors(session, mark)
    const tokens = makeTokens(session, mark)
    const isUnusual = (name: string) => RESTRICTION_NAMES.some((restricted) => name === `${mark}-${restricted}`)
    const keys = tokens.filter(({ name }) => !isUnusual(name)).map(({ key }) => key)
    const keyOf = (restricted: Restriction) => tokens.find(({ name }) => name === `${mark}-${restricted}`)?.key ?? ''
    const restricted = {
      empty: keyOf('empty'),
      'other-model': keyOf('other-model'),
      disabled: keyOf('disabled'),
      dry: keyOf('dry'),
      hurried: keyOf('hurried'),
    }
    untilServed(keys[0] ?? '', models)
    return { session, isRoot, mark, began, quota, models, tokens, keys, restricted }
  } catch (error) {
    remove(session, mark)
    signOut(session)
    throw error
  }
}

/** After a course: compares, and removes what it made whatever the comparison says. */
export function tidy(prepared: Prepared): void {
  try {
    compare(prepared)
    verifyLedger(prepared)
  } finally {
    remove(prepared.session, prepared.mark)
    signOut(prepared.session)
  }
}

/** Removes what any course has left. */
export function removeAll(): void {
  requireAllowedHost()
  const session = signIn()
  const left = listTokens(session, PREFIX).length
  remove(session, PREFIX)
  signOut(session)
  console.log(`${left} tokens of earlier courses removed, and their channels`)
}

function remove(session: Session, mark: string): void {
  removeTokens(session, mark)
  if (settings.vendorUrl !== '') removeVendors(session, mark)
}

/** Relays hear of new channels and tokens within a second or two. */
function untilServed(key: string, { whole, stream }: Models): void {
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
