import { readAvatar, removeAvatar, setAvatar } from '@astropelago/contract/avatars'
import { avatarMaxBytes } from '@astropelago/contract/limits'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { DomainError } from '../../domain-error.ts'
import { refuseDemo } from '../../http/refuse-demo.ts'
import { WorkThread } from '../../work-thread.ts'
import type { AccountsParts } from './accounts-parts.ts'
import type { UserRecord } from './accounts-store.ts'
import { presentUser } from './accounts-routes.ts'

export async function avatarsRoutes(
  app: FastifyInstance,
  { serve, store, isOperator, limitUploads }: AccountsParts,
) {
  const pictures = new AvatarPictures()
  app.addHook('onClose', () => pictures.close())

  const answer = (changed: UserRecord | undefined, request: FastifyRequest) => {
    const user = presentUser(changed, isOperator)
    request.log.info({ event: 'avatar_changed', userKey: changed?.key }, 'user changed')
    return { status: 200, body: { user } } as const
  }

  serve(
    app,
    readAvatar,
    async ({ params: { name }, reply }) => {
      const image = await store.readAvatar(name)
      if (image === undefined) throw new DomainError('not_found')
      reply
        .type('image/webp')
        // Private, because a copy in a shared proxy could not be removed from here.
        .header('cache-control', 'private, max-age=31536000, immutable')
        .header('content-security-policy', "default-src 'none'; frame-ancestors 'none'; sandbox")
        .send(image)
      return undefined
    },
    { answersHead: true },
  )

  // In its own scope: no other route accepts binary bodies.
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      setAvatar.bodyType,
      { parseAs: 'buffer' },
      async (_request: FastifyRequest, body: Buffer) => body,
    )
    serve(
      scope,
      setAvatar,
      async ({ user, body, request }) =>
        answer(await store.setAvatar(user.userKey, await pictures.draw(body)), request),
      {
        bodyLimit: avatarMaxBytes,
        refuseCaller: ({ user }) => {
          refuseDemo({ user })
          limitUploads(user.userKey)
        },
      },
    )
  })

  serve(app, removeAvatar, async ({ user, request }) =>
    answer(await store.setAvatar(user.userKey, null), request),
  )
}

const DrawnAvatar = v.union([
  v.object({ image: v.instance(Uint8Array) }),
  v.object({ refusal: v.picklist(['avatar_pixels', 'avatar_broken']), reason: v.string() }),
])

export class AvatarPictures extends WorkThread {
  constructor() {
    const file = new URL('./avatar-worker.ts', import.meta.url)
    super({ file, name: 'avatars', waitingMax: 8, rest: 2 })
  }

  /** Returns WebP, the same for the same upload. @throws DomainError `avatar_…`, `overloaded` */
  async draw(bytes: Uint8Array): Promise<Uint8Array> {
    if (!isPicture(bytes)) throw new DomainError('avatar_type')
    const drawn = v.parse(DrawnAvatar, await this.ask(bytes))
    if ('image' in drawn) return drawn.image
    throw new DomainError(drawn.refusal, { cause: new Error(drawn.reason) })
  }
}

function isPicture(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.subarray(0, 12)).toString('latin1')
  if (start.startsWith('RIFF')) return start.endsWith('WEBP')
  return start.startsWith('\x89PNG\r\n\x1a\n') || start.startsWith('\xff\xd8\xff')
}
