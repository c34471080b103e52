/** A thread whose inspector answers: a process's main one, or one that it started. */
export type Inspected = {
  ask(method: string, params?: object): Promise<Answer>
  /** The value of an expression there, which must be JSON. */
  evaluate(expression: string): Promise<unknown>
}

/** One open line to a process's inspector (the DevTools protocol). */
export type Inspector = Inspected & {
  /** Everything that the process says of this method from now on. */
  listen(method: string, hear: (params: unknown) => void): void
  /** The threads it has started (https://nodejs.org/api/inspector.html, domain NodeWorker); asked for once. */
  threads(): Promise<Inspected[]>
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
  const ears = new Map<string, (params: unknown) => void>()
  const main = talkTo((message) => socket.send(message))
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as Message // Node's inspector
    if (message.method !== undefined) ears.get(message.method)?.(message.params)
    main.hear(message)
  })
  socket.addEventListener('close', () => main.hangUp(new Error(`the inspector at ${url} hung up`)))
  const listen: Inspector['listen'] = (method, hear) => void ears.set(method, hear)
  return { ...main.inspected, listen, threads: () => openThreads(main.inspected, listen), close: () => socket.close() }
}

/** Asks by number and hears the answers. */
function talkTo(send: (message: string) => void) {
  const waiting = new Map<number, PromiseWithResolvers<Answer>>()
  let asked = 0
  const ask: Inspected['ask'] = (method, params = {}) => {
    asked += 1
    const one = Promise.withResolvers<Answer>()
    waiting.set(asked, one)
    send(JSON.stringify({ id: asked, method, params }))
    return one.promise
  }
  const inspected: Inspected = {
    ask,
    evaluate: async (expression) => (await ask('Runtime.evaluate', { expression, returnByValue: true })).result?.value,
  }
  return {
    inspected,
    hear: ({ id, result }: Message): void => {
      if (id === undefined) return
      waiting.get(id)?.resolve(result ?? {})
      waiting.delete(id)
    },
    hangUp: (reason: Error): void => {
      for (const one of waiting.values()) one.reject(reason)
    },
  }
}

async function openThreads({ ask }: Inspected, listen: Inspector['listen']): Promise<Inspected[]> {
  const found = new Map<string, ReturnType<typeof talkTo>>()
  listen('NodeWorker.attachedToWorker', (params) => {
    const { sessionId } = params as { sessionId: string } // the domain's own event, as the next
    const send = (message: string): void => void ask('NodeWorker.sendMessageToWorker', { sessionId, message })
    found.set(sessionId, talkTo(send))
  })
  listen('NodeWorker.receivedMessageFromWorker', (params) => {
    const { sessionId, message } = params as { sessionId: string; message: string }
    found.get(sessionId)?.hear(JSON.parse(message) as Message)
  })
  await ask('NodeWorker.enable', { waitForDebuggerOnStart: false })
  return [...found.values()].map(({ inspected }) => inspected)
}
