import type { Prepared } from './lib/deployment.ts'
import { readConsolePage, runIteration } from './lib/calls.ts'
import { optionsOf } from './lib/profile.ts'

export { prepare as setup, tidy as teardown } from './lib/deployment.ts'
export const options = optionsOf('stress')

export const users = (prepared: Prepared): void => runIteration(prepared)
export const consoleUser = ({ session }: Prepared): void => readConsolePage(session)
