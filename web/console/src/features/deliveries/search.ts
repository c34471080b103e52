import { asPage, asText, searchReader } from '../../ui/list/search.ts'

export const parseDeliverySearch = searchReader({ state: asText, page: asPage })
export type DeliverySearch = ReturnType<typeof parseDeliverySearch>
