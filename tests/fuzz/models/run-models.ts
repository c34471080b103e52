import fc from 'fast-check'
import type { Findings } from '../findings.ts'
import { sendRaw } from '../raw-call.ts'
import type { Secrets } from '../secrets.ts'
import { TARGET_ENV, type Target } from '../target.ts'
import { createAccounts, type Accounts } from './accounts.ts'
import { modelCase, type ModelCase } from './cases.ts'
import { checkAnswer } from './check-answer.ts'
import { baseOf, encodeCase, modelOf, toCurl } from './encode-case.ts'
import { createMadeIds, type MadeIds } from './made-ids.ts'
import type { FuzzVendor } from './fuzz-vendor.ts'

export type Run = {
  readonly target: Target
  readonly vendor: FuzzVendor
  readonly findings: Findings
  readonly secrets: Secrets
  readonly seed: number
  readonly from: number
  readonly calls: number
  readonly width: number
}

/** Calls by route and status. */
export type Outcomes = Map<string, Map<string, number>>

/** Limit of the relay, and the smaller one of the control plane, which a changed path may reach. */
const MAX_BODY = Number(TARGET_ENV.RELAY_MAX_BODY) / 8
const TIMEOUT_MS = 40_000
const MAX_SHRUNK = 12
const SHRINK_MS = 6000

export const seedOf = (seed: number, number: number): number => (Math.imul(seed, 1_000_003) + number) | 0

/** Sends the cases `from` to `from + calls` of the seed to the relay's model routes and checks each answer. */
export async function runModels(run: Run): Promise<Outcomes> {
  const { target, findings, secrets, seed, from, calls, width } = run
  const [accounts, made] = [await createAccounts(target, () => undefined), createMadeIds()]
  const outcomes: Outcomes = new Map()
  const failed = new Map<number, string>()
  let next = from
  const runOne = async (): Promise<void> => {
    while (next < from + calls) {
      const number = next
      next += 1
      const [one] = fc.sample(modelCase, { seed: seedOf(seed, number), numRuns: 1 })
      if (one === undefined) continue
      const { problems, status, repro } = await tryCase(one, `${seed}-${number}`, { target, vendor: run.vendor, secrets, accounts, made })
      count(outcomes, baseOf(one).route, status)
      for (const text of problems) {
        if (!failed.has(number)) failed.set(number, text)
        findings.add(text, { part: 'models', number, repro })
      }
    }
  }
  await Promise.all(Array.from({ length: width }, runOne))
  await shrink(run, { accounts, made })
  return outcomes
}

export function count(outcomes: Outcomes, group: string, status: string): void {
  const counts = outcomes.get(group) ?? new Map<string, number>()
  outcomes.set(group, counts)
  counts.set(status, (counts.get(status) ?? 0) + 1)
}

type Trying = {
  readonly target: Target
  readonly vendor: FuzzVendor
  readonly secrets: Secrets
  readonly accounts: Accounts
  readonly made: MadeIds
}
type Tried = { readonly problems: readonly string[]; readonly status: string; readonly repro: string }

async function tryCase(one: ModelCase, id: string, { target, vendor, secrets, accounts, made }: Trying): Promise<Tried> {
  const account = await accounts.pick(one.account)
  const idOf = (kind: string): string => made.pick(account.key, kind, one.model)
  const request = encodeCase(one, id, { key: account.key, idOf })
  const record = vendor.expect(id, one.vendor)
  const answer = await sendRaw(target.relayUrl, request, TIMEOUT_MS)
  vendor.forget(id)
  const { makes } = baseOf(one)
  if (makes !== undefined && answer.status === 200) made.note(account.key, makes, answer.body.toString())
  const problems = checkAnswer({ one, answer, vendor: record, secrets, isTooLarge: request.body.length > MAX_BODY })
  if (answer.body.includes(account.key)) problems.push("the answer contains the caller's key")
  const status = answer.status === 0 ? 'none' : String(answer.status)
  return {
    problems,
    status,
    repro:
      problems.length === 0 ? '' : `${toCurl(target.relayUrl, request)}\n    model ${modelOf(one)}, vendor ${JSON.stringify(one.vendor)}`,
  }
}

/** Repeats the first case of each finding with fewer and smaller changes and keeps the smallest that still fails. */
async function shrink(run: Run, kept: Pick<Trying, 'accounts' | 'made'>): Promise<void> {
  const { target, vendor, secrets, findings, seed } = run
  let nth = 0
  for (const finding of findings
    .list()
    .filter(({ part }) => part === 'models')
    .slice(0, MAX_SHRUNK)) {
    const { number } = finding
    if (number === undefined) continue
    let smallest = finding.repro
    const property = fc.asyncProperty(modelCase, async (one) => {
      nth += 1
      const { problems, repro } = await tryCase(one, `${seed}-${number}-shrunk-${nth}`, { target, vendor, secrets, ...kept })
      if (problems.length > 0) smallest = repro
      return problems.length === 0
    })
    await fc.check(property, { seed: seedOf(seed, number), numRuns: 1, interruptAfterTimeLimit: SHRINK_MS })
    Object.assign(finding, { repro: smallest })
  }
}
