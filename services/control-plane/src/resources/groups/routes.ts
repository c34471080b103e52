import { groups } from '@tollgate/contracts/resources/groups'
import { handle, type Binding } from '@tollgate/http/handle'
import type { Deps } from '../../deps.ts'
import { usableGroups } from '../self/usable-groups.ts'

export const groupRoutes = (deps: Deps): Binding[] => [
  handle(groups.list, async () => Object.keys(await deps.options.get('GroupRatio')).toSorted()),
  handle(groups.usable, () => usableGroups(deps, '')),
]
