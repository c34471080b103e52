import { removeAll } from './lib/deployment.ts'

/** `k6 run k6/clean.ts`: removes what a course left that was killed before it could. */
export default removeAll
