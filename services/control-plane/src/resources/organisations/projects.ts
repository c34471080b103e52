import { AppError } from '@tollgate/contracts/app-error'
import { MAX_PROJECTS, type Project } from '@tollgate/contracts/resources/organisations'
import {
  countProjectTokens,
  createProject,
  findProjectName,
  listProjects,
  removeProject,
  renameProject,
} from '@tollgate/db/queries/tokens/projects'
import { isUniqueViolation } from '@tollgate/db/unique-violation'
import { nowSeconds, type Deps } from '../../deps.ts'
import { marksOf } from '../../managed.ts'
import { changeOrganisation, requireMember, type MemberCall } from './chosen.ts'
import { checkOrganisationName } from './names.ts'

export async function listOrganisationProjects(deps: Deps, { actor }: MemberCall): Promise<Project[]> {
  requireMember(actor)
  const rows = await listProjects(deps.db, actor.id)
  const marks = await marksOf(deps.db, { kind: 'project', account_id: actor.id }, rows)
  return rows.map((row, at) => ({ ...row, ...marks[at] }))
}

export async function addProject(deps: Deps, by: MemberCall, wanted: string): Promise<{ id: number }> {
  const name = checkOrganisationName(wanted)
  const organisation_id = by.actor.id
  return await changeOrganisation(deps, by, async (tx) => {
    if ((await listProjects(tx, organisation_id)).length >= MAX_PROJECTS)
      throw new AppError('organisations.projects', { count: MAX_PROJECTS })
    const id = await createProject(tx, { organisation_id, name, created_at: nowSeconds(deps) })
    const changes = [{ field: 'name', after: name }]
    return { result: { id }, audited: [{ action: 'create', resource: 'project', resource_id: id, changes }] }
  }).catch(throwTaken)
}

export async function changeProject(deps: Deps, by: MemberCall, id: number, wanted: string): Promise<void> {
  const name = checkOrganisationName(wanted)
  const organisation_id = by.actor.id
  await changeOrganisation(deps, by, async (tx) => {
    const before = await findProjectName(tx, { id, organisation_id })
    if (before === undefined) throw new AppError('record.missing')
    await renameProject(tx, { id, organisation_id, name })
    const changes = [{ field: 'name', before, after: name }]
    return { result: undefined, audited: [{ action: 'update', resource: 'project', resource_id: id, changes }] }
  }).catch(throwTaken)
}

/** Only a project without tokens: what it has spent stays in the sums. */
export async function endProject(deps: Deps, by: MemberCall, id: number): Promise<void> {
  const organisation_id = by.actor.id
  await changeOrganisation(deps, by, async (tx) => {
    const before = await findProjectName(tx, { id, organisation_id })
    if (before === undefined) throw new AppError('record.missing')
    const count = await countProjectTokens(tx, id)
    if (count > 0) throw new AppError('organisations.project-used', { count })
    await removeProject(tx, { id, organisation_id, now: nowSeconds(deps) })
    const changes = [{ field: 'name', before }]
    return { result: undefined, audited: [{ action: 'delete', resource: 'project', resource_id: id, changes }] }
  })
}

function throwTaken(error: unknown): never {
  throw isUniqueViolation(error, 'projects_name') ? new AppError('organisations.project-name', {}, { cause: error }) : error
}
