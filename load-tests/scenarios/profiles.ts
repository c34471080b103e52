/**
 * Load profiles of the k6 suite: stages of [seconds, virtual users] and limits of time and failures. Imports nothing, because k6 loads this
 * file itself.
 */

/** Kinds of calls; each has its own limit. */
export type Kind = 'whole' | 'stream' | 'refused' | 'models' | 'console' | 'sign-in'

export type LoadProfile = {
  readonly title: string
  /** Duration in seconds and the number of virtual users at its end. */
  readonly stages: readonly (readonly [number, number])[]
  /** Limit of the p95 to the first byte (`waiting`), by kind. */
  readonly p95Ms: Readonly<Record<Kind, number>>
  /** Share of unexpected responses allowed, for each kind. */
  readonly failed: number
}

const CALM = { whole: 1000, stream: 1000, refused: 300, models: 300, console: 500, 'sign-in': 1500 }
const CROWDED = { whole: 5000, stream: 5000, refused: 2500, models: 2500, console: 3000, 'sign-in': 1500 }

export const PROFILES = {
  smoke: { title: 'two users, 15 s', stages: [[15, 2]], p95Ms: { ...CALM, whole: 1500, stream: 1500 }, failed: 0.01 },
  load: {
    title: 'up to 50 users, two minutes at 50',
    stages: [
      [30, 50],
      [120, 50],
      [15, 0],
    ],
    p95Ms: CALM,
    failed: 0.01,
  },
  stress: {
    title: '50, 100, 200, 400 users',
    stages: [
      [30, 50],
      [30, 100],
      [30, 200],
      [30, 400],
      [15, 0],
    ],
    p95Ms: CROWDED,
    failed: 0.05,
  },
  spike: {
    title: '10 users, suddenly 300, back to 10',
    stages: [
      [10, 10],
      [5, 300],
      [30, 300],
      [5, 10],
      [20, 10],
    ],
    p95Ms: CROWDED,
    failed: 0.05,
  },
  soak: {
    title: '30 users for an hour (MINUTES)',
    stages: [
      [60, 30],
      [3480, 30],
      [60, 0],
    ],
    p95Ms: CALM,
    failed: 0.01,
  },
} as const satisfies Record<string, LoadProfile>

export type ProfileName = keyof typeof PROFILES

/** The profile with another total duration; only its longest stage changes. */
export function withDuration(profile: LoadProfile, seconds: number): LoadProfile {
  const whole = profile.stages.reduce((sum, [length]) => sum + length, 0)
  const longest = Math.max(...profile.stages.map(([length]) => length))
  const rest = whole - longest
  if (seconds <= rest) throw new Error(`this profile takes more than ${rest} s`)
  return { ...profile, stages: profile.stages.map(([length, users]) => [length === longest ? seconds - rest : length, users] as const) }
}
