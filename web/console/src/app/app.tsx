import { ChakraProvider } from '@chakra-ui/react'
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { system } from '../theme/system.ts'
import type { createAppRouter } from './router.ts'
import { WaitingBanner } from './waiting-banner.tsx'

type AppProps = { readonly router: ReturnType<typeof createAppRouter>; readonly queryClient: QueryClient }

export function App({ router, queryClient }: AppProps): ReactNode {
  return (
    <ChakraProvider value={system}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <WaitingBanner />
      </QueryClientProvider>
    </ChakraProvider>
  )
}
