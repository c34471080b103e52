import { ledger } from '@tollgate/contracts/resources/ledger'
import { handle, type Binding } from '@tollgate/http/handle'
import type { Deps } from '../../deps.ts'
import { requestReport, getLastReport } from './service.ts'

export const ledgerRoutes = (deps: Deps): Binding[] => [
  handle(ledger.report, () => getLastReport(deps)),
  handle(ledger.verify, ({ actor, ip }) => requestReport(deps, { actor, ip })),
]
