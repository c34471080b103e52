import { COURSES } from '../../scenarios/courses.ts'

/** k6's options of a course: users in stages beside one person at the console. */
export function optionsOf(name) {
  const { stages, p95_ms, failed } = COURSES[name]
  const seconds = stages.reduce((sum, [length]) => sum + length, 0)
  return {
    scenarios: {
      users: {
        executor: 'ramping-vus',
        exec: 'users',
        startVUs: name === 'smoke' ? 2 : 1,
        stages: stages.map(([length, target]) => ({ duration: `${length}s`, target })),
        gracefulRampDown: '10s',
      },
      // One look in two seconds: the console's API allows 180 calls in 180 seconds per address unless it is set otherwise.
      console: { executor: 'constant-arrival-rate', exec: 'person', rate: 1, timeUnit: '2s', duration: `${seconds}s`, preAllocatedVUs: 2 },
    },
    thresholds: {
      checks: [`rate>${1 - failed}`],
      wrong_answers: [`rate<${failed}`],
      'http_req_failed{call:whole}': [`rate<${failed}`],
      'http_req_failed{call:stream}': [`rate<${failed}`],
      whole_duration: [`p(95)<${p95_ms}`],
      stream_first_byte: [`p(95)<${p95_ms}`],
      refusal_duration: [`p(95)<${p95_ms}`],
      console_duration: [`p(95)<${Math.max(p95_ms, 1000)}`],
    },
    summaryTrendStats: ['med', 'p(95)', 'p(99)', 'max'],
  }
}
