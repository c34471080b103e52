import { asPage, asText, searchReader } from '../../ui/list/search.ts'

/** `view`: `endpoints` for the webhook endpoints in place of the list. */
export const parseDeliverySearch = searchReader({ state: asText, view: asText, page: asPage })
export type DeliverySearch = ReturnType<typeof parseDeliverySearch>
