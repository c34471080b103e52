import type { Deps } from './deps.ts'

/** Where browsers and other programs reach this installation: option ServerAddress, else `PUBLIC_URL`. */
export const publicAddress = async ({ options, env }: Pick<Deps, 'options' | 'env'>): Promise<string> =>
  (await options.get('ServerAddress')) || env.PUBLIC_URL

/** An address below it. `path` begins with a slash. */
export const publicUrl = async (deps: Pick<Deps, 'options' | 'env'>, path: string): Promise<string> =>
  `${(await publicAddress(deps)).replace(/\/+$/, '')}${path}`
