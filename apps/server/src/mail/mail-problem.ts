import type { MailConfig } from '../config.ts'

/** The library's error for a mail that was not sent. It leaves out what it does not know. */
interface MailError extends Error {
  readonly code?: unknown
  readonly command?: unknown
  readonly response?: unknown
  readonly responseCode?: unknown
}

export function mailProblem(
  error: MailError,
  { host, port, isSecure, from }: Pick<MailConfig, 'host' | 'port' | 'isSecure' | 'from'>,
  address: string,
): string {
  const { code, command, response, responseCode, message } = error
  const at = `${host}:${port}`
  const said = typeof response === 'string' ? ` It said: ${response.trim()}` : ''
  switch (code) {
    case 'EDNS':
      return `There is no host ${host}: the name in SMTP_URL is wrong, or this machine can’t look up names.`
    case 'ETIMEDOUT':
      if (!message.startsWith('Greeting')) {
        return `${at} does not answer. Many providers block the ports for mail: ask yours, or try another port.`
      }
      return isSecure
        ? `${at} takes connections but says nothing: the port in SMTP_URL may belong to another program.`
        : `${at} takes connections but says nothing. If it expects TLS from the first byte, as port 465 does, SMTP_URL must begin with smtps://.`
    case 'ETLS':
      return `${at} does not offer TLS, and this server sends no password without it.${said}`
    case 'EAUTH':
      return `${host} refuses the sign-in: check user and password in SMTP_URL, with special characters percent-encoded.${said}`
    case 'EENVELOPE':
      if (responseCode === 530) {
        return `${host} takes mails only from users who sign in: SMTP_URL needs user:password@ before the host.${said}`
      }
      return command === 'RCPT TO'
        ? `${host} refuses the address ${address}.${said}`
        : `${host} refuses ${from.address} as the sender: check MAIL_FROM.${said}`
    case 'EMESSAGE':
      return `${host} refuses the mail itself.${said}`
    default:
      return connectionProblem(message, { host, at, isSecure, said })
  }
}

function connectionProblem(
  message: string,
  { host, at, isSecure, said }: { host: string; at: string; isSecure: boolean; said: string },
): string {
  if (message.includes('ECONNREFUSED')) {
    return `Nothing answers at ${at}: the host or the port in SMTP_URL is wrong, or a firewall blocks the way.`
  }
  if (/E(?:HOST|NET)UNREACH/.test(message)) return `This machine can’t reach ${at}.`
  if (isSecure && message.includes('wrong version number')) {
    return `${at} does not begin with TLS: SMTP_URL must begin with smtp://, which starts TLS later.`
  }
  // After the semicolon the library gives a hint about another program.
  if (/certificate|altnames/i.test(message)) {
    return `The certificate of ${host} can’t be trusted: ${message.split(';')[0]}.`
  }
  return said === ''
    ? `${at}: ${message.trim()}`
    : `${at} is not a mail server that works here.${said}`
}
