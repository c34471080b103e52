import type { Options } from 'k6/options'
import { PROFILES, withDuration, type LoadProfile, type ProfileName } from '../../scenarios/profiles.ts'
import { settings } from './settings.ts'

/** Longer than k6's request timeout, so that no request is interrupted. */
const UNTIL_ANSWERED = '70s'
const SECONDS_PER_MINUTE = 60

/** k6's options for a load profile: virtual users in stages and one console user. */
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
      // The console API allows 180 calls in 180 seconds per address by default; setup and teardown need some of them.
      consoleUser: {
        executor: 'constant-arrival-rate',
        exec: 'consoleUser',
        rate: 1,
        timeUnit: '3s',
        duration: `${seconds}s`,
        preAllocatedVUs: 2,
      },
    },
    thresholds: thresholdsOf(profile),
    setupTimeout: '5m',
    teardownTimeout: '10m',
    summaryTrendStats: ['count', 'med', 'p(95)', 'p(99)', 'max'],
  }
}

/** Separate thresholds per kind, so that fast refusals cannot hide slow streams. */
function thresholdsOf({ p95Ms, failed }: LoadProfile): Record<string, string[]> {
  const kinds = Object.entries(p95Ms).filter(([kind]) => kind !== 'sign-in' || settings.accessToken === '')
  const perKind = kinds.flatMap(([kind, limit]) => [
    [`http_req_waiting{kind:${kind}}`, [`p(95)<${limit * settings.slower}`]],
    [`http_req_failed{kind:${kind}}`, [`rate<=${failed}`]],
    // k6 treats a threshold without samples as passed.
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
