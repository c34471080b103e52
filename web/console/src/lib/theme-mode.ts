import { storage, useStored } from './storage.ts'

export type ThemeMode = 'light' | 'dark'

/** The remembered theme; the system's while nothing was chosen. */
export function useThemeMode(): { readonly mode: ThemeMode; readonly toggle: () => void } {
  const mode = useStored('theme-mode') ?? systemMode()
  return { mode, toggle: () => choose(mode === 'dark' ? 'light' : 'dark') }
}

export function choose(mode: ThemeMode): void {
  storage.set('theme-mode', mode)
  document.documentElement.classList.remove('light', 'dark')
  document.documentElement.classList.add(mode)
}

function systemMode(): ThemeMode {
  return window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
}

/** Prints in the light theme: printers leave backgrounds out, and light text would not be readable on paper. */
export function printInLight(): void {
  const { classList } = document.documentElement
  let wasDark = false
  window.addEventListener('beforeprint', () => {
    wasDark = classList.replace('dark', 'light')
  })
  window.addEventListener('afterprint', () => {
    if (wasDark) classList.replace('light', 'dark')
  })
}
