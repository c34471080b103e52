import type { ChainableCommander } from 'ioredis'

/** Sends the commands and returns their replies; throws the first error, also of a single command, which `exec` only returns. */
export async function execAll(commands: ChainableCommander): Promise<unknown[]> {
  const replies = (await commands.exec()) ?? []
  return replies.map(([error, reply]) => {
    if (error !== null) throw error
    return reply
  })
}
