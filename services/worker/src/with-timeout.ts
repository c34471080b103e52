/** The promise's result, or an error after that time. What the promise does later is nobody's business any more. */
export async function withTimeout<T>(promise: Promise<T>, timeoutMs: number, message: string): Promise<T> {
  const { promise: expired, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`${message} within ${timeoutMs} ms`)), timeoutMs)
  try {
    return await Promise.race([promise, expired])
  } finally {
    clearTimeout(timer)
  }
}
