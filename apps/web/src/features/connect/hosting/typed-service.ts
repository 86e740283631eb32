import * as v from 'valibot'
import {
  type HomeService,
  serviceTrouble,
  tcpTrouble,
} from '../../devices/relay-commands/relay-install.ts'

/** What is hosted, as it is typed. */
export const TypedService = v.object({
  kind: v.picklist(['address', 'folder'] satisfies HomeService['kind'][]),
  /** A port, or an address. */
  address: v.string(),
  folder: v.string(),
  /** Whether a folder without a page shows what is in it. */
  isListing: v.boolean(),
  /** What an island's own port leads to: a port, or a host and a port; may be empty. */
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

/** The fields that are typed into. */
export type TypedField = 'address' | 'folder' | 'tcp'

/** What it says: a port is one of the device itself, and most services speak plain HTTP at home. */
export function readService({ kind, address, folder, isListing }: TypedService): HomeService {
  if (kind === 'folder') return { kind, path: folder.trim(), ...(isListing && { isListing }) }
  const typed = address.trim()
  if (/^\d+$/.test(typed)) return { kind, url: `http://localhost:${typed}` }
  return { kind, url: /^[a-z][a-z\d+.-]*:\/\//i.test(typed) ? typed : `http://${typed}` }
}

/** As the agent is told it; undefined where nothing is typed. */
export function readTcp({ tcp }: TypedService): string | undefined {
  const typed = tcp.trim()
  if (typed === '') return undefined
  return /^\d+$/.test(typed) ? `localhost:${typed}` : typed
}

/** What is wrong with the text in a field; undefined where it is fine. */
export function fieldTrouble(field: TypedField, text: string): string | undefined {
  if (field === 'tcp') {
    const tcp = readTcp({ ...usualService, tcp: text })
    return tcp === undefined ? undefined : tcpTrouble(tcp)
  }
  return serviceTrouble(readService({ ...usualService, kind: field, [field]: text }))
}
