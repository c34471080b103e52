/** Resolves like the promise, or rejects after that time; what the promise does later is ignored. */
export async function withTimeout<T>(promise: Promise<T>, timeoutMs: number, message: string): Promise<T> {
  const { promise: expired, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`${message} within ${timeoutMs} ms`)), timeoutMs)
  try {
    return await Promise.race([promise, expired])
  } finally {
    clearTimeout(timer)
  }
}

/** True if the promise resolves within that time. For readiness: a store that hangs is as absent as one that refuses. */
export async function isAnswered(promise: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  return await withTimeout(promise, timeoutMs, 'no answer').then(
    () => true,
    () => false,
  )
}
