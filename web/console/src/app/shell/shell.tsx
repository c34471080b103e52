import { Box, Flex } from '@chakra-ui/react'
import { Outlet } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Toaster } from '../toaster.tsx'

export function Shell(): ReactNode {
  return (
    <Flex direction="column" minH="100dvh">
      <Box flex="1"><Outlet /></Box>
      <Toaster />
    </Flex>
  )
}
