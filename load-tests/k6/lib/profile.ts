import type { Options } from 'k6/options'
import { PROFILES, withDuration, type LoadProfile, type ProfileName } from '../../scenarios/profiles.ts'
import { settings } from './settings.ts'

/** Longer than k6 waits for an answer, so that nobody is interrupted in one. */
const UNTIL_ANSWERED = '70s'
const SECONDS_PER_MINUTE = 60

/** k6's options of a course: users in stages beside one person at the console. */
export function optionsOf(name: ProfileName): Options {
  const profile: LoadProfile = name === 'soak' ? withDuration(PROFILES.soak, settings.minutes * SECONDS_PER_MINUTE) : PROFILES[name]
  const seconds = profile.stages.reduce((sum, [length]) => sum + length, 0)
  return {
    scenarios: {
      users: {
        executor: 'ramping-vus',
        exec: 'users',
        startVUs: name === 'smoke' ? 2 : 1,
        stages: profile.stages.map(([length, target]) => ({ duration: `${length}s`, target })),
        gracefulRampDown: UNTIL_ANSWERED,
        gracefulStop: UNTIL_ANSWERED,
      },
      // The console's API allows 180 calls in 180 seconds per address unless it is set otherwise; setup and teardown need some.
      person: { executor: 'constant-arrival-rate', exec: 'person', rate: 1, timeUnit: '3s', duration: `${seconds}s`, preAllocatedVUs: 2 },
    },
    thresholds: thresholdsOf(profile),
    setupTimeout: '5m',
    teardownTimeout: '10m',
    summaryTrendStats: ['count', 'med', 'p(95)', 'p(99)', 'max'],
  }
}

/** Each kind has its own: a quick refusal must not hide a slow stream. */
function thresholdsOf({ p95Ms, failed }: LoadProfile): Record<string, string[]> {
  const kinds = Object.entries(p95Ms).filter(([kind]) => kind !== 'sign-in' || settings.accessToken === '')
  const perKind = kinds.flatMap(([kind, limit]) => [
    [`http_req_waiting{kind:${kind}}`, [`p(95)<${limit * settings.slower}`]],
    [`http_req_failed{kind:${kind}}`, [`rate<=${failed}`]],
    // k6 takes a threshold without a sample for kept.
    [`http_reqs{kind:${kind}}`, ['count>0']],
    ...(kind === 'sign-in' ? [] : [[`checks{kind:${kind}}`, [`rate>=${1 - failed}`]]]),
  ])
  return {
    ...Object.fromEntries(perKind),
    ledger_exact: ['rate==1'],
    charged_quota: ['count>0'],
    answers_without_log: ['count<=0'],
    logs_without_request: ['count<=0'],
  }
}
