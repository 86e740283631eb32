import { ECDH, randomUUID } from 'node:crypto'
import {
  createChannel,
  deleteChannel,
  listChannels,
  renewChannelSecret,
  testChannel,
  updateChannel,
  type ChannelSettings,
} from '@astropelago/contract/alert-channels'
import { alertChannelsPerUser } from '@astropelago/contract/limits'
import { pages } from '@astropelago/contract/pages'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { actorOf, type AuditLog } from '../../../audit-log.ts'
import type { Clock } from '../../../clock.ts'
import { DomainError } from '../../../domain-error.ts'
import type { UserCaller } from '../../../http/callers.ts'
import { refuseDemo } from '../../../http/refuse-demo.ts'
import type { Serve } from '../../../http/serve-route.ts'
import type { Mailer } from '../../../mail/mailer.ts'
import type { Outgoing } from '../../../outgoing/outgoing.ts'
import { makeCode } from '../../../one-time-code.ts'
import type { AlertMessage } from './channel.ts'
import type { ChannelRecord, ChannelsStore } from './channels-store.ts'
import type { AddressConfirmation } from './confirm-address.ts'
import { makeWebhookSecret } from './kinds/webhook.ts'
import { presentChannel, stateOf } from './present-channel.ts'
import type { SendAndRecord } from './send-and-record.ts'

export interface ChannelsRoutesOptions {
  readonly serve: Serve
  readonly store: ChannelsStore
  readonly clock: Clock
  readonly audit: Pick<AuditLog, 'note'>
  readonly mailer: Pick<Mailer, 'canSend'>
  readonly outgoing: Pick<Outgoing, 'isRefused'>
  readonly addresses: AddressConfirmation
  readonly sendAndRecord: SendAndRecord
  /** Counts a user's test message; throws if there were too many. */
  readonly limitTests: (userKey: number) => void
  readonly pushKey: string
  readonly publicUrl: string
  readonly siteName: string
}

