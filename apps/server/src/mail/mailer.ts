import { setTimeout as waitFor } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { createTransport } from 'nodemailer'
import type { Clock } from '../clock.ts'
import type { MailConfig } from '../config.ts'

export interface Mail {
  /** What the mail is about, for the log, which never has the address. */
  readonly kind: string
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html?: string
  readonly headers?: Readonly<Record<string, string>>
  /** In angle brackets. By default the mail gets an id of its own. */
  readonly messageId?: string
}

type Compose = () => Promise<readonly Mail[]>

/** Since the start of this server. A mail that the recipient's side refused is not a failure. */
interface MailHealth {
  readonly lastSentMs: number | undefined
  readonly failure: { readonly atMs: number; readonly reason: string } | undefined
}

/** `isFinal` if a retry would get the same answer. */
type Delivered =
  | { readonly isOk: true; readonly note: string }
  | { readonly isOk: false; readonly isFinal: boolean; readonly note: string }

export type Mailer = ReturnType<typeof createMailer>

const notSent = 'This server sends no e-mail.'

export const noMailer: Mailer = {
  canSend: false,
  health: () => ({ lastSentMs: undefined, failure: undefined }),
  post: () => true,
  sendNow: () => Promise.reject(new Error(notSent)),
  deliver: async () => ({ isOk: false, isFinal: true, note: notSent }),
  stop: async () => undefined,
}

const maxAtOnce = 2
const maxWaiting = 200
/** Mails whose sender waits: a minute's worth for a slow mail server. */
const maxDelivering = 50
const noteMaxLength = 200
const retryAfterMs = [5_000, 60_000]
const networkTimeoutMs = 15_000
const stopMs = 3_000

