import { describe, expect, it } from 'vitest'
import { nextPollAt, pollTimes } from './next-poll.ts'

const START = 1_800_000_000_000
const task = { submit_time: START, deadline: START + 3_600_000, poll_failures: 0 }

describe('the next question about a task', () => {
  it.each([
    ['a young task', task, START + 10_000, false, 5000],
    ['an older task', task, START + 130_000, false, 15_000],
    ['a task of more than an hour', { ...task, deadline: START + 48 * 3_600_000 }, START + 3_700_000, false, 120_000],
    ['the first failure', task, START + 10_000, true, 5000],
    ['the third failure', { ...task, poll_failures: 2 }, START + 10_000, true, 20_000],
    ['many failures', { ...task, poll_failures: 40 }, START + 10_000, true, 120_000],
    ['a task near its deadline', task, START + 3_599_000, false, 1000],
    ['a task after its deadline', task, START + 3_600_000, false, 120_000],
  ])('%s', (_what, asked, now, hasFailed, wait) => {
    expect(nextPollAt(asked, { times: pollTimes(5000), now, hasFailed }) - now).toBe(wait)
  })
})
