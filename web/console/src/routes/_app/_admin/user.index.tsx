import { createFileRoute } from '@tanstack/react-router'

/** The list alone; it is drawn by the route above. */
export const Route = createFileRoute('/_app/_admin/user/')()
