import { registerDevice, safeLink } from '@astropelago/contract/devices'
import * as v from 'valibot'
import { decimalNumber } from '../lib/decimal-number.ts'
import { notANumber } from './device-draft.ts'
import { reachOf } from './link-reach.ts'

const harmless = { label: 'A', lat: 0, lon: 0 }

/**
 * A remark about a field's value: that the server would refuse it, in the server's words, or who can open a
 * link. Undefined for an empty field.
 */
export function noteOn(field: string, typed: string): string | undefined {
  const text = typed.trim()
  if (text === '') return undefined
  if (field === 'label') return refusalOf({ label: text })
  if (field === 'link') return refusalOf({ link: text }) ?? reachNote(text)
  if (field !== 'lat' && field !== 'lon') return undefined
  const number = decimalNumber(text)
  return number === undefined ? notANumber : refusalOf({ [field]: number })
}

function refusalOf(details: Readonly<Record<string, unknown>>): string | undefined {
  const { issues } = v.safeParse(registerDevice.body, { ...harmless, ...details })
  return issues?.[0].message
}

function reachNote(link: string): string | undefined {
  const reach = reachOf(safeLink(link) ?? '')
  if (reach === 'computer') return 'Only this computer can open this address. Others can’t.'
  if (reach === 'network') return 'Only people in the same network can open this address.'
  return undefined
}
