import { Suspense, useState, type ComponentType, type LazyExoticComponent, type ReactNode } from 'react'
import { report } from '../../lib/report.ts'

export type OpenedMenu = { readonly defaultOpen: boolean }

type OnDemandProps = {
  /** Looks the same as the button of the real menu. */
  readonly button: (props: { readonly onClick: () => void; readonly onPointerEnter: () => void; readonly onFocus: () => void }) => ReactNode
  readonly menu: LazyExoticComponent<ComponentType<OpenedMenu>>
  /** Starts fetching the menu's code. */
  readonly fetch: () => Promise<unknown>
}

/** A button whose menu is fetched when it is pointed at and opened when it is pressed: menus weigh more than the sign-in page. */
export function OnDemand({ button, menu: Menu, fetch }: OnDemandProps): ReactNode {
  const [isWanted, setWanted] = useState(false)
  // A failure is reported when the button is pressed.
  const prepare = (): void => void fetch().catch(() => undefined)
  const shown = button({
    // A task of its own, so that this click has ended: the menu would take the rest of it for a click outside. A menu whose code cannot be
    // fetched (the server is away, or has a newer console) says so: a press without an answer looks lost.
    onClick: () => void fetch().then(() => setTimeout(() => setWanted(true)), report),
    onPointerEnter: prepare,
    onFocus: prepare,
  })
  return isWanted ? (
    <Suspense fallback={shown}>
      <Menu defaultOpen />
    </Suspense>
  ) : (
    shown
  )
}
