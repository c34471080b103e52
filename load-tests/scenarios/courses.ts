/**
 * Courses of the k6 suite as data: stages of [seconds, virtual users], and what may be waited for and fail. Imports nothing: k6 reads
 * this file itself.
 */
export const COURSES = {
  smoke: { stages: [[15, 2]], p95_ms: 1500, failed: 0.01 },
  load: {
    stages: [
      [30, 50],
      [120, 50],
      [15, 0],
    ],
    p95_ms: 1000,
    failed: 0.01,
  },
  stress: {
    stages: [
      [30, 50],
      [30, 100],
      [30, 200],
      [30, 400],
      [15, 0],
    ],
    p95_ms: 5000,
    failed: 0.05,
  },
  spike: {
    stages: [
      [10, 10],
      [5, 300],
      [30, 300],
      [5, 10],
      [20, 10],
    ],
    p95_ms: 5000,
    failed: 0.05,
  },
  soak: {
    stages: [
      [60, 30],
      [3480, 30],
      [60, 0],
    ],
    p95_ms: 1000,
    failed: 0.01,
  },
} as const satisfies Record<string, { stages: readonly (readonly [number, number])[]; p95_ms: number; failed: number }>
