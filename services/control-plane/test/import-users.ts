import { createInterface } from 'node:readline'
import { parseEnv, ControlPlaneEnv } from '@tollgate/config/env'
import { Role } from '@tollgate/contracts/enums'
import { connectDb } from '@tollgate/db/connect'
import { createUser } from '@tollgate/db/queries/users/users'
import { creditWallet } from '@tollgate/db/queries/wallet/wallet'
import { createInviteCode } from '../src/resources/setup/invite-code.ts'
import { hashPassword } from '../src/authentication/passwords.ts'

/**
 * Adds users with wallets to a running installation, as an import does, until the console can create them. A program, because load-tests/
 * must not import services. Runs with the control plane's environment. Standard input: lines of JSON, each an array of ImportedUser;
 * standard output: a line when they exist.
 */
type ImportedUser = { readonly username: string; readonly password: string; readonly credited: number }

const env = parseEnv(ControlPlaneEnv)
const db = connectDb({ url: env.DATABASE_URL, max: 1, name: 'tollgate-import-users' })
const now = Math.floor(Date.now() / 1000)

async function importUser({ username, password, credited }: ImportedUser): Promise<void> {
  const password_hash = await hashPassword(password)
  await db.transaction().execute(async (tx) => {
    const made = { username, password_hash, display_name: username, role: Role.user, group: 'default', shards: env.SHARDS, now }
    const user_id = await createUser(tx, { ...made, aff_code: createInviteCode() })
    await creditWallet(tx, { user_id, kind: 'import', amount: credited, reference: `import-${user_id}`, actor: 0, now })
  })
}

for await (const line of createInterface({ input: process.stdin })) {
  const users = JSON.parse(line) as ImportedUser[] // written by load-tests/soak/accounts.ts, the only caller
  for (const user of users) await importUser(user)
  process.stdout.write(`${JSON.stringify({ made: users.length })}\n`)
}
await db.destroy()
