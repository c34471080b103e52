/** The environment for a child process: ours with changes. It is here because only this package may read `process.env`. */
export function inheritedEnv(changes: Readonly<Record<string, string | undefined>> = {}): NodeJS.ProcessEnv {
  return { ...process.env, ...changes }
}
