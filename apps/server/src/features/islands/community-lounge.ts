import { randomUUID } from 'node:crypto'
import { loungeSlug } from '@astropelago/contract/pages'
import { seedOf } from '@astropelago/island-picture/seeded-random'
import type { Config } from '../../config.ts'
import type { RelayAddress } from '../../relay-address.ts'
import type { IslandsStore } from './islands-store.ts'

/**
 * The island that every installation starts with, until an operator takes it over or closes it. It has
 * no address: where people meet is for the operator to say.
 */
export async function makeCommunityLounge(
  store: Pick<IslandsStore, 'insertOfInstallation'>,
  createdMs: number,
): Promise<void> {
  await store.insertOfInstallation({
    id: randomUUID(),
    slug: loungeSlug,
    name: 'Community Lounge',
    kind: 'social',
    picture: seedOf(loungeSlug),
    tagline: 'Where Navigators meet',
    about: 'This is where Navigators meet. Leave a note in the log to say hello.',
    address: null,
    door: 'public',
    isListed: true,
    createdMs,
  })
}

interface LoungeSurroundings extends Pick<Config, 'publicUrl' | 'tavernUrl'> {
  readonly relayAddress: RelayAddress
}

/** Where the lounge is, for who came by that host name and port. */
export function loungeAddress(
  { publicUrl, tavernUrl, relayAddress }: LoungeSurroundings,
  host: string,
): string {
  if (tavernUrl !== undefined) return tavernUrl
  // Whoever came by another name, or by an IP address, may not reach what is below this one.
  const atRelay = host === new URL(publicUrl).host ? relayAddress(loungeSlug) : null
  return atRelay ?? `/islands/${loungeSlug}`
}
