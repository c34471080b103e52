import { screen, waitFor } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'

/** Chooses an item of the open menu as a person does: the pointer comes first, and only a highlighted item can be chosen. */
export async function pick(user: UserEvent, name: string): Promise<void> {
  const item = await screen.findByRole('menuitem', { name })
  await waitFor(async () => {
    await user.unhover(item)
    await user.hover(item)
    if (item.dataset['highlighted'] === undefined) throw new Error(`${name} is not highlighted`)
  })
  await user.click(item)
}
