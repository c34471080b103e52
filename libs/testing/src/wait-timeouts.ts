import { vi } from 'vitest'

/** Vitest's default of 1 s is too short for a busy machine, and no setting changes it. https://vitest.dev/api/vi.html#vi-waitfor (2026-11-26) */
const TIMEOUT_MS = 10_000

const { waitFor, waitUntil } = vi

type Options = { readonly timeout?: number; readonly interval?: number }

const patient = (options: number | Options = {}): Options => ({
  timeout: TIMEOUT_MS,
  ...(typeof options === 'number' ? { timeout: options } : options),
})
vi.waitFor = (check, options) => waitFor(check, patient(options))
vi.waitUntil = (check, options) => waitUntil(check, patient(options))
