import { pricing } from '@tollgate/contracts/resources/pricing'
import { handle, type Binding } from '@tollgate/http/handle'
import type { Deps } from '../../deps.ts'
import { getPricing } from './service.ts'

export const pricingRoutes = (deps: Deps): Binding[] => [handle(pricing.get, ({ actor }) => getPricing(deps, actor?.group ?? ''))]
