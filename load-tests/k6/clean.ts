import { removeAll } from './lib/deployment.ts'

/** `k6 run k6/clean.ts` removes what an interrupted run left. */
export default removeAll
