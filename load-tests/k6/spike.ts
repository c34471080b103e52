import type { Prepared } from './lib/deployment.ts'
import { lookAtConsole, oneTurn } from './lib/calls.ts'
import { optionsOf } from './lib/course.ts'

export { prepare as setup, tidy as teardown } from './lib/deployment.ts'
export const options = optionsOf('spike')

export const users = (prepared: Prepared): void => oneTurn(prepared)
export const person = ({ session }: Prepared): void => lookAtConsole(session)
