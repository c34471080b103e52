import { asPage, asText, searchReader } from '../../ui/list/search.ts'

/** `order`: the payment that the payer comes back from. */
export const parseWalletSearch = searchReader({ order: asText, page: asPage })
export type WalletSearch = ReturnType<typeof parseWalletSearch>
