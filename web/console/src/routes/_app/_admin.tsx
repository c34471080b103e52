import { createFileRoute } from '@tanstack/react-router'
import { requireAdmin } from '../../app/guards.ts'

/** Pages from role 10 on. */
export const Route = createFileRoute('/_app/_admin')({ beforeLoad: requireAdmin })
