import type { ErrorCode } from '@astropelago/contract/errors'
import { DomainError } from './domain-error.ts'
import type { OperatorCaller, UserCaller } from './http/callers.ts'

export interface AuditEvent {
  /** Who did it. `actorOf` makes it from a caller. */
  readonly actor: string
  /** What was done, dotted and in the past tense: `user.disabled`, `password.changed`, `token.created`. */
  readonly action: string
  /** What it was done to, by kind and by the name people know: `user:ada`, `device:<id>`. */
  readonly subject?: string
  /** A few more words without secrets. Readers of the log see all of it. */
  readonly details?: Readonly<Record<string, string | number | boolean | null>>
}

export interface AuditLog {
  /** Resolves when that is durable. Only then may the caller answer. */
  readonly note: (event: AuditEvent) => Promise<void>
  /** Records what is about to be done, so that even a crash leaves a trace. */
  readonly begin: (event: AuditEvent) => Promise<BegunAction>
}

export interface BegunAction {
  readonly done: () => Promise<void>
  readonly refused: (code: ErrorCode) => Promise<void>
}

export async function audited<Result>(
  audit: Pick<AuditLog, 'begin'>,
  event: AuditEvent,
  act: () => Promise<Result>,
): Promise<Result> {
  const begun = await audit.begin(event)
  try {
    const result = await act()
    await begun.done()
    return result
  } catch (error) {
    // After any other failure it is unknown how far it had come.
    if (error instanceof DomainError) await begun.refused(error.code)
    throw error
  }
}

/** For what the server does by itself, such as deleting what has expired. */
export const serverActor = 'server'

export function actorOf(caller: UserCaller | OperatorCaller): string {
  return 'username' in caller ? userSubject(caller.username) : `operator:${caller.name}`
}

export function auditUser(
  audit: Pick<AuditLog, 'note'>,
  user: UserCaller,
  action: string,
  subject: string,
  details: NonNullable<AuditEvent['details']>,
): Promise<void> {
  return audit.note({ actor: actorOf(user), action, subject, details })
}

export const userPrefix = 'user:'

/** A user as actor or subject, in lower case, which finds everything done by or to the user. */
export function userSubject(username: string): string {
  return `${userPrefix}${username.toLowerCase()}`
}
