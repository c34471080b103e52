import { endpoints } from '../../libs/contracts/src/endpoints.ts'
import { MEMBER_ROLES, RIGHTS } from '../../libs/contracts/src/rights.ts'
import { hasRight } from '../../libs/domain/src/access/rights.ts'
import { code, page, table } from './markdown.ts'

/** The rights of members of an organisation, with the calls that each opens. */
export function renderRights(): string {
  const rows = RIGHTS.map((right) => [
    code(right),
    ...MEMBER_ROLES.map((role) => (hasRight(role, right) ? 'yes' : '–')),
    endpoints
      .filter((endpoint) => endpoint.right === right)
      .map(({ method, path }) => code(`${method} ${path}`))
      .join(', '),
  ])
  return page({
    title: 'Rights of members',
    about:
      'Declared in `libs/domain/src/access/rights.ts`, and per call in `libs/contracts/src/resources/`. A call that names no right is for people’s own accounts: it is refused for an organisation. `services/control-plane/src/resources/organisations/routes.test.ts` tries every call as every role.',
    parts: [table(['Right', ...MEMBER_ROLES, 'Calls'], rows)],
  })
}
