import { createHash, randomBytes } from 'node:crypto'
import { seedUser } from '../../support/seed.ts'
import type { Secrets } from '../secrets.ts'
import type { Target } from '../target.ts'
import { ACTORS, type ActorName } from './cases.ts'

export type Actor = {
  readonly name: ActorName
  readonly role: number
  readonly id: number
  /** The account that it calls for: its own, or that of its organisation. */
  readonly account: number
  readonly accessToken: string
  readonly key: string
}

const ROLES: Readonly<Record<ActorName, number>> = { anonymous: 0, user: 1, member: 1, admin: 10, root: 100 }
const ANONYMOUS: Actor = { name: 'anonymous', role: 0, id: 0, account: 0, accessToken: '', key: '' }

export type Actors = {
  get(name: ActorName): Actor
  /** Replaces actors that their own calls have deleted, demoted or signed out. */
  renew(): Promise<void>
}

/** One account of each role, signed in by its system access token, which no fuzzed option can turn off. */
export async function createActors(target: Target, secrets: Secrets): Promise<Actors> {
  const current = new Map<ActorName, Actor>([['anonymous', ANONYMOUS]])
  const renew = async (): Promise<void> => {
    for (const name of ACTORS) {
      const known = current.get(name)
      if (name === 'anonymous' || (known !== undefined && (await isUsable(target, known)))) continue
      current.set(name, await createActor(target, { name, secrets }))
    }
  }
  await renew()
  return { get: (name) => current.get(name) ?? ANONYMOUS, renew }
}

async function createActor(target: Target, { name, secrets }: { name: ActorName; secrets: Secrets }): Promise<Actor> {
  const { userId, key } = await seedUser({ database: { db: target.db }, env: target.env }, { credited: 50_000_000, granted: 1_000_000 })
  const accessToken = randomBytes(24).toString('base64url')
  const role = ROLES[name]
  const access_token_hash = createHash('sha256').update(accessToken).digest('hex')
  await target.db.updateTable('users').set({ role, access_token_hash }).where('id', '=', userId).execute()
  secrets.add(`access token of ${name} ${userId}`, accessToken)
  if (name === 'root') secrets.add(`API key of root ${userId}`, key)
  const account = name === 'member' ? await foundOrganisation(target, userId) : userId
  return { name, role, id: userId, account, accessToken, key }
}

/** An organisation with a wallet, a token, and the person as its owner. */
async function foundOrganisation(target: Target, owner: number): Promise<number> {
  const { userId: id } = await seedUser({ database: { db: target.db }, env: target.env }, { credited: 50_000_000, granted: 1_000_000 })
  const now = Math.floor(Date.now() / 1000)
  await target.db
    .insertInto('organisations')
    .values({ id, name: `Fuzzed ${id}`, created_by: owner, created_at: now })
    .execute()
  await target.db
    .insertInto('organisation_members')
    .values({ organisation_id: id, user_id: owner, role: 'owner', joined_at: now })
    .execute()
  return id
}

async function isUsable({ db }: Target, { id, account, role, accessToken }: Actor): Promise<boolean> {
  const hash = createHash('sha256').update(accessToken).digest('hex')
  const row = await db
    .selectFrom('users')
    .select(['role', 'status', 'access_token_hash', 'deleted_at'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (account !== id && (await isGone(db, { id, account }))) return false
  return row !== undefined && row.role === role && row.status === 1 && row.deleted_at === null && row.access_token_hash === hash
}

/** True if the organisation has ended, or the person is no longer its owner. */
async function isGone(db: Target['db'], { id, account }: Pick<Actor, 'id' | 'account'>): Promise<boolean> {
  const found = await db
    .selectFrom('organisation_members as m')
    .innerJoin('users as u', 'u.id', 'm.organisation_id')
    .select('m.role')
    .where('m.organisation_id', '=', account)
    .where('m.user_id', '=', id)
    .where('m.role', '=', 'owner')
    .where('u.deleted_at', 'is', null)
    .where('u.status', '=', 1)
    .executeTakeFirst()
  return found === undefined
}