export function createMailer(
  config: MailConfig,
  {
    clock,
    log,
    wait = (ms, signal) => waitFor(ms, undefined, { signal, ref: false }),
  }: {
    readonly clock: Clock
    readonly log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>
    readonly wait?: (ms: number, signal: AbortSignal) => Promise<unknown>
  },
) {
  const { host, port, isSecure, auth, from } = config
  const options = {
    host,
    port,
    secure: isSecure,
    // A password never leaves this machine unencrypted. A mail server on the same machine has no
    // matching certificate.
    requireTLS: !isSecure && auth !== undefined && !isLoopback(host),
    ignoreTLS: !isSecure && isLoopback(host),
    ...(auth && { auth: { user: auth.user, pass: auth.password } }),
    connectionTimeout: networkTimeoutMs,
    greetingTimeout: networkTimeoutMs,
    socketTimeout: networkTimeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
  const transport = createTransport(options)
  // Alerts come by the hundred. A few connections carry them, and more of them wait.
  const pool = createTransport({ ...options, pool: true, maxConnections: maxAtOnce })
  const stopping = new AbortController()
  const waiting: Compose[] = []
  const running = new Set<Promise<void>>()
  let delivering = 0
  let health: MailHealth = { lastSentMs: undefined, failure: undefined }

  /** Tries once. @returns what the mail server answered, or why the mail was not sent */
  const attempt = async (through: typeof transport | typeof pool, mail: Mail) => {
    const { kind, to, headers, html, messageId } = mail
    try {
      const { response } = await through.sendMail({
        from,
        to: { name: '', address: to },
        subject: mail.subject,
        text: mail.text,
        headers: { ...headers, 'Auto-Submitted': 'auto-generated' },
        ...(html !== undefined && { html }),
        ...(messageId !== undefined && { messageId }),
      })
      health = { lastSentMs: clock(), failure: undefined }
      log.info({ event: 'mail_sent', kind }, 'e-mail sent')
      return { isSent: true, response } as const
    } catch (error) {
      const failure = reasonOf(error, to)
      if (!isOfRecipient(error)) {
        health = { ...health, failure: { atMs: clock(), reason: failure.reason } }
      }
      return { isSent: false, error, failure } as const
    }
  }

  const attemptOnce = async (through: typeof transport | typeof pool, mail: Mail) => {
    const result = await attempt(through, mail)
    if (!result.isSent) {
      const { kind } = mail
      log.warn(
        { event: 'mail_failed', kind, tries: 1, ...result.failure },
        'an e-mail was not sent',
      )
    }
    return result
  }

  const send = async (mail: Mail): Promise<void> => {
    for (let tries = 1; ; tries += 1) {
      const result = await attempt(transport, mail)
      if (result.isSent) return
      const failure = { event: 'mail_failed', kind: mail.kind, tries, ...result.failure }
      const retryMs = isLasting(result.error) ? undefined : retryAfterMs[tries - 1]
      if (retryMs === undefined) {
        log.error(failure, 'an e-mail could not be sent: see SMTP_URL and MAIL_FROM')
        return
      }
      log.warn(failure, 'an e-mail could not be sent yet')
      await wait(retryMs, stopping.signal)
    }
  }

  const run = async (compose: Compose): Promise<void> => {
    try {
      for (const mail of await compose()) await send(mail)
    } catch (error) {
      if (stopping.signal.aborted) log.warn({ event: 'mail_dropped' }, 'an e-mail was not sent')
      else log.error({ err: error, event: 'mail_failed' }, 'an e-mail could not be written')
    }
  }

  const next = () => {
    if (running.size >= maxAtOnce || stopping.signal.aborted) return
    const compose = waiting.shift()
    if (compose === undefined) return
    const sent = run(compose).finally(() => {
      running.delete(sent)
      next()
    })
    running.add(sent)
  }

  return {
    canSend: true as boolean,
    health: () => health,
    /**
     * Composes and sends mails later, so that the time of an answer reveals nothing about them. They are lost
     * when the server stops. @returns false, and sends nothing, when too many wait
     */
    post: (compose: Compose) => {
      if (waiting.length >= maxWaiting) {
        log.error({ event: 'mail_dropped' }, 'an e-mail was not sent: too many wait')
        return false
      }
      waiting.push(compose)
      setImmediate(next)
      return true
    },
    /** Tries once. @returns what the mail server answered @throws the library's error */
    sendNow: async (mail: Mail): Promise<string> => {
      const result = await attemptOnce(transport, mail)
      if (!result.isSent) throw result.error
      return result.response
    },
    /** Like `sendNow`, but never rejects. */
    deliver: async (mail: Mail): Promise<Delivered> => {
      if (delivering >= maxDelivering) {
        const note = 'This server is sending too many mails just now.'
        return { isOk: false, isFinal: false, note }
      }
      delivering += 1
      const result = await attemptOnce(pool, mail).finally(() => {
        delivering -= 1
      })
      if (result.isSent) {
        const note = `The mail server took it: ${withoutAddress(result.response, mail.to)}`
        return { isOk: true, note: note.slice(0, noteMaxLength) }
      }
      const { error, failure } = result
      return {
        isOk: false,
        isFinal: isOfRecipient(error) && isLasting(error),
        // Details about the mail server are for the operator only.
        note: isOfRecipient(error)
          ? `The mail server refused it: ${failure.reason}`.slice(0, noteMaxLength)
          : 'The mail server of this site takes no mails just now.',
      }
    },
    /** Resolves when mails being sent are done, at the latest after `stopMs`. Drops waiting mails. */
    stop: async () => {
      stopping.abort()
      pool.close()
      if (waiting.length > 0) {
        log.warn({ event: 'mail_dropped', mails: waiting.length }, 'e-mails were not sent')
      }
      await Promise.race([Promise.all(running), waitFor(stopMs, undefined, { ref: false })])
    },
  }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.')
}

/** Whether a retry would get the same answer. In SMTP a reply of 5xx is final. */
function isLasting(error: unknown): boolean {
  return error instanceof Error && 'responseCode' in error && Number(error.responseCode) >= 500
}

function isOfRecipient(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const isOfAddress = 'command' in error && error.command === 'RCPT TO'
  const isOfText = 'code' in error && error.code === 'EMESSAGE'
  return isOfAddress || isOfText
}

/** What the operator may read. Mail servers like to repeat the address, in any case. */
function withoutAddress(text: string, address: string): string {
  return text.replaceAll(new RegExp(RegExp.escape(address), 'gi'), '(address)')
}

function reasonOf(error: unknown, to: string) {
  if (!(error instanceof Error)) return { reason: 'unknown' }
  const reason = withoutAddress(error.message, to).slice(0, 500)
  return { reason, ...('code' in error && { code: error.code }) }
}
