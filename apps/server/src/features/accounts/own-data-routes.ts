import { Readable } from 'node:stream'
import { deleteMe, exportOwnData, getOwnData } from '@astropelago/contract/own-data'
import type { FastifyInstance } from 'fastify'
import { actorOf, audited, userSubject } from '../../audit-log.ts'
import { DomainError } from '../../domain-error.ts'
import { refuseDemo } from '../../http/refuse-demo.ts'
import { isoTime } from '../../iso-time.ts'
import { counted, ownList, type OwnDataKind } from '../../own-data.ts'
import { logEvent, type AccountsParts } from './accounts-parts.ts'
import type { AccountsStore } from './accounts-store.ts'
import { confirmPassword } from './sign-in.ts'

export async function ownDataRoutes(app: FastifyInstance, parts: AccountsParts) {
  const { serve, store, codes, clock, mailer, mails } = parts
  const kinds = [...parts.ownData, sessionsOf(store), avatarOf(store)]

  serve(app, getOwnData, async ({ user }) => {
    const body = []
    for (const { kind, count: countOf, text } of kinds) {
      const count = await countOf(user.userKey)
      if (count > 0) body.push({ kind, count, text: text(count) })
    }
    return { status: 200, body }
  })

  serve(
    app,
    exportOwnData,
    async ({ user, request, reply }) => {
      parts.limitExports(user.userKey)
      const record = await store.findUser(user.username)
      if (record === undefined) throw new DomainError('signed_out')
      const { address } = await codes.findEmail(user.userKey, clock())
      const head = {
        exportedAt: isoTime(clock()),
        account: {
          username: record.username,
          name: record.name,
          hue: record.hue,
          isNamePublic: record.isNamePublic,
          email: address,
          createdAt: isoTime(record.createdMs),
        },
      }
      const json = Readable.from(exportedJson(head, kinds, user.userKey))
      // A slow download ends with the session.
      const session = parts.watchSession(request, user.userKey)
      session.signal.addEventListener('abort', () => json.destroy())
      json.once('close', session.stop)
      reply
        .type('application/json; charset=utf-8')
        .header('content-disposition', `attachment; filename="astropelago-${record.username}.json"`)
        .send(json)
      return undefined
    },
    { refuseCaller: refuseDemo },
  )

  serve(
    app,
    deleteMe,
    async ({ user, body, request, reply }) => {
      await confirmPassword(parts, user, body.password, parts.limitedAddress(request))
      const { username, userKey } = user
      const { address } = await codes.findEmail(userKey, clock())
      const event = { actor: actorOf(user), action: 'user.deleted', subject: userSubject(username) }
      await audited(parts.audit, event, () => store.deleteUser(userKey))
      logEvent(request, 'user_deleted', userKey)
      parts.sessionCookie.clear(reply)
      if (address !== null) mailer.post(async () => [mails.accountDeleted({ username, address })])
      return { status: 204 }
    },
    { refuseCaller: refuseDemo },
  )
}

/** A JSON object in small pieces, because one user's data may not fit in memory. */
async function* exportedJson(
  head: Readonly<Record<string, unknown>>,
  kinds: readonly OwnDataKind[],
  userKey: number,
): AsyncGenerator<string> {
  yield JSON.stringify(head).slice(0, -1)
  for (const { kind, read } of kinds) {
    yield `,\n${JSON.stringify(kind)}:[`
    let separator = '\n'
    for await (const json of read(userKey)) {
      yield separator + json
      separator = ',\n'
    }
    yield ']'
  }
  yield '}\n'
}

function sessionsOf(store: AccountsStore): OwnDataKind {
  return ownList({
    kind: 'sessions',
    text: (count) => counted(count, 'signed-in browser', 'signed-in browsers'),
    list: async (userKey) => {
      const sessions = await store.listSessions(userKey)
      return sessions.map(({ device, addressFamily, createdMs, lastUsedMs }) => ({
        device,
        addressFamily,
        createdAt: isoTime(createdMs),
        lastUsedAt: isoTime(lastUsedMs),
      }))
    },
  })
}

function avatarOf(store: AccountsStore): OwnDataKind {
  return {
    kind: 'avatar',
    count: async (userKey) => ((await store.readAvatarOf(userKey)) === undefined ? 0 : 1),
    text: () => 'your picture',
    read: async function* (userKey) {
      const image = await store.readAvatarOf(userKey)
      if (image === undefined) return
      yield JSON.stringify({ type: 'image/webp', base64: Buffer.from(image).toString('base64') })
    },
  }
}
