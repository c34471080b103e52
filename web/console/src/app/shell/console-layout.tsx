import { Box } from '@chakra-ui/react'
import { Outlet } from '@tanstack/react-router'
import type { ReactNode } from 'react'

export function ConsoleLayout(): ReactNode {
  return <Box as="main" p="5"><Outlet /></Box>
}
