export type ToastKind = 'success' | 'error' | 'warning' | 'info'
/** Takes back what the toast says was done. */
export type ToastAction = { readonly label: string; readonly run: () => void }
export type Toast = { readonly id: number; readonly kind: ToastKind; readonly text: string; readonly action?: ToastAction | undefined }

const LIFETIME_MS = { success: 3000, info: 4000, warning: 6000, error: 6000 } as const satisfies Record<ToastKind, number>
const ACTION_LIFETIME_MS = 10_000

let toasts: readonly Toast[] = []
let lastId = 0
const listeners = new Set<() => void>()
const timers = new Map<number, ReturnType<typeof setTimeout>>()

function show(kind: ToastKind, text: string, action?: ToastAction): void {
  const same = action === undefined ? toasts.find((one) => one.kind === kind && one.text === text && one.action === undefined) : undefined
  const shown = same ?? { id: ++lastId, kind, text, action }
  // One at a time: the latest is what the reader just did.
  if (same === undefined) replace(shown)
  clearTimeout(timers.get(shown.id))
  timers.set(
    shown.id,
    setTimeout(() => dismiss(shown.id), action === undefined ? LIFETIME_MS[kind] : ACTION_LIFETIME_MS),
  )
}

function replace(shown: Toast): void {
  for (const { id } of toasts) clearTimeout(timers.get(id))
  timers.clear()
  change([shown])
}

function dismiss(id: number): void {
  clearTimeout(timers.get(id))
  timers.delete(id)
  change(toasts.filter((one) => one.id !== id))
}

function change(next: readonly Toast[]): void {
  toasts = next
  for (const listener of listeners) listener()
}

/** Says what was done or went wrong. The same text twice stays one toast. */
export const toast = {
  success: (text: string, action?: ToastAction): void => show('success', text, action),
  error: (text: string, action?: ToastAction): void => show('error', text, action),
  warning: (text: string): void => show('warning', text),
  info: (text: string): void => show('info', text),
  dismiss,
  current: (): readonly Toast[] => toasts,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
} as const
