import {
  AboutInstallation,
  InstallationAddress,
  SignedStatement,
  wellKnownPath,
} from '@astropelago/contract/neighbour-directory'
import * as v from 'valibot'
import type { Outgoing } from '../../outgoing/outgoing.ts'
import {
  clockErrorMs,
  importKey,
  parseJson,
  readStatement,
  StatementRefused,
} from './statements.ts'

const aboutMaxBytes = 64 * 1024

export type ReadAbout = (address: string) => Promise<AboutInstallation>

/** Nothing usable came. The message is for operators. */
export class InstallationUnreachable extends Error {}

/**
 * Who an address says that it is, signed by the key that it says it has.
 * @throws InstallationUnreachable, StatementRefused
 */
export function aboutReader(outgoing: Pick<Outgoing, 'read'>, now: () => number): ReadAbout {
  return async (address) => {
    const answer = await outgoing.read({
      url: `${address}${wellKnownPath}`,
      maxBytes: aboutMaxBytes,
    })
    if (answer.kind === 'failed') throw new InstallationUnreachable(answer.note)
    const document = parseJson(SignedStatement, answer.text)
    if (answer.status !== 200 || document === undefined) {
      throw new InstallationUnreachable('No installation of Astropelago answers at this address.')
    }
    const about = parseJson(AboutInstallation, document.body)
    if (about === undefined) throw new StatementRefused('It does not say who it is.')
    const { from, kind, at } = readStatement(document, importKey(about.key))
    if (kind !== 'about' || from !== address) {
      throw new StatementRefused(`It says that it is at another address: ${from}`)
    }
    if (Math.abs(at - now()) > clockErrorMs) {
      throw new StatementRefused('Its clock is more than five minutes off ours.')
    }
    return about
  }
}

/** The origin of what somebody typed; undefined if it is not a web address. */
export function addressOf(typed: string): string | undefined {
  const trimmed = typed.trim()
  const text = trimmed.includes('://') ? trimmed : `https://${trimmed}`
  if (!URL.canParse(text)) return undefined
  const { origin, username, password } = new URL(text)
  return username === '' && password === '' && v.is(InstallationAddress, origin)
    ? origin
    : undefined
}
