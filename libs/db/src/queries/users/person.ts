import { sql } from 'kysely'
import type { Tx } from '../../connect.ts'

type Move = { readonly from: number; readonly to: number }

/**
 * Moves what belongs to a person and not to the account's money: e-mail, identities, invite code, setting, language, second factors, known
 * devices, and memberships. The columns are unique, so the earlier account lets go of them first.
 */
export async function movePerson(tx: Tx, { from, to }: Move): Promise<void> {
  const moved = await tx
    .selectFrom('users')
    .select(['email', 'github_id', 'oidc_id', 'wechat_id', 'telegram_id', 'linux_do_id', 'aff_code', 'setting', 'language', 'inviter_id'])
    .where('id', '=', from)
    .executeTakeFirstOrThrow()
  const nobody = { email: '', github_id: '', oidc_id: '', wechat_id: '', telegram_id: '', linux_do_id: '', aff_code: null, setting: '' }
  await tx
    .updateTable('users')
    .set({ ...nobody, password_hash: '', access_token_hash: null, inviter_id: 0 })
    .where('id', '=', from)
    .execute()
  await tx.updateTable('users').set(moved).where('id', '=', to).execute()
  for (const table of ['two_factor', 'recovery_codes', 'passkeys', 'known_devices', 'organisation_members', 'scim_users'] as const)
    await sql`update ${sql.table(table)} set user_id = ${to} where user_id = ${from}`.execute(tx)
}
