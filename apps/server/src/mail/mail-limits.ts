import { CallLimit } from '../http/call-limit.ts'
import { hourlyLimit } from '../http/rate-limits.ts'

/** Each within an hour, from all servers together. */
const mailsPerMailbox = 5
const questionsPerUser = 10
/** A domain may be somebody's mailbox as a whole, whatever stands before the @. */
const questionsPerDomain = 60

/** Providers to whom the dots of a name are nothing, each by the name that it is counted by. */
const dotless: ReadonlyMap<string, string> = new Map([
  ['gmail.com', 'gmail.com'],
  ['googlemail.com', 'gmail.com'],
  ['proton.me', 'proton.me'],
  ['protonmail.com', 'proton.me'],
  ['pm.me', 'proton.me'],
])

export interface MailLimits {
  /**
   * Counts a mail that asks whoever reads an address whether a user may be written to there.
   * @throws DomainError `rate_limited`
   */
  readonly countQuestion: (userKey: number, address: string) => void
  /** Whether one more mail may go to an address that its reader has confirmed; counted apart, and counts it. */
  readonly mayWriteTo: (address: string) => boolean
}

/** How many mails somebody can be sent whom anybody may name. */
export function createMailLimits(servers: () => number): MailLimits {
  const byUser = hourlyLimit(questionsPerUser, servers)
  const byDomain = hourlyLimit(questionsPerDomain, servers)
  const byMailbox = hourlyLimit(mailsPerMailbox, servers)
  const confirmed = new CallLimit({ maxCalls: mailsPerMailbox, windowMs: 3_600_000, servers })
  return {
    countQuestion: (userKey, address) => {
      const mailbox = mailboxOf(address)
      byUser(userKey)
      byMailbox(mailbox)
      byDomain(mailbox.slice(mailbox.indexOf('@')))
    },
    mayWriteTo: (address) => confirmed.take(mailboxOf(address)) === 0,
  }
}

/** The same text for addresses that one person reads, as far as it is known how their providers tell them apart. */
export function mailboxOf(address: string): string {
  const [name = '', domain = ''] = address.toLowerCase().split('@')
  const untagged = name.replace(/\+.*$/, '')
  const known = dotless.get(domain)
  return known === undefined ? `${untagged}@${domain}` : `${untagged.replaceAll('.', '')}@${known}`
}
