import type { ErrorCode } from '@astropelago/contract/errors'
import { DomainError } from './domain-error.ts'
import type { OperatorCaller, UserCaller } from './http/callers.ts'

/** What somebody did that others may ask about later: an operator's action, or a change of a credential. */
export interface AuditEvent {
  /** Who: `actorOf` makes it of a caller. */
  readonly actor: string
  /** What, dotted and past: `user.disabled`, `password.changed`, `token.created`. */
  readonly action: string
  /** To whom or what, by kind and what people know it by: `user:ada`, `device:<id>`. */
  readonly subject?: string
  /** A little more, without secrets: whoever reads the log may read all of it. */
  readonly details?: Readonly<Record<string, string | number | boolean | null>>
}

/** Who did what, kept for `auditKeptDays`. */
export interface AuditLog {
  /** Writes down what was done; resolves when it is durable, which has to be before anybody is told. */
  readonly note: (event: AuditEvent) => Promise<void>
  /** Writes down what is about to be done, so that not even a crash leaves it without a trace. */
  readonly begin: (event: AuditEvent) => Promise<BegunAction>
}

export interface BegunAction {
  readonly done: () => Promise<void>
  readonly refused: (code: ErrorCode) => Promise<void>
}

/** Does something between two notes of it. */
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
    // Of what broke in any other way, nobody knows how far it had come.
    if (error instanceof DomainError) await begun.refused(error.code)
    throw error
  }
}

/** What the server does by itself, such as deleting what has expired. */
export const serverActor = 'server'

/** A user who acts on the own account, or an operator who acts as one. */
export function actorOf(caller: UserCaller | OperatorCaller): string {
  return 'username' in caller ? userSubject(caller.username) : `operator:${caller.name}`
}

/** How a user is told from operators and the server. */
export const userPrefix = 'user:'

/** A user as actor or subject: in one case, by which all that was done by or to the user is found. */
export function userSubject(username: string): string {
  return `${userPrefix}${username.toLowerCase()}`
}
