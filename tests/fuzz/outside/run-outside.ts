import { createHash, randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { must, type Api } from '../../support/api.ts'
import type { ConsoleRun } from '../console/run-console.ts'
import { toCurl } from '../models/encode-case.ts'
import { count, seedOf, type Outcomes } from '../models/run-models.ts'
import { sendRaw } from '../raw-call.ts'
import { checkOutside } from './check-answer.ts'
import { encodeOutside, outsideCase } from './cases.ts'

const TIMEOUT_MS = 20_000
const TOKENS = 16
/** Ids of resources that calls name. */
const KEPT_IDS = 20

/** An organisation with tokens of its identity provider, and a status page that is on. */
export async function setUpOutside(root: Api, { target, secrets }: Pick<ConsoleRun, 'target' | 'secrets'>): Promise<readonly string[]> {
  must(await root.put('/api/option/', { key: 'OrganisationFounders', value: 'all' }))
  must(await root.put('/api/option/', { key: 'StatusPageEnabled', value: 'true' }))
  const { id } = must(await root.post<{ id: number }>('/api/organisations/', { name: 'Fuzzed' }))
  must(await root.put(`/api/organisations/${id}/trust`, { domains: ['example.org'] }))
  const tokens = Array.from({ length: TOKENS }, () => randomBytes(24).toString('base64url'))
  for (const [nth, token] of tokens.entries()) {
    secrets.add(`SCIM token ${nth}`, token)
    const token_hash = createHash('sha256').update(`scim|${token}`).digest('hex')
    const row = { organisation_id: id, name: `Directory ${nth}`, token_hash, created_by: root.userId, created_at: 1 }
    await target.db.insertInto('scim_tokens').values(row).execute()
  }
  return tokens
}

/** Sends calls of an identity provider and of readers of the public pages to the control plane, and checks each answer. */
export async function runOutside(
  { target, findings, secrets, seed, from, calls, width }: ConsoleRun,
  tokens: readonly string[],
): Promise<Outcomes> {
  const outcomes: Outcomes = new Map()
  const made: string[] = []
  let next = from
  const runOne = async (): Promise<void> => {
    while (next < from + calls) {
      const number = next
      next += 1
      const [one] = fc.sample(outsideCase, { seed: seedOf(seed, number), numRuns: 1 })
      if (one === undefined) continue
      const request = encodeOutside(one, { tokens, made })
      const answer = await sendRaw(target.controlPlaneUrl, request, TIMEOUT_MS)
      if (answer.status === 201) made.push(idIn(answer.body.toString()))
      if (made.length > KEPT_IDS) made.shift()
      count(outcomes, one.path.startsWith('/scim/') ? `SCIM ${one.method}` : 'pages', String(answer.status))
      const repro = toCurl(target.controlPlaneUrl, request)
      for (const text of checkOutside(one, answer, { secrets, token: tokens[one.token] ?? '' }))
        findings.add(text, { part: 'outside', number, repro })
    }
  }
  await Promise.all(Array.from({ length: width }, runOne))
  return outcomes
}

const idIn = (text: string): string => /"id":"([^"]*)"/.exec(text)?.[1] ?? ''
