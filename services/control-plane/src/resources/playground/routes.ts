import { AppError } from '@tollgate/contracts/app-error'
import { playground } from '@tollgate/contracts/resources/playground'
import { handle, type Binding } from '@tollgate/http/handle'
import type { Deps } from '../../deps.ts'
import { forwardToRelay } from './forward.ts'
import { renderRefusal } from './refusal.ts'
import { toRelayCall } from './service.ts'

export const playgroundRoutes = (deps: Deps): Binding[] => [
  handle(playground.chat, async ({ actor, body, language, traceparent }) => {
    try {
      return await forwardToRelay(deps, await toRelayCall(deps, actor, body), { language, traceparent })
    } catch (error) {
      if (error instanceof AppError) return renderRefusal(error, language)
      throw error
    }
  }),
]
