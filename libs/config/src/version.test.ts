import { expect, it } from 'vitest'
import { VERSION } from './version.ts'

it('is the version of the root package.json', () => {
  expect(VERSION).toMatch(/^\d+\.\d+\.\d+/)
})
