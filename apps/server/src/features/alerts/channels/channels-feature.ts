import { channelTestsPerMinute } from '@astropelago/contract/limits'
import type { FastifyInstance } from 'fastify'
import webPush from 'web-push'
import type { Config } from '../../../config.ts'
import type { FeatureBase } from '../../../feature-base.ts'
import { CallLimit } from '../../../http/call-limit.ts'
import { limitCalls, type RateLimits } from '../../../http/rate-limits.ts'
import type { Serve } from '../../../http/serve-route.ts'
import type { MailLimits } from '../../../mail/mail-limits.ts'
import type { Mailer } from '../../../mail/mailer.ts'
import { createOutgoing, hostNamesOf } from '../../../outgoing/outgoing.ts'
import { counted, type OwnDataKind } from '../../../own-data.ts'
import type { Channels, ReadyChannel } from './channel.ts'
import { channelsRoutes } from './channels-routes.ts'
import { confirmAddresses } from './confirm-address.ts'
import { emailChannelRoutes } from './email-channel-routes.ts'
import { presentChannel, stateOf } from './present-channel.ts'
import { sendAndRecord } from './send-and-record.ts'
import { createSendMessage } from './send-message.ts'
import { sqlChannelsStore } from './sql-channels-store.ts'

interface ChannelsFeatureOptions {
  readonly config: Pick<
    Config,
    'publicUrl' | 'siteName' | 'mail' | 'relayDomain' | 'instanceUrl' | 'allowsPrivateTargets'
  >
  readonly mail: { readonly mailer: Mailer; readonly mailLimits: MailLimits }
  readonly limits: Pick<RateLimits, 'sendMail' | 'useCode'>
}

/** Users' channels for alerts, and sending to them. */
export async function channelsFeature(
  base: Pick<FeatureBase, 'storage' | 'cluster' | 'clock' | 'log' | 'metrics' | 'audit'>,
  options: ChannelsFeatureOptions,
) {
  const { storage, cluster, clock, log, metrics, audit } = base
  const { config, limits } = options
  const { publicUrl, siteName } = config
  const { mailer, mailLimits } = options.mail
  const outgoing = createOutgoing({
    clock,
    ownHosts: hostNamesOf(config),
    allowsPrivate: config.allowsPrivateTargets,
  })
  const store = sqlChannelsStore(storage.db)
  const keys = await store.keepPushKeys(() => webPush.generateVAPIDKeys())
  const sender = sendAndRecord({
    store,
    clock,
    metrics,
    log,
    sendMessage: createSendMessage({
      outgoing,
      mailer,
      clock,
      publicUrl,
      pushSender: { ...keys, contact: contactOf(publicUrl, config.mail?.from.address) },
    }),
  })
  const addresses = confirmAddresses({
    clock,
    mailer,
    limits,
    mailLimits,
    publicUrl,
    siteName,
  })
  const limitTests = limitCalls(
    new CallLimit({ maxCalls: channelTestsPerMinute, windowMs: 60_000, servers: cluster.size }),
  )

  const channels: Channels = {
    idsOf: async (userKey) => (await store.list(userKey)).map(({ id }) => id),
    readyOf: async (userKeys) => {
      const ready = new Map<number, ReadyChannel[]>()
      for (const record of await store.listReady(userKeys)) {
        const { key, id, name, settings } = record
        const channel = { key, id, name, kind: settings.kind, state: stateOf(record, clock()) }
        const ofUser = ready.get(record.userKey)
        if (ofUser === undefined) ready.set(record.userKey, [channel])
        else ofUser.push(channel)
      }
      return ready
    },
    sendTo: async (channelKey, message, idempotencyKey) => {
      const record = await store.findByKey(channelKey)
      if (record === undefined || record.confirmedMs === null || record.endedMs !== null) {
        return { isOk: false, isFinal: true, note: 'This channel no longer exists.' }
      }
      return (await sender(record, { message, idempotencyKey })).result
    },
  }
  const ownData: OwnDataKind = {
    kind: 'alertChannels',
    count: async (userKey) => (await store.list(userKey)).length,
    text: (count) => counted(count, 'channel for alerts', 'channels for alerts'),
    read: async function* (userKey) {
      for (const record of await store.list(userKey)) {
        yield JSON.stringify(presentChannel(record, clock()))
      }
    },
  }
  const parts = { store, clock, audit, mailer, outgoing, limits, addresses, publicUrl, siteName }
  return {
    channels,
    /** A user's channels in the account's export, without their secrets. */
    ownData,
    routes: async (app: FastifyInstance, { serve }: { readonly serve: Serve }) => {
      const { publicKey } = keys
      await channelsRoutes(app, {
        ...parts,
        serve,
        sendAndRecord: sender,
        limitTests,
        pushKey: publicKey,
      })
      await emailChannelRoutes(app, { ...parts, serve })
    },
  }
}

/**
 * Contact address for push services. Some refuse local addresses, so only an https URL is used as it is.
 */
function contactOf(publicUrl: string, mailFrom: string | undefined): string {
  const { protocol, hostname } = new URL(publicUrl)
  if (protocol === 'https:') return publicUrl
  return `mailto:${mailFrom ?? `operator@${hostname}`}`
}
