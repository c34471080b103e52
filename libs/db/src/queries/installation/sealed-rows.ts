import type { Tx } from '../../connect.ts'

/** Rows with sealed texts, read in pages and locked until the transaction ends, so that no other change is overwritten. */
export const RESEALED_PAGE = 200

export type SealedSetting = { readonly id: number; readonly setting: string }
export type SealedChannel = { readonly id: number; readonly key_sealed: string; readonly key_hash: string; readonly setting_sealed: string }
export type SealedKey = { readonly id: number; readonly key_hash: string; readonly key_sealed: string }

export async function lockSealedOptions(tx: Tx): Promise<{ key: string; value: string }[]> {
  return await tx.selectFrom('options').select(['key', 'value']).where('is_sealed', '=', true).forUpdate().execute()
}

export async function resealOption(tx: Tx, { key, value }: { key: string; value: string }): Promise<void> {
  await tx.updateTable('options').set({ value }).where('key', '=', key).execute()
}

export async function lockTotpSecrets(tx: Tx, afterId: number): Promise<{ id: number; secret_sealed: string }[]> {
  return await tx
    .selectFrom('two_factor')
    .select(['user_id as id', 'secret_sealed'])
    .where('user_id', '>', afterId)
    .orderBy('user_id')
    .limit(RESEALED_PAGE)
    .forUpdate()
    .execute()
}

export async function resealTotpSecret(tx: Tx, { id, secret_sealed }: { id: number; secret_sealed: string }): Promise<void> {
  await tx.updateTable('two_factor').set({ secret_sealed }).where('user_id', '=', id).execute()
}

export async function lockReceiptKeys(tx: Tx, afterId: number): Promise<{ id: number; kid: string; key_sealed: string }[]> {
  return await tx
    .selectFrom('receipt_keys')
    .select(['id', 'kid', 'key_sealed'])
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(RESEALED_PAGE)
    .forUpdate()
    .execute()
}

export async function resealReceiptKey(tx: Tx, { id, key_sealed }: { id: number; key_sealed: string }): Promise<void> {
  await tx.updateTable('receipt_keys').set({ key_sealed }).where('id', '=', id).execute()
}

type SealedEndpoint = { readonly id: number; readonly secret_sealed: string; readonly old_secret_sealed: string }

export async function lockWebhookEndpoints(tx: Tx, afterId: number): Promise<SealedEndpoint[]> {
  return await tx
    .selectFrom('webhook_endpoints')
    .select(['id', 'secret_sealed', 'old_secret_sealed'])
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(RESEALED_PAGE)
    .forUpdate()
    .execute()
}

export async function lockSealedKeys(tx: Tx, table: 'tokens' | 'redemptions', afterId: number): Promise<SealedKey[]> {
  return await tx
    .selectFrom(table)
    .select(['id', 'key_hash', 'key_sealed'])
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(RESEALED_PAGE)
    .forUpdate()
    .execute()
}

export async function resealKey(
  tx: Tx,
  table: 'tokens' | 'redemptions',
  { id, key_sealed }: { id: number; key_sealed: string },
): Promise<void> {
  await tx.updateTable(table).set({ key_sealed }).where('id', '=', id).execute()
}

export async function lockSealedChannels(tx: Tx, afterId: number): Promise<SealedChannel[]> {
  return await tx
    .selectFrom('channels')
    .select(['id', 'key_sealed', 'key_hash', 'setting_sealed'])
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(RESEALED_PAGE)
    .forUpdate()
    .execute()
}

export async function resealChannel(tx: Tx, { id, ...sealed }: SealedChannel): Promise<void> {
  await tx.updateTable('channels').set(sealed).where('id', '=', id).execute()
}

/** Settings of users that may hold the secret of a webhook. */
export async function lockUserSettings(tx: Tx, afterId: number): Promise<SealedSetting[]> {
  return await tx
    .selectFrom('users')
    .select(['id', 'setting'])
    .where('id', '>', afterId)
    .where('setting', 'like', '%webhook_secret%')
    .orderBy('id')
    .limit(RESEALED_PAGE)
    .forUpdate()
    .execute()
}

export async function resealUserSetting(tx: Tx, { id, setting }: SealedSetting): Promise<void> {
  await tx.updateTable('users').set({ setting }).where('id', '=', id).execute()
}
