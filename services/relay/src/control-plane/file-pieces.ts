import { callDeferred } from './call-deferred.ts'
import type { ControlPlane } from './client.ts'
import { unknownFile } from './stored-files.ts'

type Own = { readonly user_id: number; readonly id: string; readonly bytes: number }

/** The bytes of a user's stored file, piece by piece. Throws AppError when it was deleted meanwhile. */
export async function* piecesOf(
  { user_id, id, bytes }: Own,
  deps: { readonly controlPlane: Pick<ControlPlane, 'askDeferred'> },
): AsyncGenerator<Buffer> {
  for (let [n, read] = [0, 0]; read < bytes; n += 1) {
    const { content } = await callDeferred('filePiece', { user_id, id, n }, deps)
    if (content === null) throw unknownFile(id)
    const piece = Buffer.from(content, 'base64')
    read += piece.length
    yield piece
  }
}
