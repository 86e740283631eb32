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
import { counted, ownList } from '../../../own-data.ts'
import type { Channels } from './channel.ts'
import { importedChannels } from './imported-channels-feature.ts'
import { channelsRoutes } from './channels-routes.ts'
import { confirmAddresses, emailChannelRoutes } from './email-channels.ts'
import { presentChannel } from './present-channel.ts'
import { createSendMessage, recordAnswers } from './send-message.ts'
import { sqlChannelsStore } from './sql-channels-store.ts'

interface ChannelsFeatureOptions {
  readonly config: Pick<
    Config,
    'publicUrl' | 'siteName' | 'mail' | 'relayDomain' | 'instanceUrl' | 'allowsPrivateTargets'
  >
  readonly mail: { readonly mailer: Mailer; readonly mailLimits: MailLimits }
  readonly limits: Pick<RateLimits, 'sendMail' | 'useCode'>
}

export async function channelsFeature(
  base: Pick<FeatureBase, 'storage' | 'cluster' | 'clock' | 'log' | 'metrics' | 'audit'>,
  { config, mail: { mailer, mailLimits }, limits }: ChannelsFeatureOptions,
) {
  const { storage, cluster, clock, audit } = base
  const { publicUrl, siteName } = config
  const outgoing = createOutgoing({
    clock,
    ownHosts: hostNamesOf(config),
    allowsPrivate: config.allowsPrivateTargets,
  })
  const store = sqlChannelsStore(storage.db)
  const keys = await store.ensurePushKeys(() => webPush.generateVAPIDKeys())
  const contact = contactOf(publicUrl, config.mail?.from.address)
  const pushSender = { ...keys, contact }
  const sendMessage = createSendMessage({ outgoing, mailer, clock, publicUrl, pushSender })
  const sendAndRecord = recordAnswers(sendMessage, { ...base, store })
  const parts = { store, clock, audit, mailer, outgoing, limits, publicUrl, siteName }
  const confirmAddress = confirmAddresses({ ...parts, mailLimits })
  const limitTests = limitCalls(
    new CallLimit({ maxCalls: channelTestsPerMinute, windowMs: 60_000, servers: cluster.size }),
  )

  const channels: Channels = {
    idsOf: async (userKey) => (await store.list(userKey)).map(({ id }) => id),
    readyOf: async (userKeys) => {
      const ofUsers = Map.groupBy(await store.listReady(userKeys), ({ userKey }) => userKey)
      return new Map(
        Array.from(ofUsers, ([userKey, ready]) => [
          userKey,
          ready.map(({ key, id, name, settings }) => ({ key, id, name, kind: settings.kind })),
        ]),
      )
    },
    countKinds: store.countKinds,
    sendTo: async (channelKey, message, idempotencyKey) => {
      const record = await store.findByKey(channelKey)
      if (record === undefined || record.confirmedMs === null || record.endedMs !== null) {
        return { isOk: false, isFinal: true, note: 'This channel no longer exists.' }
      }
      return (await sendAndRecord(record, { message, idempotencyKey })).result
    },
  }

  return {
    channels,
    imports: importedChannels({ clock, store, mailer, outgoing }),
    ownData: ownList({
      kind: 'alertChannels',
      text: (count) => counted(count, 'channel for alerts', 'channels for alerts'),
      list: async (userKey) =>
        (await store.list(userKey)).map((record) => presentChannel(record, clock())),
    }),
    routes: async (app: FastifyInstance, { serve }: { readonly serve: Serve }) => {
      const shared = { ...parts, confirmAddress, serve }
      await channelsRoutes(app, { ...shared, sendAndRecord, limitTests, pushKey: keys.publicKey })
      await emailChannelRoutes(app, shared)
    },
  }
}

/** Some push services refuse local addresses, so only an https URL is used as it is. */
function contactOf(publicUrl: string, mailFrom: string | undefined): string {
  const { protocol, hostname } = new URL(publicUrl)
  if (protocol === 'https:') return publicUrl
  return `mailto:${mailFrom ?? `operator@${hostname}`}`
}
