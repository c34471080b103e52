import type { UserRecord } from '@tollgate/contracts/moving-in/records'
import { MAX_ORGANISATION_NAME } from '@tollgate/contracts/resources/organisations'
import type { Tx } from '@tollgate/db/connect'
import { addMember, createOrganisation, findOrganisation } from '@tollgate/db/queries/users/organisations'
import { withoutConfusing } from '../resources/users/policy.ts'
import type { Run } from './carry.ts'

/** Accounts of several people, once all accounts are there. Members that a later run finds are added. */
export async function carryOrganisations(run: Run, tx: Tx, records: readonly UserRecord[]): Promise<void> {
  for (const { id, organisation } of records) {
    if (organisation === null) continue
    const accounts = await run.ids.resolve(tx, 'users', [id, ...organisation.members.map(({ user_id }) => user_id)])
    const account = accounts.get(id)
    const members = organisation.members.flatMap(({ user_id, role }) => {
      const member = accounts.get(user_id)
      return member === undefined || member === account ? [] : [{ user_id: member, role }]
    })
    const [first] = members
    if (account === undefined || first === undefined) continue
    if ((await findOrganisation(tx, account)) === undefined) {
      const name = [...withoutConfusing(organisation.name).trim()].slice(0, MAX_ORGANISATION_NAME).join('')
      await createOrganisation(tx, { id: account, name, created_by: first.user_id, created_at: run.now })
    }
    for (const member of members) await addMember(tx, { ...member, organisation_id: account, joined_at: run.now })
  }
}
