import fc from 'fast-check'
import type { Findings } from '../findings.ts'
import { toCurl } from '../models/encode-case.ts'
import { count, seedOf, type Outcomes } from '../models/run-models.ts'
import { sendRaw } from '../raw-call.ts'
import type { Secrets } from '../secrets.ts'
import type { Target } from '../target.ts'
import { createActors, type Actors } from './actors.ts'
import { consoleCase, type ConsoleCase } from './cases.ts'
import { checkConsoleAnswer } from './check-answer.ts'
import { encodeConsoleCase, endpointOf } from './encode-case.ts'

export type ConsoleRun = {
  readonly target: Target
  readonly findings: Findings
  readonly secrets: Secrets
  readonly seed: number
  readonly from: number
  readonly calls: number
  readonly width: number
}

const TIMEOUT_MS = 20_000
const RENEW_EVERY = 100
const MAX_SHRUNK = 12
const SHRINK_MS = 5000

/** Sends the cases `from` to `from + calls` of the seed to the endpoints of the table and checks each answer. */
export async function runConsole(run: ConsoleRun): Promise<Outcomes> {
  const { target, findings, secrets, seed, from, calls, width } = run
  const actors = await createActors(target, secrets)
  const outcomes: Outcomes = new Map()
  let next = from
  let renewing = Promise.resolve()
  const runOne = async (): Promise<void> => {
    while (next < from + calls) {
      const number = next
      next += 1
      if (number % RENEW_EVERY === 0) renewing = renewing.then(() => actors.renew())
      await renewing
      const [one] = fc.sample(consoleCase, { seed: seedOf(seed, number), numRuns: 1 })
      if (one === undefined) continue
      const { problems, outcome, repro } = await tryCase(one, { target, secrets, actors })
      count(outcomes, `${endpointOf(one).access} as ${one.actor}`, outcome)
      for (const text of problems) findings.add(text, { part: 'console', number, repro })
    }
  }
  await Promise.all(Array.from({ length: width }, runOne))
  await shrink(run, actors)
  return outcomes
}

type Trying = { readonly target: Target; readonly secrets: Secrets; readonly actors: Actors }
type Tried = { readonly problems: readonly string[]; readonly outcome: string; readonly repro: string }

async function tryCase(one: ConsoleCase, { target, secrets, actors }: Trying): Promise<Tried> {
  const actor = actors.get(one.actor)
  const request = encodeConsoleCase(one, actor)
  if (request === undefined) return { problems: [], outcome: 'skipped', repro: '' }
  const answer = await sendRaw(target.controlPlaneUrl, request, TIMEOUT_MS)
  const problems = checkConsoleAnswer({ one, actor, answer, secrets })
  const outcome = answer.status === 200 ? (answer.body.includes('"success":true') ? 'done' : 'refused') : String(answer.status)
  return { problems, outcome, repro: problems.length === 0 ? '' : `as ${one.actor}: ${toCurl(target.controlPlaneUrl, request)}` }
}

/** Repeats the first case of each finding with fewer and smaller changes; one that depends on earlier calls stays as it is. */
async function shrink({ target, secrets, findings, seed }: ConsoleRun, actors: Actors): Promise<void> {
  for (const finding of findings
    .list()
    .filter(({ part }) => part === 'console')
    .slice(0, MAX_SHRUNK)) {
    const { number } = finding
    if (number === undefined) continue
    let smallest = finding.repro
    const property = fc.asyncProperty(consoleCase, async (one) => {
      await actors.renew()
      const { problems, repro } = await tryCase(one, { target, secrets, actors })
      if (problems.length > 0) smallest = repro
      return problems.length === 0
    })
    await fc.check(property, { seed: seedOf(seed, number), numRuns: 1, interruptAfterTimeLimit: SHRINK_MS })
    Object.assign(finding, { repro: smallest })
  }
}
