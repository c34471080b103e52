import { createRootRouteWithContext } from '@tanstack/react-router'
import type { RouterContext } from '../app/router.ts'
import { Shell } from '../app/shell/shell.tsx'

export const Route = createRootRouteWithContext<RouterContext>()({ component: Shell })
