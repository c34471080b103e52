import { screen, waitFor } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'

/** Chooses an item of the open menu by keyboard: down to it, then Enter. */
export async function pick(user: UserEvent, name: string): Promise<void> {
  const item = await screen.findByRole('menuitem', { name })
  await waitFor(async () => {
    if (item.dataset['highlighted'] === undefined) await user.keyboard('{ArrowDown}')
    if (item.dataset['highlighted'] === undefined) throw new Error(`${name} is not highlighted`)
  })
  await user.keyboard('{Enter}')
}
