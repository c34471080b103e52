import { asCount, asText, searchReader } from '../../../ui/list/search.ts'

/** Reads the address of the set-up page: the client, the system, and the token and model to fill in. */
export const parseClientSetupSearch = searchReader({ client: asText, system: asText, token: asCount, model: asText })
export type ClientSetupSearch = ReturnType<typeof parseClientSetupSearch>
