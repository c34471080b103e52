import { AppError } from '@tollgate/contracts/app-error'
import type { DeferredAnswer, DeferredCall, DeferredRequest } from '@tollgate/contracts/deferred/deferred-calls'
import type { ControlPlane } from './client.ts'

/** Calls the control plane; refused with 503 while it does not answer, so that nothing looks lost. */
export async function callDeferred<K extends DeferredCall>(
  name: K,
  request: DeferredRequest<K>,
  { controlPlane }: { readonly controlPlane: Pick<ControlPlane, 'askDeferred'> },
): Promise<DeferredAnswer<K>> {
  return await controlPlane.askDeferred(name, request).catch((cause: unknown) => {
    throw new AppError('batches.unavailable', {}, { cause })
  })
}
