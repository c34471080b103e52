import type { Source } from './source.ts'
import { openConfigFile } from './litellm/config-file.ts'
import { isLiteLlm, openLiteLlm } from './litellm/open-litellm.ts'
import { isGateway, openGateway } from './gateway/open-gateway.ts'
import { openStore, pathOf } from './stores/open-store.ts'

type Surroundings = {
  /** Values of `os.environ/NAME` in a configuration of LiteLLM. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Unix seconds. */
  readonly now: number
}

/** Opens a database or a configuration file and finds out which program it is of. The message of an error names no password. */
export async function openSource(address: string, { env = {}, now }: Surroundings): Promise<Source> {
  if (/\.ya?ml$/i.test(address)) return await openConfigFile(pathOf(address), env)
  const store = await openStore(address)
  try {
    const tables = await store.tables()
    if (isGateway(tables)) return await openGateway(store)
    if (isLiteLlm(tables)) return await openLiteLlm(store, now)
    throw new Error('the database has the tables of no program that is known: new-api, one-api or LiteLLM')
  } catch (error) {
    await store.close()
    throw error
  }
}
