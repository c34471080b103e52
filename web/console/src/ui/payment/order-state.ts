import type { PaymentOrder } from '@tollgate/contracts/resources/payments'

const TONES = { pending: 'blue', paid: 'green', refunded: 'grey', failed: 'red', expired: 'grey' } as const

/** How an order is shown: a paid one of which a part was refunded has its own word. */
export function orderState({ status, refunded }: Pick<PaymentOrder, 'status' | 'refunded'>) {
  if (status === 'paid' && Number(refunded) > 0) return { tone: 'orange', text: 'part-refunded' } as const
  return { tone: TONES[status], text: status } as const
}
