/** One open line to a process's inspector (the DevTools protocol). */
export type Inspector = {
  ask(method: string, params?: object): Promise<Answer>
  /** The value of an expression there, which must be JSON. */
  evaluate(expression: string): Promise<unknown>
  /** Everything that the process says of this method from now on. */
  listen(method: string, hear: (params: unknown) => void): void
  close(): void
}

type Answer = { readonly result?: { readonly value?: unknown } }
type Message = { readonly id?: number; readonly method?: string; readonly params?: unknown; readonly result?: Answer }

export async function openInspector(url: string): Promise<Inspector> {
  const socket = new WebSocket(url)
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', () => reject(new Error(`no inspector answers at ${url}`)))
  })
  const waiting = new Map<number, PromiseWithResolvers<Answer>>()
  const ears = new Map<string, (params: unknown) => void>()
  let asked = 0
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as Message // Node's inspector
    if (message.method !== undefined) ears.get(message.method)?.(message.params)
    if (message.id === undefined) return
    waiting.get(message.id)?.resolve(message.result ?? {})
    waiting.delete(message.id)
  })
  socket.addEventListener('close', () => {
    for (const one of waiting.values()) one.reject(new Error(`the inspector at ${url} hung up`))
  })
  const ask = (method: string, params: object = {}): Promise<Answer> => {
    asked += 1
    const one = Promise.withResolvers<Answer>()
    waiting.set(asked, one)
    socket.send(JSON.stringify({ id: asked, method, params }))
    return one.promise
  }
  return {
    ask,
    evaluate: async (expression) => (await ask('Runtime.evaluate', { expression, returnByValue: true })).result?.value,
    listen: (method, hear) => void ears.set(method, hear),
    close: () => socket.close(),
  }
}
