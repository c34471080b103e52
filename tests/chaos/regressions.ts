/** Runs that once failed, with what they found. `npm run chaos -- --regressions` plays each of them again. */
export type Regression = { readonly args: string; readonly found: string }

export const regressions: readonly Regression[] = []
