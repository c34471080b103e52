import { copyFile, open, stat, truncate, type FileHandle } from 'node:fs/promises'
import { StringDecoder } from 'node:string_decoder'

const EVERY_MS = 150
const MAX_LOG_BYTES = 64 * 1024 * 1024

type LogTail = {
  /** Reads everything written so far. */
  readNow(): Promise<void>
  stop(): Promise<void>
}

/**
 * Calls `onLine` for each line appended to a log file. Services log to files instead of pipes so that they survive the launcher.
 * A file over 64 MB is copied to `<file>.1` and truncated.
 */
export async function tail(file: string, onLine: (line: string) => void): Promise<LogTail> {
  const handle = await open(file, 'a+', 0o600)
  const decoder = new StringDecoder('utf8')
  let position = (await handle.stat()).size
  let rest = ''
  const readOn = async (): Promise<void> => {
    const { text, next } = await readFrom(handle, position, decoder)
    position = next
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) onLine(line)
    if (position > MAX_LOG_BYTES) position = await putAside(file)
  }
  let isReading: Promise<void> | undefined
  const timer = setInterval(() => {
    isReading ??= readOn().finally(() => {
      isReading = undefined
    })
  }, EVERY_MS)
  const readNow = async (): Promise<void> => {
    await isReading
    await readOn()
  }
  return {
    readNow,
    stop: async () => {
      clearInterval(timer)
      await readNow()
      await handle.close()
    },
  }
}

async function readFrom(handle: FileHandle, from: number, decoder: StringDecoder): Promise<{ text: string; next: number }> {
  const buffer = Buffer.alloc(64 * 1024)
  let text = ''
  let next = from
  for (;;) {
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, next)
    if (bytesRead === 0) return { text, next }
    text += decoder.write(buffer.subarray(0, bytesRead))
    next += bytesRead
  }
}

/** The writer has the file open in append mode, so it continues at the new end after truncation. */
async function putAside(file: string): Promise<number> {
  await copyFile(file, `${file}.1`)
  await truncate(file)
  return (await stat(file)).size
}
