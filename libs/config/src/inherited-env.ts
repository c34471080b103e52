/** What a child process gets from ours: the only way to pass the environment on, so that `process.env` is read in this room alone. */
export function inheritedEnv(changes: Readonly<Record<string, string | undefined>> = {}): NodeJS.ProcessEnv {
  return { ...process.env, ...changes }
}
