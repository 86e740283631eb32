import { type AlertChannel, listChannels } from '@astropelago/contract/alert-channels'
import { answerApi } from '../../../test/answer-api.ts'

/** A valid key, a point on P-256, because browsers validate it when they subscribe. */
export const samplePushKey =
  'BNbN3OiAeStBZ7C7oEKaFnJdD6pDSaHqCpTkVM5B2nGQcPNLd5oQzNOKjLWNKNdlcsn3RyMRVoTRzZw0ZXIDY2k'

export function sampleChannel(details: Partial<AlertChannel> = {}): AlertChannel {
  return {
    id: crypto.randomUUID(),
    kind: 'ntfy',
    name: 'Phone',
    target: 'ntfy.sh/my-…',
    state: 'ready',
    createdAt: '2030-01-02T03:04:05.000Z',
    lastAnswer: null,
    failingSince: null,
    endpointHash: null,
    ...details,
  }
}

export function answerChannels(channels: AlertChannel[], canSendMail = true) {
  const body = { channels, pushKey: samplePushKey, canSendMail }
  answerApi(listChannels, { status: 200, body })
}
