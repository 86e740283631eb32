import { CallLimit } from '../http/call-limit.ts'
import { hourlyLimit } from '../http/rate-limits.ts'

/** All limits are per hour, for all servers together. */
const mailsPerMailbox = 5
const questionsPerUser = 10
/** A whole domain may be one person's mailbox, whatever stands before the @. */
const questionsPerDomain = 60

/** Providers that ignore dots in a name, and the domain under which each is counted. */
const dotless: ReadonlyMap<string, string> = new Map([
  ['gmail.com', 'gmail.com'],
  ['googlemail.com', 'gmail.com'],
  ['proton.me', 'proton.me'],
  ['protonmail.com', 'proton.me'],
  ['pm.me', 'proton.me'],
])

export type MailLimits = ReturnType<typeof createMailLimits>

export function createMailLimits(servers: () => number) {
  const byUser = hourlyLimit(questionsPerUser, servers)
  const byDomain = hourlyLimit(questionsPerDomain, servers)
  const byMailbox = hourlyLimit(mailsPerMailbox, servers)
  const confirmed = new CallLimit({ maxCalls: mailsPerMailbox, windowMs: 3_600_000, servers })
  return {
    /** Counts a mail to an unconfirmed address. @throws DomainError `rate_limited` */
    countQuestion: (userKey: number, address: string) => {
      const mailbox = mailboxOf(address)
      byUser(userKey)
      byMailbox(mailbox)
      byDomain(mailbox.slice(mailbox.indexOf('@')))
    },
    /** Counts a mail to a confirmed address, apart from the others, unless there were too many. */
    mayWriteTo: (address: string) => confirmed.take(mailboxOf(address)) === 0,
  }
}

/** One text for all addresses that reach the same person, as far as their providers' rules are known. */
export function mailboxOf(address: string): string {
  const [name = '', domain = ''] = address.toLowerCase().split('@')
  const untagged = name.replace(/\+.*$/, '')
  const known = dotless.get(domain)
  return known === undefined ? `${untagged}@${domain}` : `${untagged.replaceAll('.', '')}@${known}`
}
