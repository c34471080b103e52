import type { Texts } from '../resources.ts'
import type { texts as zh } from '../zh/wallet.ts'

export const texts = {
  title: 'Wallet',
  account: 'Account {{name}}',
  balance: 'Balance',
  spent: 'Spent so far',
  requests: 'Requests',
} satisfies Texts<typeof zh>
