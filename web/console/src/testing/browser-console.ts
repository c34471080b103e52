import nodeConsole from 'node:console'

/** The virtual browser writes to Node's own console; this sends it to that of the test, where vitest's `onConsoleLog` sees it. */
nodeConsole.error = (...entries: unknown[]) => {
  globalThis.console.error(...entries)
}
