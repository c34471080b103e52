import { sealedBy, type Sealer } from '@tollgate/config/sealing'
import type { Db, Tx } from '@tollgate/db/connect'
import {
  lockReceiptKeys,
  lockSealedChannels,
  lockSealedKeys,
  lockSealedOptions,
  lockTotpSecrets,
  lockUserSettings,
  lockWebhookEndpoints,
  resealChannel,
  resealKey,
  resealOption,
  resealReceiptKey,
  resealTotpSecret,
  resealUserSetting,
} from '@tollgate/db/queries/installation/sealed-rows'
import { setWebhookSecrets } from '@tollgate/db/queries/deliveries/webhook-endpoints'
import { raiseSnapshotVersion } from '@tollgate/db/queries/installation/snapshot'

type Sealers = { readonly channels: Sealer; readonly options: Sealer }

/** Texts that were sealed again, by what they are. */
export type Resealed = Readonly<
  Record<'options' | 'channels' | 'tokens' | 'redemptions' | 'two_factor' | 'webhooks' | 'receipt_keys' | 'webhook_endpoints', number>
>

/**
 * Seals everything in Postgres again that is not sealed with the first key. Services run meanwhile and must know both keys. Safe to repeat
 * after a crash. Fails, naming the row, at a text that no key opens.
 */
export async function resealAll(db: Db, { channels, options }: Sealers): Promise<Resealed> {
  const resealKeys = async (table: 'tokens' | 'redemptions'): Promise<number> => {
    const associated = table === 'tokens' ? sealedBy.tokenKey : sealedBy.redemptionKey
    return await inPages(db, async (tx, afterId) => {
      const rows = await lockSealedKeys(tx, table, afterId)
      return await resealPage(rows, async (row) => {
        const key_sealed = again(options, row.key_sealed, associated(row.key_hash))
        if (key_sealed !== undefined) await resealKey(tx, table, { id: row.id, key_sealed })
        return key_sealed !== undefined
      })
    })
  }
  const done = {
    options: await db.transaction().execute((tx) => resealOptions(tx, options)),
    channels: await inPages(db, (tx, afterId) => resealChannels(tx, channels, afterId)),
    tokens: await resealKeys('tokens'),
    redemptions: await resealKeys('redemptions'),
    two_factor: await inPages(db, (tx, afterId) => resealTotp(tx, options, afterId)),
    webhooks: await inPages(db, (tx, afterId) => resealWebhooks(tx, options, afterId)),
    receipt_keys: await inPages(db, (tx, afterId) => resealReceiptKeys(tx, options, afterId)),
    webhook_endpoints: await inPages(db, (tx, afterId) => resealEndpoints(tx, options, afterId)),
  }
  // The control plane publishes everything when the version differs, so relays get channels and options under the new key.
  await db.transaction().execute((tx) => raiseSnapshotVersion(tx))
  return done
}

type Page = { readonly lastId: number | undefined; readonly changed: number }

async function inPages(db: Db, resealOne: (tx: Tx, afterId: number) => Promise<Page>): Promise<number> {
  let changed = 0
  for (let afterId: number | undefined = 0; afterId !== undefined;) {
    const from: number = afterId
    const page = await db.transaction().execute((tx) => resealOne(tx, from))
    changed += page.changed
    afterId = page.lastId
  }
  return changed
}

async function resealPage<Row extends { readonly id: number }>(
  rows: readonly Row[],
  reseal: (row: Row) => Promise<boolean>,
): Promise<Page> {
  let changed = 0
  for (const row of rows) if (await reseal(row)) changed += 1
  return { lastId: rows.at(-1)?.id, changed }
}

async function resealOptions(tx: Tx, sealer: Sealer): Promise<number> {
  let changed = 0
  for (const { key, value: old } of await lockSealedOptions(tx)) {
    const value = again(sealer, old, sealedBy.option(key))
    if (value === undefined) continue
    await resealOption(tx, { key, value })
    changed += 1
  }
  return changed
}

async function resealChannels(tx: Tx, sealer: Sealer, afterId: number): Promise<Page> {
  return await resealPage(await lockSealedChannels(tx, afterId), async (row) => {
    const key_sealed = again(sealer, row.key_sealed, sealedBy.channelKey(row.id))
    const setting_sealed = again(sealer, row.setting_sealed, sealedBy.channelSetting(row.id))
    if (key_sealed === undefined && setting_sealed === undefined) return false
    const key = sealer.unseal(row.key_sealed, sealedBy.channelKey(row.id))
    await resealChannel(tx, {
      id: row.id,
      key_sealed: key_sealed ?? row.key_sealed,
      // Made with the first key too: the search for a channel by its key would otherwise not find it.
      key_hash: sealer.fingerprint(key),
      setting_sealed: setting_sealed ?? row.setting_sealed,
    })
    return true
  })
}

async function resealTotp(tx: Tx, sealer: Sealer, afterId: number): Promise<Page> {
  return await resealPage(await lockTotpSecrets(tx, afterId), async ({ id, secret_sealed: old }) => {
    const secret_sealed = again(sealer, old, sealedBy.totp(id))
    if (secret_sealed !== undefined) await resealTotpSecret(tx, { id, secret_sealed })
    return secret_sealed !== undefined
  })
}

async function resealReceiptKeys(tx: Tx, sealer: Sealer, afterId: number): Promise<Page> {
  return await resealPage(await lockReceiptKeys(tx, afterId), async ({ id, kid, key_sealed: old }) => {
    const key_sealed = again(sealer, old, sealedBy.receiptKey(kid))
    if (key_sealed !== undefined) await resealReceiptKey(tx, { id, key_sealed })
    return key_sealed !== undefined
  })
}

async function resealEndpoints(tx: Tx, sealer: Sealer, afterId: number): Promise<Page> {
  return await resealPage(await lockWebhookEndpoints(tx, afterId), async ({ id, secret_sealed, old_secret_sealed }) => {
    const secret = again(sealer, secret_sealed, sealedBy.webhookEndpoint(id))
    const old = again(sealer, old_secret_sealed, sealedBy.webhookEndpoint(id))
    if (secret === undefined && old === undefined) return false
    await setWebhookSecrets(tx, { id, secret_sealed: secret ?? secret_sealed, old_secret_sealed: old ?? old_secret_sealed })
    return true
  })
}

async function resealWebhooks(tx: Tx, sealer: Sealer, afterId: number): Promise<Page> {
  return await resealPage(await lockUserSettings(tx, afterId), async ({ id, setting }) => {
    // The control plane wrote it as an object.
    const fields = JSON.parse(setting) as Record<string, unknown>
    const old = fields['webhook_secret']
    const webhook_secret = typeof old === 'string' ? again(sealer, old, sealedBy.webhookSecret(id)) : undefined
    if (webhook_secret !== undefined) await resealUserSetting(tx, { id, setting: JSON.stringify({ ...fields, webhook_secret }) })
    return webhook_secret !== undefined
  })
}

/** The text under the first key; undefined if it is empty or already sealed with it. */
function again(sealer: Sealer, sealed: string, associated: string): string | undefined {
  if (sealed === '' || sealer.isCurrent(sealed)) return undefined
  try {
    return sealer.seal(sealer.unseal(sealed, associated), associated)
  } catch (error) {
    throw new Error(`${associated} cannot be opened with the given keys`, { cause: error })
  }
}
