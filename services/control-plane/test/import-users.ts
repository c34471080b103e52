import { createInterface } from 'node:readline'
import { parseEnv, ControlPlaneEnv } from '@tollgate/config/env'
import { Role } from '@tollgate/contracts/enums'
import { connectDb } from '@tollgate/db/connect'
import { createUser } from '@tollgate/db/queries/users'
import { creditWallet } from '../src/internal/wallet.ts'
import { createInviteCode } from '../src/resources/setup/invite-code.ts'
import { hashPassword } from '../src/sessions/passwords.ts'

/**
 * Users with wallets in a running installation, as an import leaves them, until the console can make them; load-tests/ may not import
 * us. Started with the control plane's own environment. Standard input: one line of JSON, a Person each; standard output: a line when
 * they are there.
 */
type Person = { readonly username: string; readonly password: string; readonly credited: number }

const env = parseEnv(ControlPlaneEnv)
const db = connectDb({ url: env.DATABASE_URL, max: 1, name: 'tollgate-people' })
const now = Math.floor(Date.now() / 1000)

async function createPerson({ username, password, credited }: Person): Promise<void> {
  const password_hash = await hashPassword(password)
  await db.transaction().execute(async (tx) => {
    const made = { username, password_hash, display_name: username, role: Role.user, group: 'default', shards: env.SHARDS, now }
    const user_id = await createUser(tx, { ...made, aff_code: createInviteCode() })
    await creditWallet(tx, { user_id, kind: 'import', amount: credited, reference: `import-${user_id}`, actor: 0, now })
  })
}

for await (const line of createInterface({ input: process.stdin })) {
  const people = JSON.parse(line) as Person[] // written by load-tests/soak/accounts.ts, nobody else starts us
  for (const person of people) await createPerson(person)
  process.stdout.write(`${JSON.stringify({ made: people.length })}\n`)
}
await db.destroy()
