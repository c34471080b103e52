import type { PaymentOrder } from '@tollgate/contracts/resources/payments'

const TONES = { pending: 'blue', paid: 'green', refunded: 'grey', failed: 'red', expired: 'grey' } as const

/** How an order is shown: a contested one, and a paid one of which a part was refunded, have their own words. */
export function orderState({ status, refunded, dispute }: Pick<PaymentOrder, 'status' | 'refunded' | 'dispute'>) {
  if (dispute === 'open') return { tone: 'red', text: 'disputed' } as const
  if (dispute === 'lost') return { tone: 'red', text: 'dispute-lost' } as const
  if (status === 'paid' && Number(refunded) > 0) return { tone: 'orange', text: 'part-refunded' } as const
  return { tone: TONES[status], text: status } as const
}
