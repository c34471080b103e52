import { ChakraProvider } from '@chakra-ui/react'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { startTexts } from '../../i18n/start.ts'
import { siteStatus } from '../../lib/status.ts'
import { aStatus } from '../../testing/factories.ts'
import { system } from '../../theme/system.ts'
import { Markdown } from './markdown.tsx'

// Fetched when first drawn, which a busy machine takes its time for.
beforeAll(() => import('./markdown-rendered.tsx'))
beforeEach(() => startTexts('en'))
afterEach(cleanup)

const draw = (text: string, image_hosts: string[] = []) => {
  const client = new QueryClient()
  client.setQueryData(siteStatus.queryKey, aStatus({ image_hosts }))
  return render(
    <ChakraProvider value={system}>
      <QueryClientProvider client={client}>
        <Markdown text={text} />
      </QueryClientProvider>
    </ChakraProvider>,
  )
}

const CAT = 'https://pictures.example/cat.png?said=secret'

it('fetches a picture of a host that the operator names only after a click that names the host', async () => {
  draw(`Look: ![a cat](${CAT})`, ['*.other.example', 'pictures.example'])

  const button = await screen.findByRole('button', { name: /a cat.*pictures\.example/ })
  expect(screen.queryByRole('img')).toBeNull()

  await userEvent.setup().click(button)
  expect(screen.getByRole('img', { name: 'a cat' }).getAttribute('src')).toBe(CAT)
})

it('is a link to a picture of any other host, which tells nothing of this page', async () => {
  draw(`Look: ![a cat](${CAT})`, ['*.pictures.example'])

  const link = await screen.findByRole('link', { name: /a cat.*pictures\.example/ })
  expect([link.getAttribute('href'), link.getAttribute('target'), link.getAttribute('rel')]).toEqual([CAT, '_blank', 'noopener noreferrer'])
  expect(screen.queryByRole('img')).toBeNull()
})

it('shows a picture of this server at once', async () => {
  draw('![a plot](/mj/image/1)')

  expect((await screen.findByRole('img', { name: 'a plot' })).getAttribute('src')).toBe('/mj/image/1')
})
