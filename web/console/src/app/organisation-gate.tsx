import { Navigate, useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useCurrentRole, useNeededProvider } from '../lib/organisations.ts'

/** Leads to the organisation's own page while it requires another sign-in, as that says how to get it. */
export function OrganisationGate(): ReactNode {
  useCurrentRole()
  const isNeeded = useNeededProvider() !== undefined
  const { pathname } = useLocation()
  return isNeeded && !pathname.startsWith('/organisation') ? <Navigate to="/organisation" /> : null
}
