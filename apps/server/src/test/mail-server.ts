import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import type { MailConfig } from '../config.ts'
import { testCertificate, testKey } from '../outgoing/testing/certificates.ts'

export interface ReceivedMail {
  /** Recipients in the envelope: where the mail really goes. */
  readonly to: readonly string[]
  /** All header lines. */
  readonly headers: string
  readonly text: string
}

export interface MailServer {
  readonly config: MailConfig
  readonly mails: ReceivedMail[]
  /** Resolves when this many mails have arrived. */
  readonly received: (count: number) => Promise<readonly ReceivedMail[]>
  /** Answers the next recipients or senders with this reply instead of taking the mail. */
  readonly refuse: (reply: Refusal | undefined) => void
  readonly stop: () => Promise<void>
}

interface Refusal {
  readonly code: number
  readonly message: string
  readonly of?: 'recipient' | 'sender'
}

interface MailServerOptions {
  /** `start`: TLS from the first byte; `later`: after STARTTLS. Without it there is no TLS. */
  readonly tls?: 'start' | 'later'
  /** The only user. Without it, anybody may send. */
  readonly user?: { readonly name: string; readonly password: string }
}

/** Starts a real mail server on a free port. Nobody trusts its certificate. */
export async function startMailServer({ tls, user }: MailServerOptions = {}): Promise<MailServer> {
  const mails: ReceivedMail[] = []
  const waiting: { readonly count: number; readonly resolve: () => void }[] = []
  let refusal: Refusal | undefined
  const refuseAs = (of: Refusal['of'], address: string): Error | undefined => {
    if (refusal === undefined || (refusal.of ?? 'recipient') !== of) return undefined
    const error = new Error(refusal.message.replace('%s', address))
    return Object.assign(error, { responseCode: refusal.code })
  }
  const server = new SMTPServer({
    authOptional: user === undefined,
    allowInsecureAuth: true,
    disabledCommands: [
      ...(tls === undefined ? ['STARTTLS'] : []),
      ...(user === undefined ? ['AUTH'] : []),
    ],
    ...(tls !== undefined && { secure: tls === 'start', key: testKey, cert: testCertificate }),
    disableReverseLookup: true,
    onAuth: ({ username, password }, _, done) =>
      user !== undefined && username === user.name && password === user.password
        ? done(null, { user: username })
        : done(new Error('Invalid username or password')),
    onMailFrom: ({ address }, _, done) => done(refuseAs('sender', address)),
    onRcptTo: ({ address }, _, done) => done(refuseAs('recipient', address)),
    onData: (stream, session, done) => {
      const take = async () => {
        const source = await text(stream)
        mails.push({
          to: session.envelope.rcptTo.map(({ address }) => address),
          ...parseMail(source),
        })
        for (const { count, resolve } of waiting) if (mails.length >= count) resolve()
        // Some servers name the recipients.
        done(null, `Taken for ${session.envelope.rcptTo.map(({ address }) => address).join()}`)
      }
      void take()
    },
  })
  // Clients that do not trust the certificate leave during the handshake.
  server.on('error', () => undefined)
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const address = listening.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    config: {
      host: '127.0.0.1',
      port,
      isSecure: false,
      auth: undefined,
      from: { name: 'Sky', address: 'sky@example.org' },
    },
    mails,
    received: async (count) => {
      await new Promise<void>((resolve) => {
        if (mails.length >= count) resolve()
        else waiting.push({ count, resolve })
      })
      return mails
    },
    refuse: (reply) => {
      refusal = reply
    },
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

/** Reads a mail with one part, and decodes it. */
function parseMail(source: string): Omit<ReceivedMail, 'to'> {
  const end = source.indexOf('\r\n\r\n')
  const headers = source.slice(0, end)
  const body = source.slice(end + 4)
  if (!/^content-transfer-encoding: quoted-printable$/im.test(headers))
    return { headers, text: body }
  const decoded = body
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    )
  return { headers, text: decoded }
}
