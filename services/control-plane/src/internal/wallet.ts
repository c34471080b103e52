export { creditWallet, type Credit } from '@tollgate/db/queries/wallet'
