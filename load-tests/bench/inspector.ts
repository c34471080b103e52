/** Inspector of one thread of a process. */
export type ThreadInspector = {
  send(method: string, params?: object): Promise<Answer>
  /** Evaluates an expression whose value must be JSON. */
  evaluate(expression: string): Promise<unknown>
}

/** Connection to a process's inspector (DevTools protocol). */
export type Inspector = ThreadInspector & {
  /** Calls `onEvent` for each event of this method. */
  listen(method: string, onEvent: (params: unknown) => void): void
  /** The threads it has started (https://nodejs.org/api/inspector.html, domain NodeWorker). Call it once. */
  threads(): Promise<ThreadInspector[]>
  close(): void
}

type Answer = { readonly result?: { readonly value?: unknown } }
type Message = { readonly id?: number; readonly method?: string; readonly params?: unknown; readonly result?: Answer }

export async function openInspector(url: string): Promise<Inspector> {
  const socket = new WebSocket(url)
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', () => reject(new Error(`no inspector at ${url}`)))
  })
  const listeners = new Map<string, (params: unknown) => void>()
  const main = createChannel((message) => socket.send(message))
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as Message // Node's inspector
    if (message.method !== undefined) listeners.get(message.method)?.(message.params)
    main.receive(message)
  })
  socket.addEventListener('close', () => main.close(new Error(`the inspector at ${url} closed the connection`)))
  const listen: Inspector['listen'] = (method, onEvent) => void listeners.set(method, onEvent)
  return { ...main.inspector, listen, threads: () => openThreads(main.inspector, listen), close: () => socket.close() }
}

/** Sends requests with an id and resolves them with the responses. */
function createChannel(sendText: (message: string) => void) {
  const waiting = new Map<number, PromiseWithResolvers<Answer>>()
  let lastId = 0
  const send: ThreadInspector['send'] = (method, params = {}) => {
    lastId += 1
    const one = Promise.withResolvers<Answer>()
    waiting.set(lastId, one)
    sendText(JSON.stringify({ id: lastId, method, params }))
    return one.promise
  }
  const inspector: ThreadInspector = {
    send,
    evaluate: async (expression) => (await send('Runtime.evaluate', { expression, returnByValue: true })).result?.value,
  }
  return {
    inspector,
    receive: ({ id, result }: Message): void => {
      if (id === undefined) return
      waiting.get(id)?.resolve(result ?? {})
      waiting.delete(id)
    },
    close: (reason: Error): void => {
      for (const one of waiting.values()) one.reject(reason)
    },
  }
}

async function openThreads({ send }: ThreadInspector, listen: Inspector['listen']): Promise<ThreadInspector[]> {
  const found = new Map<string, ReturnType<typeof createChannel>>()
  listen('NodeWorker.attachedToWorker', (params) => {
    const { sessionId } = params as { sessionId: string } // event of the domain NodeWorker, like the next
    const sendText = (message: string): void => void send('NodeWorker.sendMessageToWorker', { sessionId, message })
    found.set(sessionId, createChannel(sendText))
  })
  listen('NodeWorker.receivedMessageFromWorker', (params) => {
    const { sessionId, message } = params as { sessionId: string; message: string }
    found.get(sessionId)?.receive(JSON.parse(message) as Message)
  })
  await send('NodeWorker.enable', { waitForDebuggerOnStart: false })
  return [...found.values()].map(({ inspector }) => inspector)
}
