/** The client closed its connection before its request was read; no response can be sent. */
export class ClientDisconnectedError extends Error {
  override readonly name = 'ClientDisconnectedError'

  constructor(options?: ErrorOptions) {
    super('client closed', options)
  }
}
