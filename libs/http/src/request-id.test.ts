import { describe, expect, it } from 'vitest'
import { createRequestId } from './request-id.ts'

describe('createRequestId', () => {
  it('starts with the UTC time in milliseconds', () => {
    expect(createRequestId(Date.UTC(2026, 10, 21, 23, 59, 59, 7))).toMatch(/^20261121235959007\d{6}[0-9a-zA-Z]{8}$/)
    expect(createRequestId(Date.UTC(2026, 10, 22, 0, 0, 0, 999))).toMatch(/^20261122000000999\d{6}[0-9a-zA-Z]{8}$/)
    expect(createRequestId(Date.UTC(2026, 10, 21, 23, 59, 58, 0))).toMatch(/^20261121235958000\d{6}[0-9a-zA-Z]{8}$/)
  })

  it('is unique and uses the whole alphabet', () => {
    const ids = Array.from({ length: 5000 }, () => createRequestId(0))

    expect(new Set(ids).size).toBe(ids.length)
    expect(new Set(ids.map((id) => id.slice(-8)).join('')).size).toBe(62)
  })
})
