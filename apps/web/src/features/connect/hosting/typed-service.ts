import * as v from 'valibot'
import type { HomeService } from '../../../devices/relay-commands/relay-install.ts'
import { serviceProblem, tcpProblem } from '../../../devices/relay-commands/service-problem.ts'
import { keptDraft } from '../../../lib/kept-drafts.ts'

export const TypedService = v.object({
  kind: v.picklist(['address', 'folder'] satisfies HomeService['kind'][]),
  address: v.string(),
  folder: v.string(),
  isListing: v.boolean(),
  /** The target of an island's own port: a port, or a host and a port. May be empty. */
  tcp: v.string(),
})
export type TypedService = v.InferOutput<typeof TypedService>

export const usualService: TypedService = {
  kind: 'address',
  address: '8080',
  folder: '~/site',
  isListing: false,
  tcp: '',
}

export type TypedField = 'address' | 'folder' | 'tcp'

export function isTypedField(name: string): name is TypedField {
  return name === 'address' || name === 'folder' || name === 'tcp'
}

/** A port alone means that port on the device, with plain HTTP, as most services at home use. */
export function readService({ kind, address, folder, isListing }: TypedService): HomeService {
  if (kind === 'folder') return { kind, path: folder.trim(), ...(isListing && { isListing }) }
  const typed = address.trim()
  if (/^\d+$/.test(typed)) return { kind, url: `http://localhost:${typed}` }
  return { kind, url: /^[a-z][a-z\d+.-]*:\/\//i.test(typed) ? typed : `http://${typed}` }
}

/** The target in the agent's format; undefined if nothing is typed. */
export function readTcp({ tcp }: TypedService): string | undefined {
  const typed = tcp.trim()
  if (typed === '') return undefined
  return /^\d+$/.test(typed) ? `localhost:${typed}` : typed
}

export function fieldProblem(field: TypedField, text: string): string | undefined {
  if (field === 'tcp') {
    const tcp = readTcp({ ...usualService, tcp: text })
    return tcp === undefined ? undefined : tcpProblem(tcp)
  }
  return serviceProblem(readService({ ...usualService, kind: field, [field]: text }))
}

const Hosting = v.object({ name: v.string(), ...TypedService.entries })
export type Hosting = v.InferOutput<typeof Hosting>

export const emptyHosting: Hosting = { name: '', ...usualService }

export const hostingDraft = keptDraft('connect-hosting.v2', Hosting)
