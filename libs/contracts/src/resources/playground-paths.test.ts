import { expect, it } from 'vitest'
import { PLAYGROUND_PATHS } from './playground-paths.ts'
import { playground } from './playground.ts'

it('begins every path of the playground', () => {
  expect(Object.values(playground).filter(({ path }) => !path.startsWith(PLAYGROUND_PATHS))).toEqual([])
})
