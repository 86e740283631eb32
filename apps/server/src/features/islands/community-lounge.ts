import { randomUUID } from 'node:crypto'
import { loungeSlug } from '@astropelago/contract/pages'
import { seedOf } from '@astropelago/island-picture/seeded-random'
import type { Config } from '../../config.ts'
import type { RelayAddress } from '../../relay-address.ts'
import type { IslandsStore } from './islands-store.ts'

/** Every installation starts with it. It has no link: the operator decides where people meet. */
export async function makeCommunityLounge(
  islands: Pick<IslandsStore, 'insertOfInstallation'>,
  createdMs: number,
): Promise<void> {
  await islands.insertOfInstallation({
    id: randomUUID(),
    slug: loungeSlug,
    name: 'Community Lounge',
    kind: 'social',
    picture: seedOf(loungeSlug),
    tagline: 'Where Navigators meet',
    about: 'This is where Navigators meet. Leave a note in the log to say hello.',
    address: null,
    access: 'public',
    isListed: true,
    createdMs,
  })
}

export function loungeAddress(
  { publicUrl, tavernUrl }: Pick<Config, 'publicUrl' | 'tavernUrl'>,
  relayAddress: RelayAddress,
  host: string,
): string {
  if (tavernUrl !== undefined) return tavernUrl
  // A visitor who used another name or an IP address may not reach subdomains of this one.
  const atRelay = host === new URL(publicUrl).host ? relayAddress(loungeSlug) : null
  return atRelay ?? `/islands/${loungeSlug}`
}
