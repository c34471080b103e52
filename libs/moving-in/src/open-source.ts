import type { Source } from './source.ts'
import { isGateway, openGateway } from './gateway/open-gateway.ts'
import { openStore } from './stores/open-store.ts'

/** Opens a database and finds out which program it is of. The message of an error names no password. */
export async function openSource(address: string): Promise<Source> {
  const store = await openStore(address)
  try {
    if (isGateway(await store.tables())) return await openGateway(store)
    throw new Error('the database has the tables of no program that is known: new-api, one-api or LiteLLM')
  } catch (error) {
    await store.close()
    throw error
  }
}
