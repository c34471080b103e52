import { describe, expect, it } from 'vitest'
import { jobs, type JobName } from './jobs.ts'
import { DEFAULT_POSTING_GROUPS, postUsage } from './post-usage.ts'
import { testChannel } from './test-channel.ts'

// The record's keys are the names of its jobs.
const names = Object.keys(jobs) as JobName[]

describe('jobs', () => {
  it.each(names)('%s has its own name, attempts, a timeout and a summary', (name) => {
    const { name: own, attempts, timeoutMs, summary } = jobs[name]

    expect(own).toBe(name)
    expect(attempts).toBeGreaterThan(0)
    expect(timeoutMs).toBeGreaterThan(0)
    expect(summary).toMatch(/^[A-Z].*\.$/)
  })

  it('never sends mails in a queue in which calls to other hosts wait', () => {
    const queueOf = (name: JobName) => jobs[name].queue

    expect(names.filter((name) => queueOf(name) === queueOf('send-mails')).toSorted()).toEqual(['send-mails', 'send-test-mail'])
    expect(queueOf('send-webhooks')).toBe('webhooks')
  })

  it('is scheduled only with payloads that its schema accepts', () => {
    for (const { payload, schedule } of Object.values(jobs).flatMap((job) =>
      'schedule' in job && job.schedule ? [{ payload: job.payload, schedule: job.schedule }] : [],
    )) {
      for (const scheduled of schedule.payloads) expect(payload.safeParse(scheduled).success).toBe(true)
    }
    expect(postUsage.schedule?.payloads).toHaveLength(DEFAULT_POSTING_GROUPS)
  })

  it('has valid times of day in daily schedules', () => {
    const times = Object.values(jobs).flatMap((job) => ('schedule' in job && 'dailyAt' in job.schedule ? [job.schedule.dailyAt] : []))

    expect(times.length).toBeGreaterThan(0)
    for (const time of times) expect(time).toMatch(/^([01]\d|2[0-3]):[0-5]\d$/)
  })

  it('test-channel is deduplicated by channel and model', () => {
    const idOf = (payload: { channel_id: number; model?: string }) => testChannel.dedupe?.(payload)

    expect(idOf({ channel_id: 1 })).toBe(idOf({ channel_id: 1 }))
    expect(
      new Set([idOf({ channel_id: 1 }), idOf({ channel_id: 2 }), idOf({ channel_id: 1, model: 'a' }), idOf({ channel_id: 1, model: 'b' })])
        .size,
    ).toBe(4)
  })
})
