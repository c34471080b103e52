import type { Endpoint } from '../../libs/contracts/src/endpoint.ts'
import { allRoutes } from '../../services/control-plane/src/app.ts'
import type { Deps } from '../../services/control-plane/src/deps.ts'

/** Endpoints the control plane answers; the others answer 501. Routes only keep their dependencies until a call comes. */
export function boundEndpoints(): ReadonlySet<Endpoint> {
  return new Set(allRoutes({} as Deps).map((binding) => binding.endpoint)) // nothing is called, so nothing is read from it
}
