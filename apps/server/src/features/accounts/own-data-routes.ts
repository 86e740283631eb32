import { Readable } from 'node:stream'
import { deleteMe, exportOwnData, getOwnData } from '@astropelago/contract/own-data'
import type { FastifyInstance } from 'fastify'
import { actorOf, audited, userSubject, type AuditLog } from '../../audit-log.ts'
import type { Clock } from '../../clock.ts'
import { DomainError } from '../../domain-error.ts'
import { addressKey, type RateLimits } from '../../http/rate-limits.ts'
import type { Serve } from '../../http/serve-route.ts'
import type { WatchSession } from '../../http/watch-session.ts'
import type { Mailer } from '../../mail/mailer.ts'
import { counted, type OwnDataKind } from '../../own-data.ts'
import type { AccountMails } from './account-mails.ts'
import type { AccountsStore } from './accounts-store.ts'
import { confirmPassword, type ConfirmPasswordDeps } from './confirm-password.ts'
import type { OneTimeCodesStore } from './one-time-codes-store.ts'
import { refuseDemo } from '../../http/refuse-demo.ts'
import type { SessionCookie } from './session-cookie.ts'

interface OwnDataRoutesOptions extends ConfirmPasswordDeps {
  readonly serve: Serve
  readonly store: AccountsStore
  readonly codes: Pick<OneTimeCodesStore, 'findEmail'>
  readonly clock: Clock
  readonly audit: Pick<AuditLog, 'begin'>
  readonly limits: Pick<RateLimits, 'isExempt'>
  /** Counts a user's export. Throws if there were too many. */
  readonly limitExports: (userKey: number) => void
  readonly watchSession: WatchSession
  readonly sessionCookie: SessionCookie
  readonly mailer: Mailer
  readonly mails: Pick<AccountMails, 'accountDeleted'>
  /** The data that other features hold about the user. */
  readonly ownData: readonly OwnDataKind[]
}

/** The data of an account: an overview, an export, and deletion. */
export async function ownDataRoutes(app: FastifyInstance, options: OwnDataRoutesOptions) {
  const { serve, store, codes, clock, audit, limits, sessionCookie, mailer, mails } = options
  const kinds = [...options.ownData, sessionsOf(store), avatarOf(store)]

  serve(app, getOwnData, async ({ user }) => {
    const body = []
    for (const { kind, count, text } of kinds) {
      const things = await count(user.userKey)
      if (things > 0) body.push({ kind, count: things, text: text(things) })
    }
    return { status: 200, body }
  })

  serve(
    app,
    exportOwnData,
    async ({ user, request, reply }) => {
      options.limitExports(user.userKey)
      const record = await store.findUser(user.username)
      if (record === undefined) throw new DomainError('signed_out')
      const { address } = await codes.findEmail(user.userKey, clock())
      const head = {
        exportedAt: new Date(clock()).toISOString(),
        account: {
          username: record.username,
          name: record.name,
          hue: record.hue,
          isNamePublic: record.isNamePublic,
          email: address,
          createdAt: new Date(record.createdMs).toISOString(),
        },
      }
      const json = Readable.from(exportedJson(head, kinds, user.userKey))
      // A slow download ends with the session.
      const session = options.watchSession(request, user.userKey)
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
      const from = limits.isExempt(request) ? null : addressKey(request)
      await confirmPassword(options, user, body.password, from)
      const { address } = await codes.findEmail(user.userKey, clock())
      const { username, userKey } = user
      const event = { actor: actorOf(user), action: 'user.deleted', subject: userSubject(username) }
      await audited(audit, event, () => options.store.deleteUser(userKey))
      request.log.info({ event: 'user_deleted', userKey, address: request.ip }, 'account event')
      sessionCookie.clear(reply)
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
  return {
    kind: 'sessions',
    count: async (userKey) => (await store.listSessions(userKey)).length,
    text: (count) => counted(count, 'signed-in browser', 'signed-in browsers'),
    read: async function* (userKey) {
      for (const { device, addressFamily, createdMs, lastUsedMs } of await store.listSessions(
        userKey,
      )) {
        yield JSON.stringify({
          device,
          addressFamily,
          createdAt: new Date(createdMs).toISOString(),
          lastUsedAt: new Date(lastUsedMs).toISOString(),
        })
      }
    },
  }
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
