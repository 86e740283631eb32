import * as v from 'valibot'
import { safeLink } from './devices.ts'
import { EmailAddress } from './email.ts'
import { alertChannelNameMaxLength, channelTokenMaxLength } from './limits.ts'
import { OneTimeCode } from './one-time-code.ts'
import { pages } from './pages.ts'
import { defineRoute } from './route.ts'
import { ShortText } from './text-fields.ts'

export const ChannelKind = v.picklist([
  'push',
  'email',
  'webhook',
  'ntfy',
  'gotify',
  'discord',
  'slack',
  'telegram',
  'matrix',
])
export type ChannelKind = v.InferOutput<typeof ChannelKind>

/** An http or https address without a user or fragment, as it is called. `isFit` checks its parts. */
function Address(message: string, isFit: (url: URL) => boolean = () => true) {
  return v.pipe(
    v.string(message),
    v.rawTransform(({ dataset, addIssue, NEVER }) => {
      const link = safeLink(dataset.value)
      const url = link === undefined ? undefined : new URL(link)
      if (url === undefined || url.hash !== '' || !isFit(url)) {
        addIssue({ message })
        return NEVER
      }
      // Without an empty ? or #, because paths are appended.
      return `${url.origin}${url.pathname}${url.search}`
    }),
  )
}

/** A server's base address, without a slash at the end, because paths are appended. */
function Server(example: string) {
  const message = `A server’s address is such as ${example}.`
  return v.pipe(
    Address(message, ({ search }) => search === ''),
    v.transform((address) => address.replace(/\/+$/, '')),
  )
}

const tokenMessage = `A token has 1 to ${channelTokenMaxLength} characters without blanks.`
const Token = v.pipe(
  v.string(tokenMessage),
  v.trim(),
  v.maxLength(channelTokenMaxLength, tokenMessage),
  v.regex(/^[\x21-\x7e]+$/, tokenMessage),
)

const keyMessage = 'This is no key of a push subscription.'
/** A browser's PushSubscription as JSON, without the expiration time, which no browser sets. */
const PushSettings = v.strictObject({
  kind: v.literal('push'),
  endpoint: Address('This is no address of a push service.'),
  keys: v.strictObject({
    // An uncompressed point on P-256: 65 bytes, the first of which is 4.
    p256dh: v.pipe(v.string(keyMessage), v.regex(/^B[\w-]{86}=?$/, keyMessage)),
    auth: v.pipe(v.string(keyMessage), v.regex(/^[\w-]{22}={0,2}$/, keyMessage)),
  }),
})

const EmailSettings = v.strictObject({ kind: v.literal('email'), address: EmailAddress })

const WebhookSettings = v.strictObject({
  kind: v.literal('webhook'),
  url: Address('A webhook is a whole http or https address.'),
})

const topicMessage = 'A topic is such as https://ntfy.sh/my-alerts: a server and one name.'
const NtfySettings = v.strictObject({
  kind: v.literal('ntfy'),
  // The names that ntfy accepts: https://docs.ntfy.sh/publish/
  topic: Address(
    topicMessage,
    ({ pathname, search }) => /^\/[\w-]{1,64}$/.test(pathname) && search === '',
  ),
  /** For a topic that not everybody may write to. */
  token: v.optional(v.nullable(Token), null),
})

const GotifySettings = v.strictObject({
  kind: v.literal('gotify'),
  server: Server('https://gotify.example'),
  /** An application's token, not a client's. */
  token: Token,
})

const discordMessage =
  'A webhook of Discord is such as https://discord.com/api/webhooks/123/abc: copy it whole.'
const DiscordSettings = v.strictObject({
  kind: v.literal('discord'),
  url: Address(
    discordMessage,
    ({ pathname, search }) =>
      /^\/api\/(?:v\d{1,2}\/)?webhooks\/\d{1,20}\/[\w-]{1,128}$/.test(pathname) && search === '',
  ),
})

const slackMessage =
  'A webhook of Slack is such as https://hooks.slack.com/services/T0/B0/abc: copy it whole.'
const SlackSettings = v.strictObject({
  kind: v.literal('slack'),
  // Mattermost and Rocket.Chat take the same messages at other paths.
  url: Address(slackMessage, ({ pathname }) => pathname !== '/'),
})

