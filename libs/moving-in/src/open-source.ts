import type { Quota } from '@tollgate/contracts/units'
import type { Source } from './source.ts'
import { openConfigFile } from './litellm/config-file.ts'
import { isLiteLlm, openLiteLlm } from './litellm/open-litellm.ts'
import { isGateway, openGateway } from './gateway/open-gateway.ts'
import { openStore, pathOf } from './stores/open-store.ts'
import type { Connect } from './stores/store.ts'

/** A table that this gateway has beside those that are named as in new-api. */
const OWN_TABLE = 'wallet_entries'

type Surroundings = {
  /** Values of `os.environ/NAME` in a configuration of LiteLLM; absent: a file from elsewhere, which may name no files here. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Unix seconds. */
  readonly now: number
  /** The balance of an account whose source sets no limit; absent: none. */
  readonly unlimitedAs?: Quota
  /** Absent: the driver connects to any address. */
  readonly connect?: Connect
}

/** The database or file is of no program that is known. */
export class UnknownSchema extends Error {
  override readonly name = 'UnknownSchema'
}

/** Opens a database or a configuration file and finds out which program it is of. The message of an error names no password. */
export async function openSource(address: string, { env, now, unlimitedAs = 0, connect }: Surroundings): Promise<Source> {
  if (/\.ya?ml$/i.test(address)) return await openConfigFile(pathOf(address), env)
  const store = await openStore(address, connect)
  try {
    const tables = await store.tables()
    if (isGateway(tables) && !tables.has(OWN_TABLE)) return await openGateway(store)
    if (isLiteLlm(tables)) return await openLiteLlm(store, { now, unlimitedAs })
    throw new UnknownSchema('the database has the tables of no program that is known: new-api, one-api or LiteLLM')
  } catch (error) {
    await store.close()
    throw error
  }
}
