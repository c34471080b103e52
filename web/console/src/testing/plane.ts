import { cleanup } from '@testing-library/react'
import { status } from '@tollgate/contracts/resources/status'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { aStatus } from './factories.ts'
import { forgetEverything } from './render.tsx'
import { fakeControlPlane } from './server.ts'

/** A fake control plane for the length of a test file; it knows a site that is set up, and forgets everything between tests. */
export function planeForTests(): ReturnType<typeof fakeControlPlane> {
  const plane = fakeControlPlane()
  beforeAll(() => plane.server.listen())
  beforeEach(() => {
    plane.answer(status.get, aStatus())
    plane.answer(status.notice, '')
  })
  afterEach(() => {
    cleanup()
    plane.server.resetHandlers()
    plane.asked.length = 0
    forgetEverything()
  })
  afterAll(() => plane.server.close())
  return plane
}
