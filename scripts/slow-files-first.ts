import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The longest files of their groups, longest first: one that starts last runs on while the other workers have nothing left. */
const SLOW = [
  'tests/browser/screens.test.ts',
  'tests/browser/playground.test.ts',
  'keep-store.test.ts',
  'launcher.test.ts',
  'processes.test.ts',
]

const placeOf = ({ moduleId }: TestSpecification): number => {
  const place = SLOW.findIndex((path) => moduleId.endsWith(path))
  return place === -1 ? SLOW.length : place
}

/** The usual order, which has no times on a machine that never ran the tests, but for the slow files. */
export class SlowFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((left, right) => placeOf(left) - placeOf(right))
  }
}