const botMessage = 'A bot’s token is such as 123456:ABC-DEF, as BotFather gives it.'
const chatMessage = 'A chat is a number, or a public name such as @my_alerts.'
const TelegramSettings = v.strictObject({
  kind: v.literal('telegram'),
  /** Telegram's own server by default. */
  server: v.optional(Server('https://api.telegram.org'), 'https://api.telegram.org'),
  token: v.pipe(v.string(botMessage), v.trim(), v.regex(/^\d{1,20}:[\w-]{1,128}$/, botMessage)),
  chat: v.pipe(
    v.string(chatMessage),
    v.trim(),
    v.regex(/^(?:-?\d{1,20}|@[A-Za-z]\w{3,31})$/, chatMessage),
  ),
})

const roomMessage = 'A room’s id begins with !, such as !abc:matrix.org; its settings tell it.'
const MatrixSettings = v.strictObject({
  kind: v.literal('matrix'),
  server: Server('https://matrix.org'),
  token: Token,
  room: v.pipe(v.string(roomMessage), v.trim(), v.regex(/^![\x21-\x7e]{1,254}$/, roomMessage)),
})

/** Where a channel leads, and the secrets for it. Clients send them and never get them back. */
export const ChannelSettings = v.variant('kind', [
  PushSettings,
  EmailSettings,
  WebhookSettings,
  NtfySettings,
  GotifySettings,
  DiscordSettings,
  SlackSettings,
  TelegramSettings,
  MatrixSettings,
])
export type ChannelSettings = v.InferOutput<typeof ChannelSettings>

/**
 * Whether messages go there. `unconfirmed`: an e-mail address whose code was not entered yet. `failing`:
 * nothing has arrived for a while, but each alert is still tried. `ended`: the reader unsubscribed, or the
 * push service dropped the browser.
 */
export const ChannelState = v.picklist(['ready', 'unconfirmed', 'failing', 'ended'])
export type ChannelState = v.InferOutput<typeof ChannelState>

/** A way to send alerts to its owner. Times are ISO 8601 in UTC. */
export const AlertChannel = v.object({
  id: v.string(),
  kind: ChannelKind,
  name: v.string(),
  /** A name for the target that people recognise, without its secrets. */
  target: v.string(),
  state: ChannelState,
  createdAt: v.string(),
  /** The answer to the last message; null before the first one. */
  lastAnswer: v.nullable(v.object({ at: v.string(), isOk: v.boolean(), note: v.string() })),
  /** Since when messages fail; null if the last one arrived. */
  failingSince: v.nullable(v.string()),
  /** SHA-256 of a push subscription's endpoint in base64url. A browser finds its own channel by it. */
  endpointHash: v.nullable(v.string()),
})
export type AlertChannel = v.InferOutput<typeof AlertChannel>

const ChannelName = ShortText(
  alertChannelNameMaxLength,
  `A name has 1 to ${alertChannelNameMaxLength} characters, all of them visible.`,
)

const NewChannel = v.strictObject({ name: ChannelName, settings: ChannelSettings })
export type NewChannel = v.InferOutput<typeof NewChannel>

/** Absent fields stay as they are. Settings are replaced as a whole, by others of the same kind. */
const ChannelChanges = v.pipe(
  v.strictObject({
    name: v.exactOptional(ChannelName),
    settings: v.exactOptional(ChannelSettings),
  }),
  v.minEntries(1, 'Name at least one thing to change.'),
)
export type ChannelChanges = v.InferOutput<typeof ChannelChanges>

const ChannelParams = v.strictObject({ id: v.string() })

/** Receivers verify a webhook's calls with it, as Standard Webhooks specifies. */
const SigningSecret = v.nullable(v.string())

export const listChannels = defineRoute({
  method: 'GET',
  path: '/api/me/alerts/channels',
  summary: 'The user’s alert channels, without their secrets',
  tag: 'Alerts',
  access: 'user',
  answers: {
    200: v.object({
      channels: v.array(AlertChannel),
      /** The server's public key (VAPID). A browser's push subscription has to name it. */
      pushKey: v.string(),
      canSendMail: v.boolean(),
    }),
  },
  errors: ['signed_out'],
})

