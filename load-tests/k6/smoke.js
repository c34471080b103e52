import { lookAtConsole, oneTurn } from './lib/calls.js'
import { optionsOf } from './lib/course.js'
import { prepare, tidy } from './lib/deployment.js'

export const options = optionsOf('smoke')
export const setup = prepare
export const teardown = tidy

export const users = (prepared) => oneTurn(prepared)
export const person = ({ session }) => lookAtConsole(session)
