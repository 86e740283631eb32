import { randomUUID } from 'node:crypto'
import type { ChannelSettings, NewChannel } from '@astropelago/contract/alert-channels'
import { alertChannelsPerUser } from '@astropelago/contract/limits'
import { DomainError } from '../../../domain-error.ts'
import type { FeatureBase } from '../../../feature-base.ts'
import type { Mailer } from '../../../mail/mailer.ts'
import { makeCode } from '../../../one-time-code.ts'
import type { Outgoing } from '../../../outgoing/outgoing.ts'
import type { DatabaseTransaction } from '../../../storage/storage.ts'
import type { ChannelsStore } from './channels-store.ts'
import { makeWebhookSecret } from './kinds/webhook.ts'
import { addressOf } from './present-channel.ts'
import { insertChannel } from './sql-channels-store.ts'

/** Channels that come with a user's checks from another program. */
export function importedChannels({
  clock,
  store,
  mailer,
  outgoing,
}: Pick<FeatureBase, 'clock'> & {
  readonly store: Pick<ChannelsStore, 'list'>
  readonly mailer: Pick<Mailer, 'canSend'>
  readonly outgoing: Pick<Outgoing, 'isRefused'>
}) {
  return {
    perUser: alertChannelsPerUser,
    canSendMail: mailer.canSend,
    list: store.list,
    isRefused: (settings: ChannelSettings) =>
      settings.kind !== 'email' && outgoing.isRefused(addressOf(settings)),
    /** E-mail addresses stay unconfirmed, and no code is sent. @throws DomainError `channel_limit` */
    insert: async (
      transaction: DatabaseTransaction,
      userKey: number,
      channels: readonly NewChannel[],
    ) => {
      for (const { name, settings } of channels) {
        const isEmail = settings.kind === 'email'
        const record = {
          id: randomUUID(),
          userKey,
          name,
          settings,
          secret: settings.kind === 'webhook' ? makeWebhookSecret() : null,
          unsubscribeCode: isEmail ? makeCode() : null,
          confirmedMs: isEmail ? null : clock(),
          code: null,
          createdMs: clock(),
        }
        const isInserted = await insertChannel(transaction, record, alertChannelsPerUser)
        if (!isInserted) throw new DomainError('channel_limit')
      }
    },
  }
}
