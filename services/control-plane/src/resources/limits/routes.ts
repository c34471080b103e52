import { limits } from '@tollgate/contracts/resources/limits'
import { handle, type Binding } from '@tollgate/http/handle'
import type { Deps } from '../../deps.ts'
import { checkLimits } from './service.ts'

export const limitRoutes = (deps: Deps): Binding[] => [handle(limits.check, ({ query }) => checkLimits(deps, query))]
