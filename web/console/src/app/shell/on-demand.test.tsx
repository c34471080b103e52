import { ChakraProvider } from '@chakra-ui/react'
import { act, cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { lazy } from 'react'
import { afterEach, expect, it } from 'vitest'
import { startTexts } from '../../i18n/start.ts'
import { toast } from '../../lib/toast.ts'
import { system } from '../../theme/system.ts'
import { OnDemand } from './on-demand.tsx'

afterEach(cleanup)

const draw = (fetch: () => Promise<unknown>) =>
  render(
    <ChakraProvider value={system}>
      <OnDemand
        menu={lazy(async () => ({ default: () => <p>opened</p> }))}
        fetch={fetch}
        button={(on) => (
          <button type="button" {...on}>
            open
          </button>
        )}
      />
    </ChakraProvider>,
  )

it('opens the menu once its code is here, however often the button was pressed', async () => {
  let arrive: (value?: unknown) => void = () => undefined
  const waiting = new Promise((resolve) => (arrive = resolve))
  draw(() => waiting)
  const user = userEvent.setup()
  await user.click(screen.getByRole('button'))
  await user.click(screen.getByRole('button'))
  expect(screen.queryByText('opened')).toBeNull()

  await act(async () => arrive())
  expect(await screen.findByText('opened')).toBeTruthy()
})

it('says that the code of a menu cannot be fetched, and tries again with the next press', async () => {
  await startTexts('zh')
  let tries = 0
  draw(async () => {
    tries += 1
    // Pointing at the button and focusing it prepare the menu: the first press is the third try.
    if (tries < 4) throw new TypeError('Failed to fetch dynamically imported module')
  })
  const user = userEvent.setup()
  await user.click(screen.getByRole('button'))
  await act(async () => undefined)
  expect(toast.current().map(({ text }) => text)).toEqual(['错误：Failed to fetch dynamically imported module'])

  await user.click(screen.getByRole('button'))
  expect(await screen.findByText('opened')).toBeTruthy()
})
