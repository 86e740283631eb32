import * as v from 'valibot'
import { DomainError } from '../../../domain-error.ts'
import { PictureThread } from '../../../picture-thread.ts'

/** The messages of avatar-worker.ts. */
const DrawnAvatar = v.union([
  v.object({ image: v.instance(Uint8Array) }),
  v.object({ refusal: v.picklist(['avatar_pixels', 'avatar_broken']), reason: v.string() }),
])

/** Redraws uploaded pictures in the form that users show. */
export class AvatarPictures {
  readonly #thread = new PictureThread({
    file: new URL('./avatar-worker.ts', import.meta.url),
    name: 'avatars',
    waitingMax: 8,
  })

  /**
   * Returns WebP, always the same for the same upload.
   * @throws DomainError `avatar_type`, `avatar_broken`, `avatar_pixels`, `overloaded`
   */
  async draw(bytes: Uint8Array): Promise<Uint8Array> {
    if (!isPicture(bytes)) throw new DomainError('avatar_type')
    const drawn = v.parse(DrawnAvatar, await this.#thread.ask(bytes))
    if ('image' in drawn) return drawn.image
    throw new DomainError(drawn.refusal, { cause: new Error(drawn.reason) })
  }

  async close(): Promise<void> {
    await this.#thread.close()
  }
}

/** Whether the first bytes are those of PNG, JPEG or WebP. */
function isPicture(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.subarray(0, 12)).toString('latin1')
  if (start.startsWith('RIFF')) return start.endsWith('WEBP')
  return start.startsWith('\x89PNG\r\n\x1a\n') || start.startsWith('\xff\xd8\xff')
}
