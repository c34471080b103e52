import { sql } from 'kysely'
import type { Tx } from '../../connect.ts'

/** Marks a user as deleted: sessions find no account, relays refuse its tokens, and its system access token is gone. */
export async function removeUser(tx: Tx, id: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set((eb) => ({
      deleted_at: sql<Date>`now()`,
      access_token_hash: null,
      auth_version: eb('auth_version', '+', 1),
      wallet_version: eb('wallet_version', '+', 1),
    }))
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  await tx.deleteFrom('known_devices').where('user_id', '=', id).execute()
  return numUpdatedRows === 1n
}

/** The name of an erased user. Longer than a name may be, so no account has it. */
const erasedName = (id: number): string => `deleted-user-${id}`

/** Removes what identifies a deleted user and frees name, e-mail and bindings. The row stays, because money and usage refer to it. */
export async function eraseUser(tx: Tx, id: number): Promise<void> {
  await tx
    .updateTable('users')
    .set({
      username: erasedName(id),
      display_name: '',
      password_hash: '',
      email: '',
      github_id: '',
      oidc_id: '',
      wechat_id: '',
      telegram_id: '',
      linux_do_id: '',
      aff_code: null,
      setting: '',
    })
    .where('id', '=', id)
    .where('deleted_at', 'is not', null)
    .execute()
}
