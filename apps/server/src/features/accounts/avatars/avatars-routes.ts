import { readAvatar, removeAvatar, setAvatar } from '@astropelago/contract/avatars'
import { avatarMaxBytes } from '@astropelago/contract/limits'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { DomainError } from '../../../domain-error.ts'
import { refuseDemo } from '../../../http/refuse-demo.ts'
import type { Serve } from '../../../http/serve-route.ts'
import type { AccountsStore, UserRecord } from '../accounts-store.ts'
import type { IsOperator } from '../operator/is-operator.ts'
import { presentUser } from '../present-user.ts'
import { AvatarPictures } from './avatar-pictures.ts'

interface AvatarsRoutesOptions {
  readonly serve: Serve
  readonly store: Pick<AccountsStore, 'readAvatar' | 'setAvatar'>
  readonly isOperator: IsOperator
  /** Counts a user's upload. Throws if there were too many. */
  readonly limitUploads: (userKey: number) => void
}

/** Users' pictures: uploading them, and serving them wherever the user is named. */
export async function avatarsRoutes(app: FastifyInstance, options: AvatarsRoutesOptions) {
  const { serve, store, isOperator, limitUploads } = options
  const pictures = new AvatarPictures()
  app.addHook('onClose', () => pictures.close())

  const answer = (user: UserRecord | undefined, request: FastifyRequest) => {
    if (user === undefined) throw new DomainError('signed_out')
    request.log.info({ event: 'avatar_changed', userKey: user.key }, 'user changed')
    return { status: 200, body: { user: presentUser(user, isOperator) } } as const
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
