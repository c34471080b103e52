/** True if a service says that it may get requests. */
export async function isReady(url: string): Promise<boolean> {
  // A connection that is kept would hide a listener that is gone, and a process that is paused does not answer.
  return await fetch(`${url}/readyz`, { headers: { connection: 'close' }, signal: AbortSignal.timeout(2000) }).then(
    (answer) => answer.status === 200,
    () => false,
  )
}
