import { setFlagsFromString } from 'node:v8'

/**
 * Objects of one request die with it, but V8 puts some kinds of them into its old generation at once when it has seen them outlive a
 * pause, and there each keeps whatever of its request it points to until the next full collection (ADR 21). Set before anything runs.
 */
setFlagsFromString('--no-allocation-site-pretenuring')
