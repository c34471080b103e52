import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startStack, type Stack } from '../support/stack.ts'
import { fuzz, type FuzzReport } from './fuzz.ts'
import { TARGET_ENV, targetOfStack } from './target.ts'

/** Twenty seconds on an idle machine. */
const START_MS = 300_000

/** The short form of `npm run fuzz`: the first cases of seed 1. */
describe('odd calls', () => {
  let stack: Stack
  let report: FuzzReport

  beforeAll(async () => {
    stack = await startStack({ relayEnv: TARGET_ENV, controlPlaneEnv: TARGET_ENV })
    report = await fuzz(targetOfStack(stack), {
      seed: 1,
      from: 0,
      calls: 600,
      width: 12,
      parts: { models: true, realtime: true, outside: true, console: true },
    })
  }, START_MS)
  afterAll(() => stack.stop())

  const served = (part: string, outcome: string): number =>
    report.parts
      .filter(({ name }) => name === part)
      .flatMap(({ outcomes }) => [...outcomes.values()].map((counts) => counts.get(outcome) ?? 0))
      .reduce((sum, one) => sum + one, 0)

  it.each([
    ['model routes', 'models'],
    ['realtime sessions', 'realtime'],
    ['identity providers and readers of public pages', 'outside'],
    ['the endpoint table', 'console'],
  ])('of %s get a right answer', (_what, part) => {
    expect(report.findings.filter((finding) => finding.part === part)).toEqual([])
  })

  it('leave no hold open, no wrong charge, no secret in a log and no error', () => {
    expect(report.findings.filter((finding) => finding.part === 'audit')).toEqual([])
  })

  it('reach the code behind the checks of input', () => {
    expect(served('models', '200')).toBeGreaterThan(100)
    expect(served('outside', '200')).toBeGreaterThan(20)
    expect(served('outside', '201')).toBeGreaterThan(1)
    expect(served('console', 'done')).toBeGreaterThan(60)
  })
})