export async function channelsRoutes(app: FastifyInstance, options: ChannelsRoutesOptions) {
  const { serve, store, clock, audit, mailer, outgoing, addresses, sendAndRecord } = options
  const { limitTests, pushKey, publicUrl, siteName } = options

  // Leaves out the channel's name, because people write addresses in it.
  const note = (user: UserCaller, action: string, { id, settings }: ChannelRecord) =>
    audit.note({
      actor: actorOf(user),
      action: `channel.${action}`,
      subject: `channel:${id}`,
      details: { kind: settings.kind },
    })

  const findOwn = async (user: UserCaller, id: string) => {
    const record = await store.find(user.userKey, id)
    if (record === undefined) throw new DomainError('not_found')
    return record
  }

  const checkSettings = (userKey: number, settings: ChannelSettings, request: FastifyRequest) => {
    if (settings.kind === 'email') {
      addresses.checkMayWrite(userKey, settings.address, request)
      return
    }
    if (outgoing.isRefused(addressOf(settings))) throw new DomainError('inside_address')
    if (settings.kind === 'push' && !isPoint(settings.keys.p256dh)) {
      throw new DomainError('invalid_input')
    }
  }

  serve(app, listChannels, async ({ user }) => {
    const records = await store.list(user.userKey)
    const channels = records.map((record) => presentChannel(record, clock()))
    return { status: 200, body: { channels, pushKey, canSendMail: mailer.canSend } }
  })

  serve(
    app,
    createChannel,
    async ({ user, body: { name, settings }, request }) => {
      checkSettings(user.userKey, settings, request)
      const isEmail = settings.kind === 'email'
      const id = randomUUID()
      const secret = settings.kind === 'webhook' ? makeWebhookSecret() : null
      const code = isEmail ? addresses.makeCode() : null
      const isInserted = await store.insert(
        {
          id,
          userKey: user.userKey,
          name,
          settings,
          secret,
          unsubscribeCode: isEmail ? makeCode() : null,
          confirmedMs: isEmail ? null : clock(),
          createdMs: clock(),
          code: code?.kept ?? null,
        },
        alertChannelsPerUser,
      )
      if (!isInserted) throw new DomainError('channel_limit')
      const record = await findOwn(user, id)
      await note(user, 'created', record)
      if (isEmail && code !== null) addresses.mail(user, settings.address, code.text)
      return { status: 201, body: { ...presentChannel(record, clock()), secret } }
    },
    { refuseCaller: refuseDemo },
  )

  serve(
    app,
    updateChannel,
    async ({ user, params: { id }, body: { name, settings }, request }) => {
      const before = await findOwn(user, id)
      if (settings !== undefined) await replaceSettings(settings)
      if (name !== undefined && !(await store.rename(user.userKey, id, name))) {
        throw new DomainError('not_found')
      }
      const record = await findOwn(user, id)
      await note(user, 'changed', record)
      return { status: 200, body: presentChannel(record, clock()) }

      async function replaceSettings(changed: ChannelSettings) {
        if (changed.kind !== before.settings.kind) throw new DomainError('invalid_input')
        checkSettings(user.userKey, changed, request)
        const isEmail = changed.kind === 'email'
        const code = isEmail ? addresses.makeCode() : null
        const isChanged = await store.replaceSettings(user.userKey, id, {
          settings: changed,
          confirmedMs: isEmail ? null : clock(),
          code: code?.kept ?? null,
          // The reader of the old address must not be able to end alerts to the new one.
          unsubscribeCode: isEmail ? makeCode() : null,
        })
        if (!isChanged) throw new DomainError('not_found')
        if (isEmail && code !== null) addresses.mail(user, changed.address, code.text)
      }
    },
    { refuseCaller: refuseDemo },
  )

  serve(app, deleteChannel, async ({ user, params: { id } }) => {
    const record = await store.delete(user.userKey, id)
    if (record === undefined) throw new DomainError('not_found')
    await note(user, 'deleted', record)
    return { status: 204 }
  })

  serve(app, testChannel, async ({ user, params: { id } }) => {
    const record = await findOwn(user, id)
    const state = stateOf(record, clock())
    if (state === 'unconfirmed' || state === 'ended') throw new DomainError('channel_unready')
    limitTests(user.userKey)
    const { result, sent, answer, tookMs } = await sendAndRecord(record, {
      message: testMessage(record.name),
      idempotencyKey: `test-${randomUUID()}`,
    })
    return { status: 200, body: { isOk: result.isOk, sent, answer, tookMs } }
  })

  serve(app, renewChannelSecret, async ({ user, params: { id } }) => {
    const secret = makeWebhookSecret()
    const isReplaced = await store.replaceSecret(user.userKey, id, secret)
    if (!isReplaced) throw new DomainError('not_found')
    await note(user, 'secret_renewed', await findOwn(user, id))
    return { status: 200, body: { secret } }
  })

  function testMessage(name: string): AlertMessage {
    return {
      kind: 'test',
      title: `${siteName} reaches you here`,
      lines: [`This is a test of “${name}”. Nothing has happened.`],
      url: `${publicUrl}${pages.account}?part=alerts`,
      atMs: clock(),
      items: [],
    }
  }
}

function addressOf(settings: Exclude<ChannelSettings, { readonly kind: 'email' }>): string {
  switch (settings.kind) {
    case 'push':
      return settings.endpoint
    case 'ntfy':
      return settings.topic
    case 'webhook':
    case 'discord':
    case 'slack':
      return settings.url
    default:
      return settings.server
  }
}

/**
 * Whether the key is a point on the curve that browsers use. Nothing can be encrypted with any other key.
 */
function isPoint(p256dh: string): boolean {
  try {
    ECDH.convertKey(p256dh, 'prime256v1', 'base64url')
    return true
  } catch {
    return false
  }
}
