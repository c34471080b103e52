import { createRootRouteWithContext, redirect } from '@tanstack/react-router'
import type { RouterContext } from '../app/router.ts'
import { Shell } from '../app/shell/shell.tsx'
import { setupInTime } from '../lib/status.ts'

export const Route = createRootRouteWithContext<RouterContext>()({
  beforeLoad: async ({ context, location }) => {
    if (location.pathname !== '/setup' && (await setupInTime(context.queryClient)) === false) throw redirect({ to: '/setup' })
  },
  component: Shell,
})
