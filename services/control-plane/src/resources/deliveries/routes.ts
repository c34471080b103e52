import { deliveries } from '@tollgate/contracts/resources/deliveries'
import { handle, type Binding } from '@tollgate/http/handle'
import type { Deps } from '../../deps.ts'
import { listAll, listOwn, retry, sendTestMail, sendTestNotice } from './service.ts'

export const deliveryRoutes = (deps: Deps): Binding[] => [
  handle(deliveries.list, ({ query }) => listAll(deps, query)),
  handle(deliveries.retry, async ({ actor, ip, params }) => {
    await retry(deps, { actor, ip }, params.id)
    return undefined
  }),
  handle(deliveries.testMail, async ({ actor, body, language }) => {
    await sendTestMail(deps, { actor, language }, body.to)
    return undefined
  }),
  handle(deliveries.listOwn, ({ actor, query }) => listOwn(deps, actor, query)),
  handle(deliveries.testOwn, async ({ actor }) => {
    await sendTestNotice(deps, actor)
    return undefined
  }),
]
