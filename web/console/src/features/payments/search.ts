import { asPage, asText, searchReader } from '../../ui/list/search.ts'

export const parsePaymentSearch = searchReader({ keyword: asText, status: asText, order: asText, page: asPage })
export type PaymentSearch = ReturnType<typeof parsePaymentSearch>
