import { receipts } from '@tollgate/contracts/resources/receipts'
import { handle, type Binding } from '@tollgate/http/handle'
import { takeFileShare, textResponse } from '../../csv.ts'
import { nowSeconds, type Deps } from '../../deps.ts'
import { listKeyStates, listPublicKeys, rotateKey } from './keys.ts'
import { getReceipt, receiptLines } from './receipt.ts'

/** Verifiers may keep the keys for as long: a new key signs at once, so a longer time would make fresh receipts look unknown. */
const KEYS_FRESH_S = 300

export const receiptRoutes = (deps: Deps): Binding[] => [
  handle(receipts.get, ({ params, query }) => getReceipt(deps, { id: params.id, created_at: query.created_at }, undefined)),
  handle(receipts.getOwn, ({ params, query, actor }) => getReceipt(deps, { id: params.id, created_at: query.created_at }, actor.id)),
  handle(receipts.exportOwn, (call) => {
    const { start_timestamp: from, end_timestamp } = call.query
    const parts = receiptLines(deps, { user_id: call.actor.id, from, until: end_timestamp || nowSeconds(deps) })
    return textResponse({ name: 'receipts.jws', type: 'application/jose', opening: '', parts, share: takeFileShare(deps, call) })
  }),
  handle(receipts.keys, async ({ c }) => {
    c.header('Cache-Control', `public, max-age=${KEYS_FRESH_S}`)
    return { keys: await listPublicKeys(deps) }
  }),
  handle(receipts.listKeys, () => listKeyStates(deps)),
  handle(receipts.rotate, ({ actor, ip }) => rotateKey(deps, { actor, ip })),
]