export const createChannel = defineRoute({
  method: 'POST',
  path: '/api/me/alerts/channels',
  summary:
    'Add a channel; an e-mail address gets a code first, and only this answer has a webhook’s secret',
  tag: 'Alerts',
  access: 'user',
  body: NewChannel,
  answers: { 201: v.object({ ...AlertChannel.entries, secret: SigningSecret }) },
  errors: [
    'signed_out',
    'invalid_input',
    'demo_account',
    'channel_limit',
    'inside_address',
    'mail_off',
    'rate_limited',
    'overloaded',
  ],
})

export const updateChannel = defineRoute({
  method: 'PATCH',
  path: '/api/me/alerts/channels/:id',
  summary: 'Rename a channel or change its target; a new e-mail address gets a code first',
  tag: 'Alerts',
  access: 'user',
  params: ChannelParams,
  body: ChannelChanges,
  answers: { 200: AlertChannel },
  errors: [
    'signed_out',
    'not_found',
    'invalid_input',
    'demo_account',
    'inside_address',
    'mail_off',
    'rate_limited',
    'overloaded',
  ],
})

export const deleteChannel = defineRoute({
  method: 'DELETE',
  path: '/api/me/alerts/channels/:id',
  summary: 'Delete a channel',
  tag: 'Alerts',
  access: 'user',
  params: ChannelParams,
  answers: { 204: null },
  errors: ['signed_out', 'not_found'],
})

export const testChannel = defineRoute({
  method: 'POST',
  path: '/api/me/alerts/channels/:id/test',
  summary: 'Send a test message now; the answer says what was sent and what came back',
  tag: 'Alerts',
  access: 'user',
  params: ChannelParams,
  answers: {
    200: v.object({
      isOk: v.boolean(),
      /** The message as it was sent, with dots in place of secrets. */
      sent: v.string(),
      /** The receiver's answer, or why there was none; truncated if long. */
      answer: v.string(),
      tookMs: v.number(),
    }),
  },
  errors: ['signed_out', 'not_found', 'channel_unready', 'rate_limited', 'overloaded'],
})

export const renewChannelSecret = defineRoute({
  method: 'POST',
  path: '/api/me/alerts/channels/:id/secret',
  summary: 'Replace the secret that signs a webhook’s calls; only this answer shows the new one',
  tag: 'Alerts',
  access: 'user',
  params: ChannelParams,
  answers: { 200: v.object({ secret: v.string() }) },
  errors: ['signed_out', 'not_found'],
})

export const sendChannelCode = defineRoute({
  method: 'POST',
  path: '/api/me/alerts/channels/:id/code',
  summary: 'Mail a new code to an unconfirmed address; the old one becomes invalid',
  tag: 'Alerts',
  access: 'user',
  params: ChannelParams,
  answers: { 204: null },
  errors: ['signed_out', 'not_found', 'mail_off', 'rate_limited', 'overloaded'],
})

export const confirmChannel = defineRoute({
  method: 'POST',
  path: '/api/alerts/confirm',
  summary: 'Confirm an e-mail address for alerts with the code that was sent to it',
  tag: 'Alerts',
  access: 'anyone',
  body: v.strictObject({ code: OneTimeCode }),
  answers: { 200: v.object({ address: v.string() }) },
  errors: ['invalid_input', 'invalid_code', 'cross_site', 'rate_limited', 'overloaded'],
})

/**
 * Mail programs call it as RFC 8058 describes, with a body that is ignored. Others open the page at the
 * same address.
 */
export const unsubscribeChannel = defineRoute({
  method: 'POST',
  path: pages.unsubscribe,
  summary: 'Unsubscribe an e-mail address with the code from any mail to it',
  tag: 'Alerts',
  access: 'anyone',
  query: v.strictObject({ code: OneTimeCode }),
  answers: { 204: null },
  errors: ['invalid_input', 'invalid_code', 'cross_site', 'rate_limited', 'overloaded'],
})

/** The page where a press of a button confirms an address. Opening it changes nothing. */
export function confirmChannelPath(code: string): string {
  return `${pages.confirmChannel}#${code}`
}

/**
 * The page where a press of a button ends the mails to an address. It also accepts the code as `?code=`.
 */
export function unsubscribePath(code: string): string {
  return `${pages.unsubscribe}#${code}`
}
