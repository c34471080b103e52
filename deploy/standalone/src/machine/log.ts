/** Prints one line to the terminal. */
export function log(line: string): void {
  console.log(line)
}

/** Prints one line to stderr: what failed and what happens next. */
export function fail(line: string): void {
  console.error(`tollgate: ${line}`)
}

/** Ignores write errors of stdout and stderr, so that the launcher survives a closed terminal or pipe (`npm start | head`). */
export function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
}
