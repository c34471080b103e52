import { ChakraProvider } from '@chakra-ui/react'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startTexts } from '../../i18n/start.ts'
import { system } from '../../theme/system.ts'
import { Markdown } from './markdown.tsx'

beforeEach(() => startTexts('en'))
afterEach(cleanup)

const draw = (text: string) =>
  render(
    <ChakraProvider value={system}>
      <Markdown text={text} />
    </ChakraProvider>,
  )

it('fetches a picture of another host only after a click that names the host', async () => {
  draw('Look: ![a cat](https://pictures.example/cat.png?said=secret)')

  const button = await screen.findByRole('button', { name: /a cat.*pictures\.example/ })
  expect(screen.queryByRole('img')).toBeNull()

  await userEvent.setup().click(button)
  expect(screen.getByRole('img', { name: 'a cat' }).getAttribute('src')).toBe('https://pictures.example/cat.png?said=secret')
})

it('shows a picture of this server at once', async () => {
  draw('![a plot](/mj/image/1)')

  expect((await screen.findByRole('img', { name: 'a plot' })).getAttribute('src')).toBe('/mj/image/1')
})
