import { AppError } from '@tollgate/contracts/app-error'
import { whatIf } from '@tollgate/contracts/resources/what-if'
import { findWhatIf, listWhatIfs } from '@tollgate/db/queries/channels/what-ifs'
import { handle, type Binding } from '@tollgate/http/handle'
import type { Deps } from '../../deps.ts'
import { cancelWhatIf, readPresent, startWhatIfRun } from './service.ts'

export const whatIfRoutes = (deps: Deps): Binding[] => [
  handle(whatIf.list, () => listWhatIfs(deps.db)),
  handle(whatIf.present, () => readPresent(deps)),
  handle(whatIf.find, async ({ params }) => {
    const found = await findWhatIf(deps.db, params.id)
    if (found === undefined) throw new AppError('record.missing')
    return found
  }),
  handle(whatIf.start, ({ actor, body }) => startWhatIfRun(deps, actor, body)),
  handle(whatIf.cancel, ({ params }) => cancelWhatIf(deps, params.id)),
]
