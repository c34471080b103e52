import { vi } from 'vitest'

/** Vitest's default of 1 s is too short for a busy machine, and no setting changes it. https://vitest.dev/api/vi.html#vi-waitfor (2026-11-26) */
const TIMEOUT_MS = 10_000

const waitFor = vi.waitFor

vi.waitFor = (check, options = {}) => {
  const given = typeof options === 'number' ? { timeout: options } : options
  return waitFor(check, { timeout: TIMEOUT_MS, ...given })
}
