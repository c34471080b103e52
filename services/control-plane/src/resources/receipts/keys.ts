import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { sealedBy } from '@tollgate/config/sealing'
import type { ReceiptJwk, ReceiptKeyState } from '@tollgate/contracts/resources/receipts'
import type { Db, Tx } from '@tollgate/db/connect'
import {
  addSigningKey,
  findSigningKey,
  listReceiptKeys,
  retireSigningKey,
  type ReceiptKeyRow,
} from '@tollgate/db/queries/installation/receipt-keys'
import { calculateJwkThumbprint } from 'jose'
import { recordAudit, type By } from '../../audit.ts'
import { nowSeconds, type Deps } from '../../deps.ts'

export type SigningKey = { readonly kid: string; readonly key: KeyObject }
type KeyDeps = Pick<Deps, 'db' | 'sealers' | 'now'>

/** The key that signs; the first receipt of an installation makes it. */
export async function getSigningKey(deps: KeyDeps): Promise<SigningKey> {
  let row = await findSigningKey(deps.db)
  if (row === undefined) {
    await makeKey(deps, deps.db)
    // Another process may have been first.
    row = await findSigningKey(deps.db)
  }
  if (row === undefined) throw new Error('no key signs receipts')
  const pem = deps.sealers.options.unseal(row.key_sealed, sealedBy.receiptKey(row.kid))
  return { kid: row.kid, key: createPrivateKey(pem) }
}

async function makeKey({ sealers, now }: KeyDeps, db: Db | Tx): Promise<void> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const { x = '' } = publicKey.export({ format: 'jwk' })
  const kid = await calculateJwkThumbprint({ kty: 'OKP', crv: 'Ed25519', x })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const key_sealed = sealers.options.seal(pem, sealedBy.receiptKey(kid))
  await addSigningKey(db, { kid, public_x: x, key_sealed, created_at: nowSeconds({ now }) })
}

export async function listPublicKeys({ db }: Pick<Deps, 'db'>): Promise<ReceiptJwk[]> {
  // Without `alg`: verifiers that know EdDSA do not take a key that says Ed25519, and the other way round.
  return (await listReceiptKeys(db)).map(({ kid, public_x: x }) => ({ kty: 'OKP', crv: 'Ed25519', x, kid, use: 'sig' }))
}

export async function listKeyStates({ db }: Pick<Deps, 'db'>): Promise<ReceiptKeyState[]> {
  return (await listReceiptKeys(db)).map(toState)
}

const toState = ({ kid, created_at, retired_at }: ReceiptKeyRow): ReceiptKeyState => ({ kid, created_at, retired_at })

/** Makes a new key. What the old one signed stays valid, because its public half stays. */
export async function rotateKey(deps: KeyDeps, by: By): Promise<ReceiptKeyState> {
  return await deps.db.transaction().execute(async (tx) => {
    const before = await findSigningKey(tx)
    await retireSigningKey(tx, nowSeconds(deps))
    await makeKey(deps, tx)
    const row = await findSigningKey(tx)
    if (row === undefined) throw new Error('the new key of receipts is gone')
    const changes = [{ field: 'kid', ...(before === undefined ? {} : { before: before.kid }), after: row.kid }]
    await recordAudit(deps, tx, by, [{ action: 'update', resource: 'receipt-key', resource_id: row.kid, changes }])
    return toState(row)
  })
}
