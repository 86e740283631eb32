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
import { actorOf } from '../../../audit-log.ts'
import type { Config } from '../../../config.ts'
import { DomainError } from '../../../domain-error.ts'
import type { FeatureBase } from '../../../feature-base.ts'
import type { UserCaller } from '../../../http/callers.ts'
import { refuseDemo } from '../../../http/refuse-demo.ts'
import type { Serve } from '../../../http/serve-route.ts'
import type { Mailer } from '../../../mail/mailer.ts'
import { makeCode } from '../../../one-time-code.ts'
import type { Outgoing } from '../../../outgoing/outgoing.ts'
import type { ChannelRecord, ChannelsStore } from './channels-store.ts'
import type { ConfirmAddress } from './email-channels.ts'
import { makeWebhookSecret } from './kinds/webhook.ts'
import { addressOf, channelEvent, presentChannel, stateOf } from './present-channel.ts'
import type { SendMessage } from './send-message.ts'

interface ChannelsRoutesOptions
  extends Pick<FeatureBase, 'clock' | 'audit'>, Pick<Config, 'publicUrl' | 'siteName'> {
  readonly serve: Serve
  readonly store: ChannelsStore
  readonly mailer: Pick<Mailer, 'canSend'>
  readonly outgoing: Pick<Outgoing, 'isRefused'>
  readonly confirmAddress: ConfirmAddress
  readonly sendAndRecord: SendMessage
  readonly limitTests: (userKey: number) => void
  readonly pushKey: string
}

export async function channelsRoutes(app: FastifyInstance, options: ChannelsRoutesOptions) {
  const { serve, store, clock, audit, mailer, outgoing, confirmAddress } = options

  const note = (user: UserCaller, action: string, record: ChannelRecord) =>
    audit.note({ actor: actorOf(user), ...channelEvent(record, action) })

  const findOwn = async (user: UserCaller, id: string) => {
    const record = await store.find(user.userKey, id)
    if (record === undefined) throw new DomainError('not_found')
    return record
  }

  /** Addresses wait until their reader confirms. Other targets are ready at once. */
  const prepare = (user: UserCaller, settings: ChannelSettings, request: FastifyRequest) => {
    if (settings.kind !== 'email') {
      if (outgoing.isRefused(addressOf(settings))) throw new DomainError('inside_address')
      if (settings.kind === 'push' && !isPoint(settings.keys.p256dh)) {
        throw new DomainError('invalid_input')
      }
      const target = { settings, confirmedMs: clock(), code: null, unsubscribeCode: null }
      return { target, mailCode: () => undefined }
    }
    const { code, mailCode } = confirmAddress(user, settings.address, request)
    // The reader of an earlier address must not be able to end alerts to this one.
    const unsubscribeCode = makeCode()
    return { target: { settings, confirmedMs: null, code, unsubscribeCode }, mailCode }
  }

  serve(app, listChannels, async ({ user }) => {
    const records = await store.list(user.userKey)
    const channels = records.map((record) => presentChannel(record, clock()))
    const { pushKey } = options
    return { status: 200, body: { channels, pushKey, canSendMail: mailer.canSend } }
  })

  serve(
    app,
    createChannel,
    async ({ user, body: { name, settings }, request }) => {
      const { target, mailCode } = prepare(user, settings, request)
      const id = randomUUID()
      const secret = settings.kind === 'webhook' ? makeWebhookSecret() : null
      const isInserted = await store.insert(
        { ...target, id, userKey: user.userKey, name, secret, createdMs: clock() },
        alertChannelsPerUser,
      )
      if (!isInserted) throw new DomainError('channel_limit')
      const record = await findOwn(user, id)
      await note(user, 'created', record)
      mailCode()
      return { status: 201, body: { ...presentChannel(record, clock()), secret } }
    },
    { refuseCaller: refuseDemo },
  )

  serve(
    app,
    updateChannel,
    async ({ user, params: { id }, body: { name, settings }, request }) => {
      const before = await findOwn(user, id)
      if (settings !== undefined) {
        if (settings.kind !== before.settings.kind) throw new DomainError('invalid_input')
        const { target, mailCode } = prepare(user, settings, request)
        const isChanged = await store.replaceSettings(user.userKey, id, target)
        if (!isChanged) throw new DomainError('not_found')
        mailCode()
      }
      if (name !== undefined && !(await store.rename(user.userKey, id, name))) {
        throw new DomainError('not_found')
      }
      const record = await findOwn(user, id)
      await note(user, 'changed', record)
      return { status: 200, body: presentChannel(record, clock()) }
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
    options.limitTests(user.userKey)
    const { result, sent, answer, tookMs } = await options.sendAndRecord(record, {
      message: {
        kind: 'test',
        title: `${options.siteName} reaches you here`,
        lines: [`This is a test of “${record.name}”. Nothing has happened.`],
        url: `${options.publicUrl}${pages.account}/alerts`,
        atMs: clock(),
        items: [],
      },
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
}

/** Whether the key is a point on the curve that browsers use. No other key can encrypt anything. */
function isPoint(p256dh: string): boolean {
  try {
    ECDH.convertKey(p256dh, 'prime256v1', 'base64url')
    return true
  } catch {
    return false
  }
}
