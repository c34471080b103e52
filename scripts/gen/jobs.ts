import { z } from 'zod'
import type { Schedule } from '../../libs/jobs/src/job.ts'
import { jobs } from '../../libs/jobs/src/jobs.ts'
import { code, page, table } from './markdown.ts'

export function renderJobs(): string {
  const rows = Object.values(jobs).map((job) => [
    code(job.name),
    job.queue,
    String(job.attempts),
    `${job.timeoutMs / 1000} s`,
    'schedule' in job ? whenOf(job.schedule) : 'on demand',
    code(namesOf(job.payload)),
    code(namesOf(job.result)),
    job.summary,
  ])
  return page({
    title: 'Jobs',
    about: 'Declared in `libs/jobs/src`; handlers of the same name live in the worker.',
    parts: [table(['Job', 'Queue', 'Attempts', 'Deadline', 'Runs', 'Payload', 'Result', 'What it does'], rows)],
  })
}

function whenOf(schedule: Schedule<unknown>): string {
  if ('everyMs' in schedule) return `every ${schedule.everyMs / 1000} s`
  return 'dailyAt' in schedule ? `daily at ${schedule.dailyAt}` : `every ${schedule.whenDueMs / 1000} s, when due`
}

function namesOf(schema: z.ZodType): string {
  return schema instanceof z.ZodObject ? Object.keys(schema.shape).join(', ') : schema.type
}
