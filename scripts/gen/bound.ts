import type { Endpoint } from '../../libs/contracts/src/endpoint.ts'
import { allRoutes } from '../../services/control-plane/src/app.ts'
import type { Deps } from '../../services/control-plane/src/deps.ts'

/** Endpoints that the control plane implements; the others answer a failure. Building the routes does not use their dependencies. */
export function boundEndpoints(): ReadonlySet<Endpoint> {
  return new Set(allRoutes({} as Deps).map((binding) => binding.endpoint)) // no route is called, so no dependency is read
}
